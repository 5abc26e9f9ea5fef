import Glibc
package import OpenSSL
import Reactor
import Synchronization

/// A request as a fault server reads it: the head's lines.
package struct FaultRequest: Sendable {
    package let head: String
    /// As much content as `Content-Length` says.
    package var body: [UInt8] = []
    package let tlsVersion: TLSVersion?
    package let isHTTP2: Bool

    package var method: Substring { head.prefix { $0 != " " } }
    package var path: Substring { head.dropFirst(method.count + 1).prefix { $0 != " " } }
    package var isWellKnown: Bool { path.hasPrefix("/.well-known/apple-app-site-association") }

    package func field(_ name: String) -> String? {
        for line in head.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                return parts[1].drop { $0 == " " }.description
            }
        }
        return nil
    }

    package var agent: String { field("User-Agent") ?? "" }
}

/// What a fault server does about a request.
package enum FaultAnswer: Sendable {
    /// Bytes, then an orderly end.
    case send([UInt8])
    /// Bytes, then a reset of the connection.
    case sendAndReset([UInt8])
    /// Nothing, until the client has gone.
    case silence
    /// Bytes, then nothing until the client has gone.
    case sendAndWait([UInt8])
    /// Waits, then answers.
    case late(milliseconds: UInt32, [UInt8])
    /// Pieces, with a wait before each, then an orderly end.
    case pieces([[UInt8]], milliseconds: UInt32)
    /// The same bytes again and again.
    case endless(head: [UInt8], [UInt8])

    /// An answer with a correct head around the body.
    package static func http(
        _ status: String, _ fields: [String] = [], _ body: String = "",
        type: String? = "application/json"
    ) -> FaultAnswer {
        .send(bytes(status, fields, Array(body.utf8), type: type))
    }

    package static func bytes(
        _ status: String, _ fields: [String], _ body: [UInt8], type: String? = "application/json"
    ) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status)"]
        if let type { lines.append("Content-Type: \(type)") }
        if !fields.contains(where: { $0.hasPrefix("Content-Length") || $0.hasPrefix("Transfer") }) {
            lines.append("Content-Length: \(body.count)")
        }
        lines += fields + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8) + body
    }
}

/// What a fault server does before any request.
package enum FaultHandshake: Sendable {
    case proper
    /// Plain HTTP where TLS is expected.
    case plainHTTP
    case noise
    case close
    case reset
    case silence
    /// These bytes in answer to the ClientHello, such as an alert.
    case bytes([UInt8])
    /// Takes note of the whole ClientHello and closes.
    case record(@Sendable ([UInt8]) -> Void)
    /// As a box that looks for a ClientHello in so many first bytes, and closes without one.
    case firstBytes(Int)
}

/// A server that does one thing wrong; a thread for each connection, as the prober makes them side
/// by side.
package final class FaultServer: Sendable {
    package let port: UInt16
    private let stopping: Stopping

    private final class Stopping: Sendable {
        let flag = Atomic<Bool>(false)
    }

    /// - Parameter tls: nil for plain HTTP (a stand-in of Apple's CDN).
    package init(
        tls: TLSServerSettings?, handshake: FaultHandshake = .proper,
        answer: @escaping @Sendable (FaultRequest) -> FaultAnswer
    ) throws {
        let listener = try ListeningSocket(
            on: .v4(0x7F00_0001, port: 0), backlog: 64, sharesPort: false)
        port = listener.address.port
        let stopping = Stopping()
        self.stopping = stopping
        let serving = Serving(tls: tls, handshake: handshake, answer: answer)
        let raw = Self.release(consume listener)
        _ = try WorkerThread(name: "fault") {
            defer { close(raw) }
            while !stopping.flag.load(ordering: .relaxed) {
                var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 20) > 0 else { continue }
                let connection = accept(raw, nil, nil)
                guard connection >= 0 else { continue }
                let serve: @Sendable () -> Void = {
                    serving.serve(connection)
                    close(connection)
                }
                if (try? WorkerThread(name: "fault-line", serve)) == nil { close(connection) }
            }
        }
    }

    private static func release(_ listener: consuming ListeningSocket) -> Int32 {
        listener.release()
    }

    deinit { stopping.flag.store(true, ordering: .relaxed) }
}

/// The work of a fault server's thread, with blocking sockets.
private final class Serving: Sendable {
    let tls: TLSServerSettings?
    let handshake: FaultHandshake
    let answer: @Sendable (FaultRequest) -> FaultAnswer
    let context: TLSContext?

    init(
        tls: TLSServerSettings?, handshake: FaultHandshake,
        answer: @escaping @Sendable (FaultRequest) -> FaultAnswer
    ) {
        self.tls = tls
        self.handshake = handshake
        self.answer = answer
        context = tls.flatMap { settings in
            (try? TLSLibrary()).flatMap { try? TLSContext(role: .server(settings), library: $0) }
        }
    }

    func serve(_ raw: Int32) {
        // A client that hangs must not hold up the suite.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(raw, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(raw, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let line = FaultLine(raw)
        switch handshake {
        case .proper: break
        case .plainHTTP:
            _ = line.receiveRaw()
            line.sendRaw(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8))
            return
        case .noise:
            _ = line.receiveRaw()
            line.sendRaw(Array("SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n".utf8))
            return
        case .bytes(let bytes):
            _ = line.receiveRaw()
            line.sendRaw(bytes)
            line.finish()
            return
        case .record(let note):
            var hello: [UInt8] = []
            while ClientHello(hello) == nil, case let more = line.receiveBytes(), !more.isEmpty {
                hello += more
            }
            note(hello)
            return
        case .firstBytes(let count):
            var first = [UInt8](repeating: 0, count: count)
            let peeked = recv(raw, &first, count, Int32(MSG_PEEK))
            guard peeked > 0, ClientHello(Array(first[..<peeked])) != nil else { return }
        case .close:
            _ = line.receiveRaw()
            return
        case .reset:
            _ = line.receiveRaw()
            line.reset()
            return
        case .silence:
            line.waitForEnd()
            return
        }
        if tls != nil {
            guard let context, line.secure(context) else { return }
        }
        guard let request = line.readRequest() else { return }
        act(answer(request), line)
    }

    private func act(_ answer: FaultAnswer, _ line: FaultLine) {
        switch answer {
        case .send(let bytes):
            line.send(bytes)
            line.finish()
        case .sendAndReset(let bytes):
            line.send(bytes)
            line.reset()
        case .silence: line.waitForEnd()
        case .sendAndWait(let bytes):
            line.send(bytes)
            line.waitForEnd()
        case .late(let milliseconds, let bytes):
            usleep(milliseconds * 1000)
            line.send(bytes)
            line.finish()
        case .pieces(let pieces, let milliseconds):
            for piece in pieces {
                usleep(milliseconds * 1000)
                line.send(piece)
            }
            line.finish()
        case .endless(let head, let bytes):
            line.send(head)
            while line.send(bytes) {}
        }
    }
}

/// One connection of a fault server.
private final class FaultLine {
    private let raw: Int32
    private var transport: TLSTransport?
    private var session: TLSSession?
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 16)

    init(_ raw: Int32) { self.raw = raw }

    deinit { buffer.deallocate() }

    func receiveRaw() -> Int { recv(raw, buffer.baseAddress, buffer.count, 0) }

    func receiveBytes() -> [UInt8] {
        let count = receiveRaw()
        return count > 0 ? Array(buffer[..<count]) : []
    }

    @discardableResult
    func sendRaw(_ bytes: [UInt8]) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    raw, $0.baseAddress?.advanced(by: offset), bytes.count - offset,
                    Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            offset += count
        }
        return true
    }

    private func flush() -> Bool {
        guard let transport else { return true }
        defer { transport.clearOutput() }
        return sendRaw(Array(transport.output))
    }

    func secure(_ context: TLSContext) -> Bool {
        guard let transport = try? TLSTransport(), let session = try? TLSSession(context: context)
        else { return false }
        self.transport = transport
        self.session = session
        while true {
            let count = receiveRaw()
            if count <= 0 { return false }
            transport.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            let step = session.handshake(transport)
            session.keepUnread(transport)
            guard flush() else { return false }
            switch step {
            case .done: return true
            case .failed: return false
            case .wantsInput: break
            }
        }
    }

    func readRequest() -> FaultRequest? {
        var head: [UInt8] = []
        let isHTTP2 = session?.negotiated.applicationProtocol == .http2
        while !isHTTP2 || head.isEmpty {
            guard let bytes = receive() else { return nil }
            head += bytes
            let text = String(decoding: head, as: UTF8.self)
            if text.contains("\r\n\r\n") { break }
        }
        let end = head.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? head.count
        var request = FaultRequest(
            head: String(decoding: head[..<end], as: UTF8.self),
            tlsVersion: session?.negotiated.version, isHTTP2: isHTTP2)
        request.body = Array(head[end...])
        if isHTTP2 { return request }
        let length = request.field("Content-Length").flatMap { Int($0) } ?? 0
        while request.body.count < length, let bytes = receive() { request.body += bytes }
        return request
    }

    private func receive() -> [UInt8]? {
        guard let session, let transport else {
            let count = receiveRaw()
            return count > 0 ? Array(buffer[..<count]) : nil
        }
        var plain = [UInt8](repeating: 0, count: 32_768)
        while true {
            let read = plain.withUnsafeMutableBytes { session.read(into: $0, transport) }
            session.keepUnread(transport)
            switch read {
            case .bytes(let count): return Array(plain[..<count])
            case .closedByPeer, .failed: return nil
            case .wantsInput:
                let count = receiveRaw()
                if count <= 0 { return nil }
                transport.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        guard let session, let transport else { return sendRaw(bytes) }
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + 32_768)
            let written = Array(bytes[offset..<end]).withUnsafeBytes {
                session.write($0, transport)
            }
            guard flush(), written else { return false }
            offset = end
        }
        return true
    }

    /// An orderly end: close_notify, FIN, and the client's last bytes read, so that no reset is
    /// sent.
    func finish() {
        if let session, let transport {
            session.closeNotify(transport)
            _ = flush()
        }
        shutdown(raw, Int32(SHUT_WR))
        waitForEnd()
    }

    func reset() {
        var off = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(raw, SOL_SOCKET, SO_LINGER, &off, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    func waitForEnd() {
        while receiveRaw() > 0 {}
    }
}
