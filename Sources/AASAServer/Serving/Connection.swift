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
    /// The protocol spoken, once the handshake has chosen it; nil: the other one, or none yet.
    var http1: HTTP1Exchange?
    var http2: HTTP2ServerSession?
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
    var holdsInput: Bool { isAnswering || (tls?.keptCount ?? 0) > 0 }

    /// Whether input has to wait: an answer of HTTP/1.1 is under way, or requests wait behind it.
    /// HTTP/2 input always goes into its session at once.
    package var isAnswering: Bool { http1?.isAnswering ?? false }

    /// Requests of HTTP/2 whose answers are not complete yet: it holds back parts of them until the
    /// peer opens its window, and the kernel and we hold only the rest.
    var openRequests: Int { http2?.openRequests ?? 0 }

    /// Bytes of the answers under way that the kernel has not taken. Those of HTTP/2 that are not
    /// encrypted wait for a window, not for the link.
    var ownBytes: Int { unsent.count + (http1?.unencryptedCount ?? 0) }

    /// The session and its buffers are not needed any more.
    func dropSession() {
        http1 = nil
        http2 = nil
        tls = nil
    }

    /// Bytes of the peer's input that this connection holds.
    package var keptInputBytes: Int {
        (hello?.bytes.count ?? 0) + (tls?.keptCount ?? 0) + (http1?.kept.count ?? 0)
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
