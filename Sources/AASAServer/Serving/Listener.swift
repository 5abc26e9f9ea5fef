package import Reactor

/// One listening socket of one worker: its own queue in the kernel (SO_REUSEPORT), IPv4 or IPv6.
package final class Listener {
    let socket: ListeningSocket
    /// Workers that accept connections from this queue.
    let sharers: Int
    /// The fronts whose connections begin with a header of the PROXY protocol.
    let fronts: [AddressPrefix]
    /// Registered with the poller.
    var isWatched = false
    /// The poller has reported it in this turn: a client is in its queue.
    var isReady = false
    /// How many connections are accepted in one turn.
    var pace: AcceptLimiter

    /// What its worker asks the poller for.
    var interest: Interest { sharers > 1 ? .shared : .read }

    package init(
        _ socket: consuming ListeningSocket, sharers: Int = 1, fronts: [AddressPrefix] = []
    ) {
        self.fronts = fronts
        self.socket = socket
        self.sharers = sharers
        pace = AcceptLimiter(now: .now())
    }
}
