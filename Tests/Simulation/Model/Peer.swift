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
        case cut
    }

    /// Where a client stands in its script.
    enum Stage { case connecting, waiting, handshaking, asking, done }

    /// Its place among all clients; its descriptor, once it is accepted, tells it as well.
    let id: UInt32
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
    /// Its last stream of HTTP/2.
    var stream: UInt32 = 0
    /// What it understands of the server's bytes.
    var reader: WireReader

    // The server's side of the socket, as the kernel has it.
    var inbox: [ArraySlice<UInt8>] = []
    var inboxStart = 0
    var inboxBytes = 0
    var finArrived = false
    var resetArrived = false
    var lastDataAt: Int64
    var lastSegmentAt: Int64
    /// A whole ClientHello lies in the kernel, or was kept by the server.
    var helloIsWhole = false
    var isAccepted = false
    /// Its place among the open ones.
    var openIndex = 0
    var handshakeBegan = false
    /// Counted by ``World/waitingHellos``.
    var countsAsWaiting = false
    /// By which the worker knows it, once it is registered with the poller.
    var token: UInt64 = 0
    var isRegistered = false
    /// Moved bytes in this turn.
    var hasMoved = false
    var abortsOnClose = false
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
    /// The client has gone: nothing of it will ever be heard again.
    var isGone = false

    init(
        id: UInt32, kind: PeerKind, population: Int, network: UInt64, roundTrip: Int64,
        patience: Int64,
        now: Int64
    ) {
        self.id = id
        self.kind = kind
        reader = WireReader(
            !kind.isHonest && kind != .slowReader
                ? .ignored : kind.speaksHTTP2 ? .http2 : .http1)
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

    /// Moves what has come into `buffer`, as far as it has room.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while inboxStart < inbox.count, count < buffer.count {
            let segment = inbox[inboxStart]
            let taken = min(segment.count, buffer.count - count)
            segment.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
            }
            count += taken
            if taken == segment.count {
                inboxStart += 1
            } else {
                inbox[inboxStart] = segment.dropFirst(taken)
            }
        }
        inboxBytes -= count
        if inboxStart == inbox.count {
            inbox.removeAll(keepingCapacity: true)
            inboxStart = 0
        }
        return count
    }

    func dropOutput() {
        outbox = []
        outboxStart = 0
        outboxBytes = 0
    }
}
