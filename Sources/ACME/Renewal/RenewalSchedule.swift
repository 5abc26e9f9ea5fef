package import OpenSSL

/// What is known of a certificate in use.
package struct CertificateFacts: Sendable, Hashable {
    /// Seconds since 1970.
    package let notBefore: Int64
    package let notAfter: Int64
    package let names: [String]
    /// RFC 9773 section 4.1; nil where it has none.
    package let identifier: String?

    package init(notBefore: Int64, notAfter: Int64, names: [String], identifier: String?) {
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.names = names
        self.identifier = identifier
    }

    package init(_ certificate: Certificate) {
        self.init(
            notBefore: certificate.summary.notBefore, notAfter: certificate.summary.notAfter,
            names: certificate.summary.names.map { $0.lowercased() },
            identifier: RenewalInfo.identifier(of: certificate))
    }

    var life: Int64 { max(notAfter - notBefore, 1) }
}

/// When a certificate is renewed. Fractions of its life and never days: lives shrink from 398 days
/// to 6, and the same rule has to do for all.
package enum RenewalSchedule {
    /// At two thirds of the life, as Let's Encrypt advises, and up to a fifteenth of the life
    /// earlier, so that certificates that were ordered together are not renewed together: 54 to 60
    /// days of 90, 3.6 to 4 of 6. A third is left for trying.
    package static func ownTime(_ facts: CertificateFacts, spread: UInt64) -> Int64 {
        let latest = facts.notBefore + facts.life / 3 * 2
        let width = UInt64(max(facts.life / 15, 1))
        return latest - Int64(spread % width)
    }

    /// A moment in the authority's window, the same at every question while the window stays (RFC
    /// 9773 section 4.2: uniformly random). Never beyond five sixths of the life: a window that
    /// lies about the end must not end the certificate.
    package static func time(
        _ facts: CertificateFacts, window: RenewalInfo?, spread: UInt64
    ) -> Int64 {
        guard let window else { return ownTime(facts, spread: spread) }
        // Windows are below some years; the width is bounded so that nothing overflows.
        let width = UInt64(min(max(window.end - window.start, 1), 4_000_000_000))
        let chosen = window.start + Int64(spread % width)
        return min(chosen, facts.notBefore + facts.life / 6 * 5)
    }

    /// Seconds until the authority is asked for the window again: what it says, within 10 minutes
    /// and a day (RFC 9773 section 4.3 advises to bound it; 6 hours is what authorities say). At
    /// least thrice in the life of a certificate of six hours and more. Up to a tenth later, so
    /// that certificates that were ordered together do not ask together for ever.
    package static func askAgain(after retryAfter: Int64?, spread: UInt64 = 0) -> Int64 {
        let base = min(max(retryAfter ?? 6 * 3600, 600), 86_400)
        return base + Int64(spread % UInt64(base / 10))
    }
}

/// How long a certificate that could not be had is not tried again.
package enum BackOff {
    /// Minutes after the first, second, … failure in a row. The first five tries are at 0, 5, 20,
    /// 50 and 110 minutes: 4 in an hour, where Let's Encrypt refuses after 5 failed validations.
    package static let minutes: [Int64] = [5, 15, 30, 60, 120, 240, 360]
    /// An authority's `Retry-After` beyond this is a mistake, or a clock's: its longest limit is a
    /// week.
    package static let longest: Int64 = 8 * 86_400

    /// Seconds after so many failures: a tenth more or less, as whole data centres fail together.
    package static func delay(failures: Int, spread: UInt64, retryAfter: Int64?) -> Int64 {
        let index = min(max(failures, 1), minutes.count) - 1
        let base = minutes[index] * 60
        let mixed = (spread ^ UInt64(failures)) &* 0x9E37_79B9_7F4A_7C15
        let jittered = base + Int64(mixed >> 40) % (base / 10 + 1)
        return min(max(jittered, retryAfter ?? 0), longest)
    }

    /// Whether it is time; a clock that was set back does not make a moment of trying unreachable.
    package static func isOver(_ nextTry: Int64, now: Int64) -> Bool {
        now >= nextTry || nextTry - now > longest
    }
}
