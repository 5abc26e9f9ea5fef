/// When a device retries. A value: time and randomness are parameters.
///
/// The old rule is Apple's own (*Shared Web Credentials*): every three hours, up to eight tries.
/// The later one is not documented; third parties read it from the system, and it agrees with two
/// dumps from the field: three to four hours at random, and after eight tries twice as long each
/// time.
package struct RetrySchedule: Sendable, Hashable {
    package enum Rule: Sendable, Hashable {
        case everyThreeHours
        case randomised
    }

    /// Three hours.
    package static let retrySeconds = 10_800
    /// Up to an hour more in the later rule.
    package static let spread = 3_600
    package static let tries = 8
    /// About five days until a final association is checked again, less up to an hour.
    package static let recheckSeconds = 428_400
    /// Doubling stops at a month: otherwise the interval would exceed any device's life after a
    /// year of failures.
    package static let longestSeconds = 30 * 86_400

    package let rule: Rule
    /// Failed tries since the last install, update or success.
    package private(set) var failures = 0

    package init(_ rule: Rule) { self.rule = rule }

    package mutating func reset() { failures = 0 }

    /// Counts a failed try.
    ///
    /// - Parameter chance: 0 ..< 1, chosen by the caller.
    /// - Returns: seconds until the next try; nil if the device does not retry.
    package mutating func nextTry(chance: Double) -> Int? {
        failures += 1
        switch rule {
        case .everyThreeHours:
            return failures < Self.tries ? Self.retrySeconds : nil
        case .randomised:
            let base = Self.retrySeconds + Self.spread(chance)
            let doublings = min(max(0, failures - Self.tries), 16)
            return min(base << doublings, Self.longestSeconds)
        }
    }

    /// Seconds until a final association is checked again; nil if only an update does.
    package func recheck(chance: Double) -> Int? {
        switch rule {
        case .everyThreeHours: nil
        case .randomised: Self.recheckSeconds + Self.spread(chance)
        }
    }

    private static func spread(_ chance: Double) -> Int {
        Int(Double(spread) * min(max(chance, 0), 1))
    }
}
