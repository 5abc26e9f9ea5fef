import Reactor

/// One listening socket of one worker: its own queue in the kernel (SO_REUSEPORT), IPv4 or IPv6.
final class Listener {
    let socket: ListeningSocket
    /// Registered with the poller.
    var isWatched = false
    /// When its queue was last seen empty: nobody accepted since has waited longer than since then.
    var emptyAt: MonotonicInstant

    init(_ socket: consuming ListeningSocket, now: MonotonicInstant) {
        self.socket = socket
        emptyAt = now
    }
}
