import Glibc

/// A point in time on `CLOCK_MONOTONIC`: never set back, unrelated to the calendar. Read once per
/// turn of a loop and handed down.
///
/// Public and inlinable: the loop's values compute with it at every step, and the compiler cannot
/// look into a `package` function of another module.
@frozen
public struct MonotonicInstant: Comparable, Hashable, Sendable {
    public let nanoseconds: Int64

    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The clock's value now.
    public static func now() -> MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(
            nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// For what is counted in hours.
    package var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }

    /// Later than anything a clock will say.
    @inlinable
    public static var distantFuture: MonotonicInstant { MonotonicInstant(nanoseconds: .max) }

    @inlinable
    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    public static func + (instant: MonotonicInstant, duration: Duration) -> MonotonicInstant {
        instant.advanced(byNanoseconds: duration.inNanoseconds)
    }

    @inlinable
    public static func - (later: MonotonicInstant, earlier: MonotonicInstant) -> Duration {
        .nanoseconds(later.nanoseconds &- earlier.nanoseconds)
    }

    /// Cheaper than adding a `Duration`, whose arithmetic is 128 bits wide. Saturates.
    @inlinable
    public func advanced(byNanoseconds count: Int64) -> MonotonicInstant {
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
