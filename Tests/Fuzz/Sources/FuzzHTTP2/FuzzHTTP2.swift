import HTTP

/// Bytes of a peer into HTTP/2 sessions. The first byte says into a server's or a client's, raw or
/// as frames whose lengths are put right, in what pieces, and with which limits.
///
/// Frames are written as type, flags, stream, length (2 octets), payload, so that a mutation of
/// the payload leaves the framing whole.
func fuzzHTTP2(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let how = start[0]
    let input = UnsafeBufferPointer(start: start, count: count).dropFirst()
    let isFramed = how & 1 != 0
    let bytes = isFramed ? frames(Array(input)) : Array(input)
    let piece = [1, 9, 100, 16_384][Int(how >> 6)]
    if how & 2 == 0 {
        serve(bytes, opened: how & 4 != 0 || isFramed, limited: how & 8 == 0, piece: piece)
    } else {
        ask(bytes, piece: piece)
    }
    return 0
}

private func frames(_ input: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = input[...]
    while rest.count >= 5 {
        let head = Array(rest.prefix(5))
        let length = min(Int(head[3]) << 8 | Int(head[4]), rest.count - 5)
        result += [0, UInt8(length >> 8), UInt8(length & 255), head[0], head[1], 0, 0, 0, head[2]]
        result += rest.dropFirst(5).prefix(length)
        rest = rest.dropFirst(5 + length)
    }
    return result
}

/// Answers by the length of the path: at once, late, small, large, not at all.
private final class Responder: HTTP2ServerDelegate {
    static let small = PreparedResponse(
        status: 200, fields: [("Content-Type", "application/json")], body: [0x7B, 0x7D])
    static let large = PreparedResponse(
        status: 503, fields: [], body: Array(repeating: 0x61, count: 40_000))

    var late: [HTTP2StreamID] = []
    var count = 0

    func session(
        _ session: HTTP2ServerSession, received request: RequestView, stream: HTTP2StreamID
    ) {
        count += 1
        var sum = request.target.reduce(0) { $0 &+ Int($1) }
        for part in [request.methodName, request.authority, request.userAgent] {
            sum &+= part?.reduce(0) { $0 &+ Int($1) } ?? 0
        }
        switch (request.path.count &+ sum) % 5 {
        case 0: late.append(stream)
        case 1: break
        case 2: session.respond(stream: stream, with: Self.large, now: 0)
        default: session.respond(stream: stream, with: Self.small, now: 0)
        }
    }
}

extension FloodLimits {
    /// No limits but those of the protocol.
    static var none: FloodLimits {
        var limits = FloodLimits()
        limits.requestsPerConnection = nil
        limits.bytes = .max
        limits.frames = .max
        limits.settings = .max
        limits.pings = .max
        limits.resets = .max
        limits.provokedResets = .max
        limits.continuations = .max
        return limits
    }
}

/// The product's limits, but for one that an input of some KiB would not reach.
private let limits = {
    var limits = FloodLimits()
    limits.requestsPerConnection = 16
    return limits
}()

nonisolated(unsafe) private let serverSettings: [HTTP2ServerSettings] = {
    var unlimited = FloodLimits.none
    unlimited.concurrentStreams = 20
    do {
        return [
            try HTTP2ServerSettings(limits: limits), try HTTP2ServerSettings(limits: unlimited),
        ]
    } catch { fatalError("\(error)") }
}()

private func serve(_ bytes: [UInt8], opened: Bool, limited: Bool, piece: Int) {
    let date = HTTPDate(unixSeconds: 0)
    let responder = Responder()
    guard
        let session = try? HTTP2ServerSession(
            settings: serverSettings[limited ? 0 : 1], date: date, now: 0)
    else { return }
    var now: UInt64 = 0
    var output: [UInt8] = []
    if opened {
        let opening = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
        opening.withUnsafeBytes { session.receive($0, now: now, delegate: responder) }
    }
    var buffer = [UInt8](repeating: 0, count: 1000)
    func drain() {
        while true {
            let count = buffer.withUnsafeMutableBytes { session.send(into: $0, now: now) }
            if count == 0 { break }
            output += buffer.prefix(count)
        }
        precondition(!session.wantsSend, "says it has something to send and sends nothing")
    }
    var rest = bytes[...]
    while !rest.isEmpty {
        Array(rest.prefix(piece)).withUnsafeBytes {
            session.receive($0, now: now, delegate: responder)
        }
        rest = rest.dropFirst(piece)
        now += 1_000_000
        drain()
        if let stream = responder.late.popLast() {
            session.respond(stream: stream, with: Responder.large, now: now)
        }
    }
    drain()
    let requestLimit = limited ? limits.requestsPerConnection : nil
    precondition(responder.count <= requestLimit ?? .max, "more requests than the limit")
    precondition(session.requestCount - session.openRequests <= responder.count)
    // A deadline that has passed ends the session, or another one comes later: no timer stays due.
    var passed: UInt64 = 0
    while !session.isFinished, let deadline = session.deadline {
        precondition(deadline > passed, "a deadline that has passed stays")
        passed = deadline
        session.deadlinePassed(now: deadline)
        drain()
        precondition(!session.isFinished || session.closeReason == .stalled)
    }
    session.drain()
    drain()
    checkFrames(output)
}

/// What we send is whole frames, with nothing behind a GOAWAY but what nghttp2 owes.
private func checkFrames(_ output: [UInt8]) {
    var rest = output[...]
    while !rest.isEmpty {
        precondition(rest.count >= 9, "half a frame")
        let head = Array(rest.prefix(9))
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        precondition(length <= 16_384 && rest.count >= 9 + length, "half a frame")
        precondition(head[3] <= 9, "not a frame of ours")
        rest = rest.dropFirst(9 + length)
    }
}

nonisolated(unsafe) private let clientSettings: HTTP2ClientSettings = {
    do { return try HTTP2ClientSettings(bodyMaximum: 10_000) } catch { fatalError("\(error)") }
}()

private func ask(_ bytes: [UInt8], piece: Int) {
    guard let session = try? HTTP2ClientSession(settings: clientSettings) else { return }
    let fields = [(":method", "GET"), (":scheme", "https"), (":path", "/"), (":authority", "x")]
        .map { HTTPField(name: $0.0, value: $0.1) }
    for _ in 0..<3 { _ = try? session.request(fields) }
    var buffer = [UInt8](repeating: 0, count: 500)
    var rest = bytes[...]
    var outcomes = 0
    while true {
        while buffer.withUnsafeMutableBytes({ session.send(into: $0) }) > 0 {}
        if rest.isEmpty { break }
        Array(rest.prefix(piece)).withUnsafeBytes { session.receive($0) }
        rest = rest.dropFirst(piece)
        for event in session.takeEvents() {
            switch event {
            case .response(_, let response):
                precondition(response.bodyCount <= 10_000)
                outcomes += 1
            case .reset, .tooLarge: outcomes += 1
            case .goAway, .violation: break
            }
        }
    }
    precondition(outcomes <= 3, "more outcomes than requests")
    session.close()
    while buffer.withUnsafeMutableBytes({ session.send(into: $0) }) > 0 {}
}
