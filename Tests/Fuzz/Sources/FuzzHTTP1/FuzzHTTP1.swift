import HTTP

/// Bytes of a peer into the HTTP/1 parsers. The first byte says into which, and in what pieces: a
/// message has to mean the same whatever pieces it arrives in.
func fuzzHTTP1(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let how = start[0]
    let bytes = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
    let piece = [1, 2, 3, 7, 64, 1000, 8191, 100_000][Int(how >> 5)]
    if how & 1 == 0 {
        let whole = requests(bytes, piece: max(bytes.count, 1))
        precondition(requests(bytes, piece: piece) == whole, "pieces change the meaning")
    } else {
        let isHead = how & 2 != 0
        let whole = response(bytes, piece: max(bytes.count, 1), isHead: isHead)
        precondition(
            response(bytes, piece: piece, isHead: isHead) == whole, "pieces change the meaning")
    }
    return 0
}

/// What a pipeline of requests amounts to.
private struct Seen: Equatable {
    var texts: [String] = []
    var rejection: RejectReason?
}

private func requests(_ bytes: [UInt8], piece: Int) -> Seen {
    var seen = Seen()
    var parser = HTTP1RequestParser()
    var buffer: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        buffer += rest.prefix(piece)
        rest = rest.dropFirst(piece)
        parsing: while !buffer.isEmpty {
            // A copy of exactly the right size: a read beyond it is seen by the sanitizer.
            let view = Array(buffer)
            var consumed = 0
            var isLast = false
            view.withUnsafeBytes { raw in
                switch parser.parse(raw) {
                case .needMore: break
                case .request(let request, let taken):
                    precondition(taken > 0 && taken <= raw.count)
                    seen.texts.append(text(request))
                    consumed = taken
                    isLast = request.wantsClose
                case .reject(let reason):
                    precondition(!reason.isAnswered)
                    seen.rejection = reason
                    isLast = true
                }
            }
            if isLast { return seen }
            if consumed == 0 { break parsing }
            buffer.removeFirst(consumed)
        }
    }
    return seen
}

private func text(_ request: RequestView) -> String {
    precondition(request.fault == nil || request.wantsClose)
    precondition(request.path.count <= request.target.count)
    for octet in request.target { precondition(octet > 0x20 && octet != 0x7F) }
    for octet in request.authority.map(Array.init) ?? [] {
        precondition(octet >= 0x20 || octet == 9)
    }
    let parts: [UnsafeRawBufferPointer?] = [
        request.methodName, request.target, request.path, request.authority, request.userAgent,
    ]
    return parts.map { $0.map { String(decoding: $0, as: UTF8.self) } ?? "-" }
        .joined(separator: "|")
        + "\(request.method) \(request.version) \(request.hasBody) \(request.wantsClose) "
        + "\(request.fault?.rawValue ?? "")"
}

private struct Answer: Equatable {
    var state: HTTP1ResponseParser.State
    var head: HTTP1ResponseHead?
    var framing: HTTP1ResponseParser.Framing
    var body: [UInt8]
    var surplus: Int
}

private func response(_ bytes: [UInt8], piece: Int, isHead: Bool) -> Answer {
    var parser = HTTP1ResponseParser(answersHead: isHead, bodyMaximum: 10_000)
    var rest = bytes[...]
    while !rest.isEmpty {
        Array(rest.prefix(piece)).withUnsafeBytes { _ = parser.receive($0) }
        rest = rest.dropFirst(piece)
    }
    let state = parser.endOfStream()
    precondition(state != .needsMore)
    precondition(parser.body.count == parser.bodyCount && parser.bodyCount <= 10_000)
    // What follows a fault is not told apart from what is behind the end.
    guard state == .complete else {
        return Answer(
            state: state, head: parser.head, framing: parser.framing, body: [], surplus: 0)
    }
    return Answer(
        state: state, head: parser.head, framing: parser.framing, body: parser.body,
        surplus: parser.surplus)
}
