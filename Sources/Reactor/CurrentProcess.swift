import Glibc

/// What a process may know of itself.
package enum CurrentProcess {
    package static var id: Int32 { getpid() }
    /// The effective user.
    package static var user: UInt32 { geteuid() }
    /// The effective group.
    package static var group: UInt32 { getegid() }
}

/// The time of the day, for people and certificates. What measures spans uses ``MonotonicInstant``.
package enum WallClock {
    /// Seconds since 1970.
    package static var seconds: Int64 { Int64(time(nil)) }
}
