import HTTP
import OpenSSL
import Reactor

/// One client: socket, TLS session, protocol, phase. Holds data and answers simple questions; the
/// parts of its ``Worker`` act on it.
///
/// An idle connection holds no buffer: all connections use those of the worker.
package final class Connection {
    let token: SlotToken
    // Dies before the socket: stored properties die in this order.
    var tls: TLSSession?
    /// Unchecked, because a call on the socket ends before anything else of the connection is
    /// accessed. With the check at run time, the two calls of a turn would cost four calls into the
    /// runtime.
    @exclusivity(unchecked) var socket: Socket
    @exclusivity(unchecked) package var machine: ConnectionStateMachine
    var exchange: Exchange = .none
    /// The peer that connected, or the client that the PROXY protocol header named.
    var peer: SocketAddress?
    /// A header of the PROXY protocol is expected first, and has not arrived as a whole.
    var awaitsProxyHeader = false
    /// The connection is from the front itself, not from a client behind it.
    var isFromProxy = false
    /// Ciphertext that the kernel did not take.
    var unsent: ArraySlice<UInt8> = []
    /// The interest registered with epoll; empty: not registered yet.
    var interest: Interest = []
    /// Whether `handshakesInFlight` counts this connection. Bookkeeping only.
    var countsAsHandshake = false
    /// Input thrown away while lingering.
    var lingerBytes = 0
    /// The kept parts of its ClientHello, until its handshake begins.
    var hello: PartialHello?
    /// Its last large answer, while under way.
    var large: LargeAnswer?
    /// Ciphertext that the kernel took, and when it took the last of it.
    var givenBytes = 0
    var givenAt: MonotonicInstant
    /// At least as many bytes as the kernel still holds, while no large answer is under way.
    var unseenBytes = 0
    /// When its ClientHello arrived.
    var helloAt: MonotonicInstant
    /// When its handshake was begun.
    var handshakeAt: MonotonicInstant

    init(
        token: SlotToken, socket: consuming Socket, peer: SocketAddress?, limits: SharedLimits,
        now: MonotonicInstant
    ) {
        self.token = token
        self.socket = socket
        self.peer = peer
        machine = ConnectionStateMachine(limits: limits, now: now)
        givenAt = now
        helloAt = now
        handshakeAt = now
    }

    var isOpen: Bool { machine.isOpen }

    /// Whether some input is read but not yet used, because an answer is under way before it.
    var holdsInput: Bool { exchange.isAnswering || (tls?.keptCount ?? 0) > 0 }

    /// Bytes of the peer's input that this connection holds.
    package var keptInputBytes: Int {
        (hello?.bytes.count ?? 0) + (tls?.keptCount ?? 0) + exchange.keptCount
    }
}

/// A ClientHello that arrived in parts.
final class PartialHello {
    private(set) var bytes: [UInt8] = []
    private var scanner: ClientHelloScanner

    /// - Parameter scanner: has already scanned the bytes that are appended first.
    init(_ scanner: ClientHelloScanner) { self.scanner = scanner }

    func append(_ more: UnsafeRawBufferPointer) -> ClientHelloScanner.Verdict {
        defer { bytes.append(contentsOf: more) }
        return bytes.isEmpty ? .incomplete : scanner.scan(more)
    }
}

/// The protocol spoken, once the handshake has chosen it.
enum Exchange {
    case none
    case http1(HTTP1Exchange)
    case http2(HTTP2ServerSession)

    private var overHTTP1: HTTP1Exchange? {
        if case .http1(let exchange) = self { exchange } else { nil }
    }

    /// Whether there is input that has not become a request yet.
    var hasUnparsed: Bool {
        switch self {
        case .none: false
        case .http1(let exchange): !exchange.kept.isEmpty
        // The peer's acknowledgements and window updates are still to come.
        case .http2: true
        }
    }

    /// Whether input has to wait: an answer of HTTP/1.1 is under way, or requests wait behind it.
    /// HTTP/2 input always goes into its session at once.
    var isAnswering: Bool {
        overHTTP1.map { $0.answer != nil || $0.hasRequestWaiting } ?? false
    }

    /// Whether HTTP/2 still holds back parts of answers until the peer opens its window; the kernel
    /// and we hold only the rest.
    var awaitsWindow: Bool { openRequests > 0 }

    /// Plaintext that was read but not yet used.
    var keptCount: Int {
        overHTTP1?.kept.count ?? 0
    }

    /// Requests whose answers are not complete yet; 0 for HTTP/1.1, which answers one by one.
    var openRequests: Int {
        if case .http2(let session) = self { session.openRequests } else { 0 }
    }

    /// Bytes of the answer under way that are not encrypted yet. 0 for HTTP/2: its bytes wait for a
    /// window, not for the link.
    var unencryptedCount: Int {
        overHTTP1.flatMap { exchange in exchange.answer.map { $0.body.count - exchange.offset } }
            ?? 0
    }
}
