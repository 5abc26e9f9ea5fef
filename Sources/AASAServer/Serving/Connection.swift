import HTTP
import OpenSSL
import Reactor

/// One client: socket, TLS session, protocol, phase. Data and small questions only; the parts of
/// its ``Worker`` act on it.
///
/// While a connection is idle it holds no buffer: bytes pass through the worker's.
final class Connection {
    let token: SlotToken
    // Dies before the socket: stored properties die in this order.
    var tls: TLSSession?
    /// A call on it ends before anything else of the connection is touched; guarded at run time,
    /// its two calls of a turn would cost four into the runtime.
    @exclusivity(unchecked) var socket: Socket
    @ThreadOwned var machine: ConnectionStateMachine
    var exchange: Exchange = .none
    /// The client: who connected, until a front has said for whom.
    var peer: SocketAddress?
    /// A header of the PROXY protocol comes first, and is not there whole.
    var awaitsProxyHeader = false
    /// The front itself speaks, not a client behind it.
    var isOfFront = false
    let acceptedAt: MonotonicInstant
    /// Ciphertext that the kernel did not take.
    var unsent = UnsentBytes()
    /// What epoll was asked for; empty: not registered yet.
    var interest: Interest = []
    /// The instant the worker's timer is set for; `distantFuture`: for none.
    var armedFor = MonotonicInstant.distantFuture
    /// Handshakes in flight counts it: bookkeeping, it decides nothing.
    var countsAsHandshake = false
    /// Input thrown away while lingering.
    var lingerBytes = 0
    /// What is kept of a ClientHello that came in parts, until its handshake has begun.
    var hello: PartialHello?
    /// Its last large answer, while that is under way.
    var large: LargeAnswer?
    /// When its ClientHello came.
    var helloAt: MonotonicInstant
    /// When its handshake was begun.
    var handshakeAt: MonotonicInstant

    init(
        token: SlotToken, socket: consuming Socket, peer: SocketAddress?, times: ConnectionTimes,
        now: MonotonicInstant
    ) {
        self.token = token
        self.socket = socket
        self.peer = peer
        machine = ConnectionStateMachine(times: times, now: now)
        acceptedAt = now
        helloAt = now
        handshakeAt = now
    }

    deinit { _machine.free() }

    var isOpen: Bool { machine.isOpen }

    /// Some of what was read is not used up, as an answer is under way before it.
    var holdsInput: Bool { exchange.isAnswering || (tls?.hasKept ?? false) }

    /// Bytes of the peer's input that this connection holds.
    var keptInputBytes: Int {
        (hello?.bytes.count ?? 0) + (tls?.keptCount ?? 0) + exchange.keptCount
    }
}

/// A ClientHello that did not come whole.
final class PartialHello {
    private(set) var bytes: [UInt8] = []
    private var scanner: ClientHelloScanner
    /// It is whole now, or too long to be kept on: its handshake may begin.
    var isWhole = false

    /// - Parameter scanner: has seen the bytes that are appended first.
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
    case http2(HTTP2Exchange)

    /// Whether input was read that no request was made of.
    var hasUnparsed: Bool {
        switch self {
        case .none: false
        case .http1(let exchange): !exchange.kept.isEmpty
        // The peer's acknowledgements and window updates are still to come.
        case .http2: true
        }
    }

    /// Whether no more input is read before this is done: an answer of HTTP/1.1 is under way, or
    /// requests wait behind it. What HTTP/2 reads goes into its session at once.
    var isAnswering: Bool {
        switch self {
        case .none, .http2: false
        case .http1(let exchange): exchange.answer != nil || exchange.hasRequestWaiting
        }
    }

    /// Answers of HTTP/2 are not handed out whole: what the kernel and we hold of them is not all.
    var awaitsWindow: Bool {
        switch self {
        case .none, .http1: false
        case .http2(let exchange): exchange.session.openRequests > 0
        }
    }

    /// Plaintext that was read and not used up.
    var keptCount: Int {
        switch self {
        case .none, .http2: 0
        case .http1(let exchange): exchange.kept.count
        }
    }

    /// Bytes of the answer under way that are not encrypted yet. HTTP/2's wait for a window, not
    /// for the link.
    var unencryptedCount: Int {
        switch self {
        case .none, .http2: 0
        case .http1(let exchange): exchange.answer.map { $0.body.count - exchange.offset } ?? 0
        }
    }
}

/// Ciphertext that waits for the peer to read; memory only while there is some.
struct UnsentBytes {
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var start = 0

    var isEmpty: Bool { memory.count == start }
    var count: Int { memory.count - start }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[start...]) }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        if more.isEmpty { return }
        let old = bytes
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: old.count + more.count, alignment: 16)
        larger.copyMemory(from: old)
        UnsafeMutableRawBufferPointer(rebasing: larger[old.count...]).copyMemory(from: more)
        memory.deallocate()
        memory = larger
        start = 0
    }

    mutating func consume(_ count: Int) {
        start += count
        if isEmpty { free() }
    }

    /// Has to be called before the owner goes.
    mutating func free() {
        memory.deallocate()
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        start = 0
    }
}
