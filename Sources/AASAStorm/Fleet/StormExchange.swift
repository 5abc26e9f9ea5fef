import AASADevice
import HTTP

/// The request of a device.
struct StormRequest: Sendable {
    /// For `Host` and `:authority`.
    let authority: String
    let path: String
    let userAgent: String
    /// The whole HTTP/1.1 head.
    let head: [UInt8]

    init(authority: String, path: String, userAgent: String) {
        self.authority = authority
        self.path = path
        self.userAgent = userAgent
        // As sent by swcd; the connection ends with the response, as for a phone.
        head = Array(
            ("GET \(path) HTTP/1.1\r\nHost: \(authority)\r\nAccept: */*\r\nAccept-Language: "
                + "en-us\r\nConnection: close\r\nUser-Agent: \(userAgent)\r\n\r\n").utf8)
    }
}

/// One request and its response on its own connection.
enum StormExchange {
    case http1(StormHTTP1Exchange)
    case http2(StormHTTP2Exchange)

    /// The largest body accepted: 32 times a device's limit.
    static let bodyMaximum = 4 << 20

    /// Returns and clears the bytes to send.
    mutating func output() -> [UInt8] {
        switch self {
        case .http1(var exchange):
            defer { self = .http1(exchange) }
            return exchange.output()
        case .http2(let exchange): return exchange.output()
        }
    }

    /// Processes plaintext; returns the outcome once the response is complete or invalid.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> DeviceOutcome? {
        switch self {
        case .http1(var exchange):
            defer { self = .http1(exchange) }
            return exchange.receive(bytes)
        case .http2(let exchange): return exchange.receive(bytes)
        }
    }

    /// The connection ended.
    mutating func endOfStream() -> DeviceOutcome {
        switch self {
        case .http1(var exchange):
            defer { self = .http1(exchange) }
            return exchange.endOfStream()
        case .http2: return .failed(.cut)
        }
    }

    /// The status, once known.
    var status: Int? {
        switch self {
        case .http1(let exchange): exchange.status
        case .http2(let exchange): exchange.status
        }
    }

    /// What came with the response.
    var content: StormContent {
        switch self {
        case .http1(let exchange): exchange.content
        case .http2(let exchange): exchange.content
        }
    }

    /// What the verdict about the content depends on.
    func question(_ era: Era) -> ContentVerdicts.Question {
        switch self {
        case .http1(let exchange):
            ContentVerdicts.Question(era: era, type: exchange.type, codings: exchange.codings)
        case .http2(let exchange):
            ContentVerdicts.Question(era: era, type: exchange.type, codings: exchange.codings)
        }
    }
}

/// A device's request and its answer over HTTP/1.1.
struct StormHTTP1Exchange {
    private var unsent: [UInt8]
    private var parser = HTTP1ResponseParser(bodyMaximum: StormExchange.bodyMaximum)
    private(set) var content: StormContent

    /// - Parameter expected: the content that the answer will probably have.
    init(_ request: StormRequest, expected: [UInt8] = []) {
        unsent = request.head
        content = StormContent(known: expected)
    }

    mutating func output() -> [UInt8] {
        defer { unsent = [] }
        return unsent
    }

    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> DeviceOutcome? {
        let state = parser.receive(bytes)
        parser.takeBody().withUnsafeBytes { content.append($0) }
        return outcome(of: state)
    }

    mutating func endOfStream() -> DeviceOutcome {
        let state = parser.endOfStream()
        return outcome(of: state) ?? .failed(.cut)
    }

    var status: Int? { parser.head?.status }
    var type: String? { parser.head?.values(of: "content-type").first }
    var codings: [String] { parser.head?.values(of: "content-encoding") ?? [] }

    private func outcome(of state: HTTP1ResponseParser.State) -> DeviceOutcome? {
        switch state {
        case .needsMore: nil
        case .failed(.cutInHead), .failed(.cutInBody): .failed(.cut)
        case .failed: .failed(.badAnswer)
        case .complete: parser.head.map { DeviceOutcome(status: $0.status) } ?? .failed(.badAnswer)
        }
    }
}

/// A device's request and its answer over HTTP/2.
final class StormHTTP2Exchange {
    /// Bytes of the initial frames: preface, SETTINGS, WINDOW_UPDATE and HEADERS are below 1 KB.
    private static let frameBytes = 4096

    private let session: HTTP2ClientSession
    private(set) var status: Int?
    private(set) var content: StormContent
    private var fields: [HTTPField] = []

    /// - Parameter expected: the content that the answer will probably have.
    init(
        _ request: StormRequest, _ settings: HTTP2ClientSettings, expected: [UInt8] = []
    ) throws {
        session = try HTTP2ClientSession(settings: settings)
        content = StormContent(known: expected)
        session.contentSink = { [unowned self] in content.append($0) }
        _ = try session.request([
            HTTPField(name: ":method", value: "GET"),
            HTTPField(name: ":scheme", value: "https"),
            HTTPField(name: ":authority", value: request.authority),
            HTTPField(name: ":path", value: request.path),
            HTTPField(name: "accept", value: "*/*"),
            HTTPField(name: "user-agent", value: request.userAgent),
        ])
    }

    var type: String? { fields.first { $0.name == "content-type" }?.value }
    var codings: [String] { fields.filter { $0.name == "content-encoding" }.map(\.value) }

    func output() -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = [UInt8](unsafeUninitializedCapacity: Self.frameBytes) { buffer, count in
                count = session.send(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> DeviceOutcome? {
        session.receive(bytes)
        for event in session.takeEvents() {
            switch event {
            case .response(_, let response):
                status = response.status
                fields = response.fields
                return DeviceOutcome(status: response.status)
            case .reset: return .failed(.reset)
            case .tooLarge, .violation: return .failed(.badAnswer)
            // A stream at or below `lastStream` is still answered; ours is the first.
            case .goAway(let last, _, _): if last < 1 { return .failed(.cut) }
            case .settings: continue
            }
        }
        return nil
    }
}

extension DeviceOutcome {
    /// The outcome of a complete response with this status; the content of a 200 is still to be
    /// read (``ContentVerdicts``).
    init(status: Int) {
        switch status {
        case 200: self = .associated
        case 300...499: self = .denied(.refused)
        case 500...599: self = .willRetry
        default: self = .failed(.badAnswer)
        }
    }
}
