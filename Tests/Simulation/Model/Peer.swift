import AASAServer
import Reactor

/// A client with its connection: what it wants, and the kernel's side of its socket.
final class Peer {
    /// What became of a client that means it.
    enum Outcome {
        case underWay
        /// The whole document, as often as it asked.
        case answered
        /// 503.
        case unavailable
        /// Its patience was at its end.
        case gaveUp
        /// We ended the connection before its answer was whole.
        case cut(CloseReason?)
    }

    /// Where a client stands in its script.
    enum Stage { case connecting, waiting, handshaking, asking, done }

    let kind: PeerKind
    let population: Int
    let network: UInt64
    let roundTrip: Int64
    let bornAt: Int64
    let leavesAt: Int64
    var stage = Stage.connecting
    var outcome = Outcome.underWay
    var retries = 0
    var answers = 0
    /// Steps of a dripping script.
    var steps = 0

    // The server's side of the socket, as the kernel has it.
    var inbox: [Piece] = []
    var inboxStart = 0
    var inboxBytes = 0
    var finArrived = false
    var resetArrived = false
    var lastDataAt: Int64
    var lastSegmentAt: Int64
    /// A whole ClientHello lies in the kernel, or was kept by the server.
    var helloIsWhole = false
    var isAccepted = false
    var handshakeBegan = false
    /// Counted by ``World/waitingHellos``.
    var countsAsWaiting = false
    var token = SlotToken(rawValue: 0)
    var isRegistered = false
    var wantsOut = false
    var isListed = false
    var pending: Readiness = []
    /// Handed to the kernel, not on the link yet.
    var outbox: [Message] = []
    var outboxStart = 0
    var outboxBytes = 0
    /// On the link, not acknowledged.
    var inFlight = 0
    var isOnLink = false
    /// Bytes that the client's kernel still takes; `nil`: all.
    var window: Int?
    var finQueued = false
    var finSent = false
    var serverClosed = false
    var closeReason: CloseReason?
    var phaseAtClose = ConnectionStateMachine.Phase.silent
    /// The client has gone: nothing of it will ever be heard again.
    var isGone = false

    init(
        kind: PeerKind, population: Int, network: UInt64, roundTrip: Int64, patience: Int64,
        now: Int64
    ) {
        self.kind = kind
        self.population = population
        self.network = network
        self.roundTrip = roundTrip
        bornAt = now
        leavesAt = now + patience
        lastDataAt = now
        lastSegmentAt = now
        if kind.bytesReadPerSecond != nil { window = 65_536 }
    }

    var unacknowledged: Int { outboxBytes + inFlight }
    var isReadable: Bool { inboxStart < inbox.count || finArrived || resetArrived }
    var hasUnread: Bool { inboxStart < inbox.count }
    /// Its direction and ours are as they were: nobody has begun to leave.
    var isEstablished: Bool { !finArrived && !resetArrived }

    func take(atMost maximum: Int) -> (pieces: ArraySlice<Piece>, count: Int) {
        let start = inboxStart
        var count = 0
        while inboxStart < inbox.count, count + inbox[inboxStart].count <= maximum {
            count += inbox[inboxStart].count
            inboxStart += 1
        }
        let taken = inbox[start..<inboxStart]
        inboxBytes -= count
        if inboxStart == inbox.count {
            inbox = []
            inboxStart = 0
        }
        return (taken, count)
    }

    func dropOutput() {
        outbox = []
        outboxStart = 0
        outboxBytes = 0
    }
}
