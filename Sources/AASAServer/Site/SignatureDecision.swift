import OpenSSL

/// Decides whether a host's document is signed again, and with which certificate. A value; the
/// caller acts.
///
/// The rules, in the order of their weight:
/// 1. A served signature is valid at the time: if its certificate has ended, it is not served (503
///    instead: a device takes a 503 as temporary, an invalid signature as a final no).
/// 2. Only a signer that is valid and covers the host signs. No other signer ever replaces a good
///    signature, which then stays with the last good document.
/// 3. A renewed certificate signs again automatically, even if the document did not change.
package enum SignatureDecision: Equatable, Sendable {
    /// The current signature is still right.
    case keep
    /// Sign with the signer at this index.
    case sign(with: Int)
    /// No signer is usable: the last good document and signature stay while the signature is
    /// valid, and an error is logged. Without one there is no signed form.
    case none(why: String)

    /// A certificate with its key that could sign.
    package struct Signer: Equatable, Sendable {
        package let identity: String
        package let notBefore: Int64
        package let notAfter: Int64
        package let coversHost: Bool
        /// How many names of the host it does not cover. The host's own counts if it is only in
        /// the Common Name, which iOS 8 to 12 accept in a signer.
        package let uncoveredNames: Int
        package let isRSA: Bool

        /// - Parameter now: seconds since 1970.
        func problem(at now: Int64) -> String? {
            if !coversHost { return "the signing certificate does not cover the host" }
            if now >= notAfter {
                return "the signing certificate expired on \(DateText.day(notAfter))"
            }
            if now >= notBefore { return nil }
            return
                "the signing certificate is not valid before \(DateText.day(notBefore)): check the clock"
        }
    }

    /// - Parameters:
    ///   - document: what is to be served now.
    ///   - now: seconds since 1970.
    package static func decide(
        current: HostSignature?, document: [UInt8], signers: [Signer], now: Int64
    ) -> SignatureDecision {
        // The one for the most names first: no signature is served under a name that it does not
        // cover. Then RSA, because Apple's own instructions for the devices of 2014 used it. Then
        // the certificate that lasts longest.
        let usable = signers.indices.filter { signers[$0].problem(at: now) == nil }
        let best = usable.max {
            let (left, right) = (signers[$0], signers[$1])
            return (-left.uncoveredNames, left.isRSA ? 1 : 0, left.notAfter)
                < (-right.uncoveredNames, right.isRSA ? 1 : 0, right.notAfter)
        }
        guard let best else {
            return .none(
                why: signers.compactMap { $0.problem(at: now) }.first
                    ?? "there is no certificate to sign with")
        }
        if let current, current.isValid(at: now), current.payload == document,
            current.signer == signers[best].identity
        {
            return .keep
        }
        return .sign(with: best)
    }
}
