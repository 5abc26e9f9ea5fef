import Glibc

/// A point in time on `CLOCK_MONOTONIC`: never set back, unrelated to the calendar. A loop reads it
/// once per turn and passes it on.
///
/// Public and inlinable: the loop's values compute with it at every step, and the compiler cannot
/// inline a `package` function of another module.
@frozen
public struct MonotonicInstant: Comparable, Hashable, Sendable {
    public let nanoseconds: Int64

    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The clock's value now.
    public static func now() -> MonotonicInstant {
        if let kernel = Kernel.simulated { return kernel.now }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(
            nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// For intervals of hours.
    package var wholeSeconds: Int64 { nanoseconds / 1_000_000_000 }

    /// Later than any time of the clock.
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
    /// Whole nanoseconds, towards zero, saturating at about 292 years.
    ///
    /// A `Duration` has 128 bits of attoseconds, and dividing it calls a function of hundreds of
    /// instructions. The quotient fits 64 bits, so one machine division computes it.
    @inlinable
    public var inNanoseconds: Int64 {
        let magnitude = attoseconds.magnitude
        let divisor: UInt64 = 1_000_000_000
        let high = UInt64(truncatingIfNeeded: magnitude >> 64)
        guard high < divisor else { return attoseconds < 0 ? .min : .max }
        let quotient = divisor.dividingFullWidth((high, UInt64(truncatingIfNeeded: magnitude)))
            .quotient
        guard quotient <= UInt64(Int64.max) else { return attoseconds < 0 ? .min : .max }
        return attoseconds < 0 ? -Int64(quotient) : Int64(quotient)
    }

    /// Seconds as a floating-point number, for rates and reports.
    package var inSeconds: Double { Double(inNanoseconds) / 1e9 }
}
