import Glibc

/// The machine's clocks, for the threads that look at it.
enum WallClock {
    /// Seconds since 1970.
    static func seconds() -> Double { read(CLOCK_REALTIME) }

    /// Seconds of a clock that never steps back.
    static func steadySeconds() -> Double { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Double {
        var now = timespec()
        clock_gettime(clock, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
