@testable import HTTP

/// A server session whose peer is a test: frames in, frames out, answers as told.
final class ServerHarness: HTTP2ServerDelegate {
    let date = HTTPDate(unixSeconds: 784_111_777)
    let session: HTTP2ServerSession
    var now: UInt64 = 1_000_000_000
    var requests: [(stream: Int32, request: ParsedRequest)] = []
    var answer: (ParsedRequest) -> PreparedResponse?
    /// The size of the buffers that frames are gathered in.
    var bufferCount = 16_384
    /// Output that does not make a whole frame yet.
    private var partial: [UInt8] = []

    static let small = PreparedResponse(
        status: 200, fields: [("Content-Type", "application/json")], body: Array("{}".utf8))

    init(
        limits: FloodLimits = FloodLimits(),
        answer: @escaping (ParsedRequest) -> PreparedResponse? = { _ in ServerHarness.small }
    ) throws {
        self.answer = answer
        let settings = try HTTP2ServerSettings(limits: limits)
        session = try HTTP2ServerSession(settings: settings, date: date, now: now)
    }

    func session(
        _ session: HTTP2ServerSession, received request: RequestView, stream: HTTP2StreamID
    ) {
        let request = ParsedRequest(request)
        requests.append((stream, request))
        if let response = answer(request) {
            session.respond(stream: stream, with: response, now: now)
        }
    }

    func receive(_ octets: [UInt8]) {
        octets.withUnsafeBytes { session.receive($0, now: now, delegate: self) }
    }

    func receive(_ frames: RawFrame...) {
        receive(frames.flatMap(\.octets))
    }

    /// Preface and SETTINGS both ways.
    @discardableResult
    func open(_ settings: [(UInt16, UInt32)] = []) -> [RawFrame] {
        receive(RawFrame.preface + RawFrame.settings(settings).octets)
        let sent = sentFrames()
        receive(RawFrame(type: RawFrame.settings, flags: RawFrame.ack))
        return sent
    }

    func sentOctets() -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: bufferCount)
        while true {
            let count = buffer.withUnsafeMutableBytes { session.send(into: $0, now: now) }
            if count == 0 { return result }
            result += buffer.prefix(count)
        }
    }

    func sentFrames() -> [RawFrame] {
        let (frames, rest) = RawFrame.parse(partial + sentOctets())
        partial = rest
        return frames
    }
}

extension [RawFrame] {
    func of(_ type: UInt8) -> [RawFrame] { filter { $0.type == type } }
    var content: [UInt8] { of(RawFrame.data).flatMap(\.payload) }
    func content(of stream: UInt32) -> [UInt8] {
        of(RawFrame.data).filter { $0.stream == stream }.flatMap(\.payload)
    }
    var goAway: RawFrame? { of(RawFrame.goAway).first }
}
