import Glibc
import HTTP
import OpenSSL
import Reactor

/// A TLS client for tests, one call after the other; every wait is guarded by 30 s.
final class TestClient {
    struct Failure: Error, CustomStringConvertible { let description: String }

    static let associationPath = "/.well-known/apple-app-site-association"

    private let tls: TLSSession
    private let transport: TLSTransport
    var socket: Socket
    private var received: [UInt8] = []
    /// The server has said close_notify.
    private(set) var goAwaySubmitted = false
    /// The stream has ended with FIN.
    private(set) var ended = false
    /// It has ended with a reset.
    private(set) var wasReset = false

    static func context(
        _ protocols: [TLSApplicationProtocol], change: (inout TLSClientSettings) -> Void = { _ in }
    ) throws -> TLSContext {
        var settings = TLSClientSettings()
        settings.verification = .skipped
        settings.offer.protocols = protocols
        change(&settings)
        return try TLSContext(role: .client(settings), library: try TLSLibrary())
    }

    init(
        _ address: SocketAddress, name: String = "example.com",
        protocols: [TLSApplicationProtocol] = [.http11], handshakes: Bool = true,
        receiveBuffer: Int? = nil, change: (inout TLSClientSettings) -> Void = { _ in }
    ) throws {
        transport = try TLSTransport()
        tls = try TLSSession(
            context: try Self.context(protocols, change: change), serverName: name)
        socket = try Socket(for: address)
        if let receiveBuffer {
            var bytes = Int32(receiveBuffer)
            setsockopt(socket.raw, SOL_SOCKET, SO_RCVBUF, &bytes, 4)
        }
        if case .failed(let error) = socket.connect(to: address) { throw error }
        try wait(POLLOUT)
        if handshakes { try handshake() }
    }

    private func wait(_ events: Int32) throws {
        var item = pollfd(fd: socket.raw, events: Int16(events), revents: 0)
        guard poll(&item, 1, 30_000) > 0 else { throw Failure(description: "nothing in 30 s") }
    }

    func handshake() throws {
        while true {
            switch tls.handshake(transport) {
            case .done: return try flush()
            case .wantsInput:
                try flush()
                try receive()
                if ended || wasReset { throw Failure(description: "closed in the handshake") }
            case .failed(let failure): throw failure
            }
        }
    }

    var negotiated: TLSNegotiated { tls.negotiated }

    /// The first flight only: a ClientHello.
    func sendHello() throws {
        _ = tls.handshake(transport)
        try flush()
    }

    /// The same in parts, as a network with small segments delivers it.
    func sendHello(inParts count: Int) throws {
        _ = tls.handshake(transport)
        let hello = Array(transport.output)
        transport.clearOutput()
        let size = (hello.count + count - 1) / count
        for start in stride(from: 0, to: hello.count, by: size) {
            let part = hello[start..<min(start + size, hello.count)]
            guard case .bytes(part.count) = part.withUnsafeBytes({ socket.send($0) }) else {
                throw Failure(description: "a part was not sent whole")
            }
            usleep(100_000)
        }
    }

    func flush() throws {
        var rest = Array(transport.output)[...]
        transport.clearOutput()
        while !rest.isEmpty {
            switch rest.withUnsafeBytes({ socket.send($0) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: try wait(POLLOUT)
            case .endOfStream: return
            case .failed:
                wasReset = true
                return
            }
        }
    }

    func send(_ bytes: [UInt8]) throws {
        _ = bytes.withUnsafeBytes { tls.write($0, transport) }
        try flush()
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func sendRaw(_ bytes: [UInt8]) throws { _ = bytes.withUnsafeBytes { socket.send($0) } }

    /// The first bytes that come, as they are sent.
    func rawBytes(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try wait(POLLIN)
        let result = bytes.withUnsafeMutableBytes { socket.receive(into: $0) }
        if case .bytes(let received) = result { return Array(bytes[..<received]) }
        return []
    }

    private func receive() throws {
        try wait(POLLIN)
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 16) { buffer in
            switch socket.receive(into: buffer) {
            case .bytes(let count):
                transport.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                readPlaintext()
            case .endOfStream: ended = true
            case .wouldBlock: break
            case .failed: wasReset = true
            }
        }
    }

    private func readPlaintext() {
        defer { tls.keepUnread(transport) }
        if !tls.isHandshakeDone { return }
        withUnsafeTemporaryAllocation(byteCount: 32_768, alignment: 16) { buffer in
            while true {
                switch tls.read(into: buffer, transport) {
                case .bytes(let count): received += buffer[..<count]
                case .wantsInput: return
                case .closedByPeer:
                    goAwaySubmitted = true
                    return
                case .failed: return
                }
            }
        }
    }

    /// Some more plaintext, or an end.
    func readMore() throws {
        if !ended && !wasReset {
            readPlaintext()
            try receive()
        }
    }

    /// Everything until the stream ends.
    func readToEnd() throws -> [UInt8] {
        while !ended && !wasReset { try readMore() }
        return take()
    }

    func take() -> [UInt8] {
        defer { received = [] }
        return received
    }

    /// The next response.
    func response(toHead: Bool = false) throws -> (status: Int, head: String, body: [UInt8]) {
        var parser = HTTP1ResponseParser(answersHead: toHead)
        readPlaintext()
        while true {
            // The parser counts what is behind the response; it is the next one's beginning.
            let bytes = take()
            let before = parser.surplus
            bytes.withUnsafeBytes { _ = parser.receive($0) }
            let surplus = parser.surplus - before
            if surplus > 0 { received = Array(bytes.suffix(surplus)) }
            switch parser.state {
            case .complete:
                guard let head = parser.head else { throw Failure(description: "no head") }
                return (head.status, "\(head)", parser.body)
            case .failed(let fault): throw Failure(description: "\(fault)")
            case .needsMore:
                if ended || wasReset { throw Failure(description: "ended without a response") }
                try readMore()
            }
        }
    }

    func get(
        _ path: String = TestClient.associationPath, host: String = "example.com",
        fields: String = ""
    ) throws -> (status: Int, head: String, body: [UInt8]) {
        try send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n")
        return try response()
    }

    func shutdownWrite() { socket.shutdownWrite() }

    func abort() {
        socket.abortOnClose()
        socket.close()
    }
}
