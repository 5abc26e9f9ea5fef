import Glibc

/// A point in time on `CLOCK_MONOTONIC`: never set back, unrelated to the calendar. Read once per
/// turn of a loop and handed down.
package struct MonotonicInstant: Comparable, Hashable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The clock's value now.
    package static func now() -> MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(
            nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Later than anything a clock will say.
    package static let distantFuture = MonotonicInstant(nanoseconds: .max)

    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    package static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant.advanced(byNanoseconds: duration.inNanoseconds)
    }

    package static func - (later: MonotonicInstant, earlier: MonotonicInstant) -> Duration {
        .nanoseconds(later.nanoseconds &- earlier.nanoseconds)
    }

    /// Cheaper than adding a `Duration`, whose arithmetic is 128 bits wide. Saturates.
    package func advanced(byNanoseconds count: Int64) -> MonotonicInstant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return MonotonicInstant(nanoseconds: overflow ? .max : sum)
    }
}

extension Duration {
    /// Whole nanoseconds, saturating at about 292 years.
    package var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carry ? (seconds < 0 ? .min : .max) : sum
    }

    /// Seconds as a floating-point number, for rates and reports.
    package var inSeconds: Double { Double(inNanoseconds) / 1e9 }
}
