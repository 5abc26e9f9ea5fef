package import AASAClient

/// What a device holds of an app and a domain.
package enum Verdict: Sendable, Hashable {
    case associated
    /// The answer said no; the device does not ask again before the app is updated, or the regular
    /// recheck.
    case denied(Reason)
    /// The device asks again by itself, after so many seconds.
    case willRetry(Reason, seconds: Int)
    /// No answer could be used, and the device does not ask again by itself.
    case failed(Reason)
    /// The device never asks: the entry's conditions do not hold.
    case skipped(Reason)

    package enum Reason: Sendable, Hashable {
        /// A status of 300 to 499, redirects included.
        case refused(status: Int)
        /// A status of 500 or more.
        case serverError(status: Int)
        /// No whole answer.
        case noAnswer(ClientFailure)
        /// The certificate is not trusted, or names another host.
        case untrusted(String)
        /// - Parameter isAll: false: more than so many, which were not counted.
        case tooLarge(bytes: Int, isAll: Bool = true)
        /// Neither JSON nor CMS.
        case unreadable(String)
        /// iOS 8: the answer is not signed.
        case unsigned
        case badSignature(String)
        /// iOS 8: a signed answer with another content type than `application/pkcs7-mime`.
        case contentType(String?)
        /// The document has no such service.
        case serviceMissing(String)
        /// The document does not list the app for the service.
        case appNotListed(service: String)
        /// The document lists no app for any service.
        case nothingListed
        /// Apple's CDN said why.
        case cdn(String)
        /// The eight tries are used up.
        case triesUsedUp(last: String)
        /// The entry's mode, or something else in it.
        case entitlement(String)
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
            (300..<400).contains(status)
                ? "the answer was a redirect (\(status)), which is not followed"
                : "the answer had status \(status)"
        case .serverError(let status): "the server failed with status \(status)"
        case .noAnswer(let failure): failure.description
        case .untrusted(let reason): "the server's certificate is not trusted: \(reason)"
        case .tooLarge(let bytes, let isAll):
            "the document has \(isAll ? "" : "more than ")\(bytes) bytes; devices read 131,072"
        case .unreadable(let reason): "the document cannot be read: \(reason)"
        case .unsigned: "the document is not signed, which iOS 8 demands"
        case .badSignature(let reason): "the signature is not valid: \(reason)"
        case .contentType(let type):
            "iOS 8 wants a signed document as application/pkcs7-mime, not "
                + (type ?? "without a Content-Type")
        case .serviceMissing(let service): "the document has no \"\(service)\""
        case .appNotListed(let service): "the document does not list the app for \(service)"
        case .nothingListed: "the document lists no app at all"
        case .cdn(let text): "Apple's CDN says: \(text)"
        case .triesUsedUp(let last): "eight tries have failed; the last: \(last)"
        case .entitlement(let text): text
        }
    }
}
