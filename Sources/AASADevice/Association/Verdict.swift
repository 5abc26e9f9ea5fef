/// A device's verdict about an app and a domain.
package enum Verdict: Sendable, Hashable {
    case associated
    /// The response denies the association; the device does not ask again before an update of the
    /// app or the regular recheck.
    case denied(Reason)
    /// The device retries after this many seconds.
    case willRetry(Reason, seconds: Int)
    /// No response was usable, and the device does not retry.
    case failed(Reason)
    /// The device never asks, as the entry's conditions are not met.
    case skipped(Reason)

    package enum Reason: Sendable, Hashable {
        /// A status of 300 to 499, including redirects.
        case refused(status: Int)
        /// Neither JSON nor CMS.
        case unreadable(String)
        /// iOS 8: the response is not signed.
        case unsigned
        case badSignature(String)
        /// iOS 8: a signed response with a content type other than `application/pkcs7-mime`.
        case contentType(String?)
        /// The document lists no app for any service.
        case nothingListed
        /// The eight tries have failed.
        case triesUsedUp(last: String)
        /// Any other reason, which only people read.
        case other(String)
    }

    /// One word for scripts.
    package var name: String {
        switch self {
        case .associated: "associated"
        case .denied: "denied"
        case .willRetry: "will-retry"
        case .failed: "failed"
        case .skipped: "skipped"
        }
    }

    package var reason: Reason? {
        switch self {
        case .associated: nil
        case .denied(let reason), .willRetry(let reason, _), .failed(let reason),
            .skipped(let reason):
            reason
        }
    }
}

extension Verdict.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let status):
            (300..<400).contains(status) && status != 304
                ? "the answer was a redirect (\(status)), which is not followed"
                : "the answer had status \(status)"
        case .unreadable(let reason): "the document cannot be read: \(reason)"
        case .unsigned: "the document is not signed, and iOS 8 requires a signature"
        case .badSignature(let reason): "the signature is not valid: \(reason)"
        case .contentType(let type):
            "iOS 8 requires a signed document as application/pkcs7-mime, not "
                + (type ?? "without a Content-Type")
        case .nothingListed: "the document lists no app at all"
        case .triesUsedUp(let last): "eight tries have failed; the last: \(last)"
        case .other(let text): text
        }
    }
}
