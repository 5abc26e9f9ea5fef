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
protocol StormExchange: AnyObject {
    /// Returns and clears the bytes to send.
    func output() -> [UInt8]
    /// Processes plaintext; returns the outcome once the response is complete or invalid.
    func receive(_ bytes: UnsafeRawBufferPointer) -> DeviceOutcome?
    /// The connection ended.
    func endOfStream() -> DeviceOutcome
    /// The status, once known.
    var status: Int? { get }
    /// What came with the response.
    var content: StormContent { get }
    /// The first value of Content-Type.
    var type: String? { get }
    /// The values of Content-Encoding.
    var codings: [String] { get }
}

/// A device's request and its answer over HTTP/1.1.
final class StormHTTP1Exchange: StormExchange {
    private var unsent: [UInt8]
    private var parser = HTTP1ResponseParser(bodyMaximum: StormContent.bytesMaximum)
    private(set) var content: StormContent

    /// - Parameter expected: the content that the answer will probably have.
    init(_ request: StormRequest, expected: [UInt8] = []) {
        unsent = request.head
        content = StormContent(known: expected)
    }

    func output() -> [UInt8] {
        defer { unsent = [] }
        return unsent
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> DeviceOutcome? {
        let state = parser.receive(bytes)
        parser.takeBody().withUnsafeBytes { content.append($0) }
        return outcome(of: state)
    }

    func endOfStream() -> DeviceOutcome {
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
final class StormHTTP2Exchange: StormExchange {
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

    func endOfStream() -> DeviceOutcome { .failed(.cut) }

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
