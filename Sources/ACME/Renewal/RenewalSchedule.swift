package import OpenSSL

/// The facts about a certificate in use.
package struct CertificateFacts: Sendable, Hashable {
    /// Seconds since 1970.
    package let notBefore: Int64
    package let notAfter: Int64
    package let names: [String]
    /// RFC 9773 section 4.1; nil if it has none.
    package let identifier: String?

    var life: Int64 { max(notAfter - notBefore, 1) }
}

extension CertificateFacts {
    package init(_ certificate: Certificate) {
        self.init(
            notBefore: certificate.summary.notBefore, notAfter: certificate.summary.notAfter,
            names: certificate.summary.names.map { $0.lowercased() },
            identifier: RenewalInfo.identifier(of: certificate))
    }
}

/// When to renew a certificate. Fractions of its lifetime, never days: lifetimes shrink from 398
/// days to 6, and one rule must fit all.
package enum RenewalSchedule {
    /// At two thirds of the lifetime, as Let's Encrypt recommends, or up to a fifteenth of the
    /// lifetime earlier, so that certificates ordered together are not renewed together: 54 to 60
    /// days of 90, 3.6 to 4 of 6. A third is left for retries.
    package static func ownTime(_ facts: CertificateFacts, spread: UInt64) -> Int64 {
        let latest = facts.notBefore + facts.life / 3 * 2
        let width = UInt64(max(facts.life / 15, 1))
        return latest - Int64(spread % width)
    }

    /// A time in the authority's window, the same for each call while the window stays (RFC 9773
    /// section 4.2: uniformly random). At most five sixths of the lifetime: a window that is too
    /// late must not let the certificate expire.
    package static func time(
        _ facts: CertificateFacts, window: RenewalInfo?, spread: UInt64
    ) -> Int64 {
        guard let window else { return ownTime(facts, spread: spread) }
        // Windows are shorter than some years; the limit prevents an overflow.
        let width = UInt64(min(max(window.end - window.start, 1), 4_000_000_000))
        let chosen = window.start + Int64(spread % width)
        return min(chosen, facts.notBefore + facts.life / 6 * 5)
    }

    /// Seconds until the window is requested again: the authority's value, within 10 minutes and a
    /// day (RFC 9773 section 4.3 recommends limits; authorities use 6 hours). At least three times
    /// in the life of a certificate of six hours and more. Up to a tenth later, so that
    /// certificates ordered together do not request together forever.
    package static func askAgain(after retryAfter: Int64?, spread: UInt64 = 0) -> Int64 {
        let base = min(max(retryAfter ?? 6 * 3600, 600), 86_400)
        return base + Int64(spread % UInt64(base / 10))
    }
}

/// The back-off after failed orders.
package enum BackOff {
    /// Minutes after the first, second, … consecutive failure. The first five tries are at 0, 5,
    /// 20, 50 and 110 minutes: 4 within an hour, as Let's Encrypt refuses after 5 failed
    /// validations.
    package static let minutes: [Int64] = [5, 15, 30, 60, 120, 240, 360]
    /// Maximum of seconds accepted from `Retry-After`: the longest limit is a week, so more is an
    /// error, or a wrong clock.
    package static let longest: Int64 = 8 * 86_400

    /// Seconds after this many failures: up to a tenth more, as whole data centres fail together.
    package static func delay(failures: Int, spread: UInt64, retryAfter: Int64?) -> Int64 {
        let index = min(max(failures, 1), minutes.count) - 1
        let base = minutes[index] * 60
        let mixed = (spread ^ UInt64(failures)) &* 0x9E37_79B9_7F4A_7C15
        let jittered = base + Int64(mixed >> 40) % (base / 10 + 1)
        return min(max(jittered, retryAfter ?? 0), longest)
    }

    /// Whether the time of the next try has come; a clock that was set back does not delay it
    /// forever.
    package static func isOver(_ nextTry: Int64, now: Int64) -> Bool {
        now >= nextTry || nextTry - now > longest
    }
}

extension CertificateRecord {
    /// Whether the pause after a failure is over; so is that of a failure in the future, before the
    /// clock was set back.
    func mayTry(now: Int64) -> Bool {
        lastErrorAt > now || BackOff.isOver(nextTry, now: now)
    }
}
