import HTTP
import Reactor

/// One request and its response on an established connection.
struct Conversation {
    let connection: ClientConnection
    let request: ClientRequest
    let start: MonotonicInstant

    /// How many first bytes of a non-HTTP response are shown.
    private static let shownBytes = 60

    // MARK: - HTTP/1.1

    func speakHTTP1(_ exchange: inout ClientExchange) throws(ClientFailure) {
        var parser = HTTP1ResponseParser(
            answersHead: request.method == "HEAD", bodyMaximum: request.limits.body)
        var firstBytes: [UInt8] = []
        var received = 0
        var lastByte = Duration.zero
        defer {
            exchange.head = parser.head.map { ResponseHead($0) }
            exchange.body = parser.body
            exchange.surplus = parser.surplus
        }
        try connection.send(request.http1Bytes)
        while true {
            let phase = Self.phase(parser, received)
            let bytes: ArraySlice<UInt8>
            do throws(ClientFailure) {
                bytes = try connection.receive(phase)
            } catch {
                // A TLS error after the response began means that it was cut off.
                if case .tls = error, phase == .body { throw .closed(.body, missing: nil) }
                if error == .timeout(.body), isSilent(since: lastByte) {
                    exchange.stall = Self.stall(parser)
                }
                throw error
            }
            lastByte = MonotonicInstant.now() - start
            if exchange.timing.firstByte == nil, !bytes.isEmpty {
                exchange.timing.firstByte = lastByte
            }
            received += bytes.count
            firstBytes += bytes.prefix(max(0, Self.shownBytes - firstBytes.count))
            let state =
                bytes.isEmpty
                ? parser.endOfStream() : bytes.withUnsafeBytes { parser.receive($0) }
            switch state {
            case .needsMore: continue
            case .complete: return
            case .failed(let fault): throw Self.failure(fault, parser, phase, firstBytes, request)
            }
        }
    }

    private static func phase(_ parser: HTTP1ResponseParser, _ received: Int) -> ClientFailure.Phase
    {
        parser.head != nil ? .body : received > 0 ? .partialHead : .head
    }

    private func isSilent(since lastByte: Duration) -> Bool {
        ClientExchange.Stall.isSilent(since: lastByte, until: MonotonicInstant.now() - start)
    }

    private static func stall(_ parser: HTTP1ResponseParser) -> ClientExchange.Stall {
        let end: ClientExchange.Stall.End =
            switch parser.framing {
            case .length(let length): .length(missing: length - parser.bodyCount)
            case .chunked: .lastChunk
            case .untilClose, .none: .close
            }
        return ClientExchange.Stall(end: end, received: parser.bodyCount)
    }

    private static func failure(
        _ fault: HTTP1ResponseFault, _ parser: HTTP1ResponseParser, _ phase: ClientFailure.Phase,
        _ firstBytes: [UInt8], _ request: ClientRequest
    ) -> ClientFailure {
        switch fault {
        case .notHTTP: return .notHTTP(PeerText.printable(firstBytes))
        case .bodyTooLarge: return .tooLarge(request.limits.body)
        case .cutInHead: return .closed(phase, missing: nil)
        case .cutInBody:
            if case .length(let length) = parser.framing {
                return .closed(.body, missing: length - parser.bodyCount)
            }
            return .closed(.body, missing: nil)
        case .headTooLarge: return .headTooLarge(HTTP1ResponseParser.headBytes)
        case .invalidField, .invalidContentLength, .conflictingContentLength,
            .invalidChunk, .tooManyInterim:
            return .badFraming(fault.explanation)
        }
    }

    // MARK: - HTTP/2

    func speakHTTP2(_ exchange: inout ClientExchange) throws(ClientFailure) {
        let session: HTTP2ClientSession
        let stream: HTTP2StreamID
        let settings: HTTP2ClientSettings
        do {
            settings = try HTTP2ClientSettings(bodyMaximum: request.limits.body)
            session = try HTTP2ClientSession(settings: settings)
            stream = try session.request(fields)
        } catch {
            throw .local(error.description)
        }
        var output = [UInt8](repeating: 0, count: 16 * 1024)
        var lastByte = Duration.zero
        while true {
            while case let count = output.withUnsafeMutableBytes({ session.send(into: $0) }),
                count > 0
            {
                try connection.send(Array(output[..<count]))
            }
            // The server's settings are no answer yet.
            let begun = session.contentReceived(of: stream)
            let phase = begun == nil ? ClientFailure.Phase.head : .body
            let bytes: ArraySlice<UInt8>
            do throws(ClientFailure) {
                bytes = try connection.receive(phase)
            } catch {
                if let begun, error == .timeout(.body), isSilent(since: lastByte) {
                    exchange.stall = ClientExchange.Stall(end: .endStream, received: begun)
                }
                throw error
            }
            if bytes.isEmpty { throw .closed(phase, missing: nil) }
            lastByte = MonotonicInstant.now() - start
            if exchange.timing.firstByte == nil { exchange.timing.firstByte = lastByte }
            bytes.withUnsafeBytes { session.receive($0) }
            for event in session.takeEvents() {
                switch event {
                case .response(_, let response):
                    exchange.head = ResponseHead(response)
                    exchange.body = response.body
                    session.close()
                    if case let count = output.withUnsafeMutableBytes({ session.send(into: $0) }),
                        count > 0
                    {
                        // The response is complete even if the peer is already gone.
                        try? connection.send(Array(output[..<count]))
                    }
                    return
                case .reset(_, let code): throw .http2("the stream was reset with \(code)")
                case .tooLarge(_, let isHead):
                    throw isHead
                        ? .headTooLarge(settings.headBytes) : .tooLarge(request.limits.body)
                case .goAway(_, let code, let data):
                    if code != .noError {
                        let reason = data.isEmpty ? "" : ": " + PeerText.printable(data)
                        throw .http2("the server ended the connection with \(code)\(reason)")
                    }
                case .violation(let text): throw .http2(text)
                }
            }
            if session.isFinished { throw .http2("the server ended the connection") }
        }
    }

    private var fields: [HTTPField] {
        let pseudo = [
            HTTPField(name: ":method", value: request.method),
            HTTPField(name: ":scheme", value: request.security.isTLS ? "https" : "http"),
            HTTPField(name: ":authority", value: request.authority),
            HTTPField(name: ":path", value: request.target),
        ]
        return pseudo
            + request.fields.map { HTTPField(name: $0.name.lowercased(), value: $0.value) }
    }
}

extension ResponseHead {
    init(_ head: HTTP1ResponseHead) {
        let lines = head.raw.split(separator: UInt8(ascii: "\n")).map { line in
            PeerText.printable(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
        self.init(
            lines: lines.filter { !$0.isEmpty }, status: head.status,
            reason: PeerText.printable(head.reason),
            fields: head.fields.map {
                HTTPField(name: PeerText.printable($0.name), value: PeerText.printable($0.value))
            }, hasNUL: head.raw.contains(0))
    }

    init(_ response: HTTP2Response) {
        let fields = response.fields.map {
            HTTPField(name: PeerText.printable($0.name), value: PeerText.printable($0.value))
        }
        self.init(
            lines: ["HTTP/2 \(response.status)"] + fields.map { "\($0.name): \($0.value)" },
            status: response.status, reason: "", fields: fields)
    }
}
