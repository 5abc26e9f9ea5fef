/// One certificate in use, for people: the start-up table, the status page, metrics. The key and
/// the chain themselves are in the TLS contexts.
package struct ServedCertificate: Sendable, Equatable {
    /// The folder under `--certs`, which is the host it belongs to.
    package let folder: String
    /// The chain's file, as it was opened.
    package let file: String
    /// DNS names it covers, wildcards as written.
    package let names: [String]
    /// `ECDSA P-256`, `RSA 2048`.
    package let keyType: String
    package let issuer: String
    /// Seconds since 1970.
    package let notBefore: Int64
    package let notAfter: Int64
    /// Problems that are no reason to refuse it: incomplete chain, name not covered, expired.
    package var problems: [String] = []
    /// Since when it stays in use although its files are gone or were refused, in seconds since
    /// 1970; nil: it is what the files hold.
    package var keptSince: Int64?

    /// The stage of the certificate's life at `now` (seconds since 1970).
    package func life(at now: Int64) -> CertificateLife {
        CertificateLife(notBefore: notBefore, notAfter: notAfter, now: now)
    }
}

/// How much of a certificate's or signature's life is left. Alarms are fractions of the life, never
/// days: lifetimes shrink from 398 to 47 days by 2029 (security.md section 12), so an alarm at "30
/// days left" would then be on nearly all the time.
package enum CertificateLife: Sendable, Equatable {
    /// At least a quarter is left: a renewal at two thirds of the life, as certificate authorities
    /// advise, is still to come or was due only recently.
    case good
    /// Less than a quarter: the renewal is late.
    case endsSoon
    /// Less than an eighth.
    case endsVerySoon
    case ended
    case notYetBegun

    package init(notBefore: Int64, notAfter: Int64, now: Int64) {
        let left = notAfter - now
        let life = max(notAfter - notBefore, 1)
        if now < notBefore {
            self = .notYetBegun
        } else if left <= 0 {
            self = .ended
        } else if left < life / 8 {
            self = .endsVerySoon
        } else if left < life / 4 {
            self = .endsSoon
        } else {
            self = .good
        }
    }
}
