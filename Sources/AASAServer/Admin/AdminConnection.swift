import HTTP
import Reactor

/// A request to the admin listener, as far as its answer depends on it.
package struct AdminRequest {
    package let method: String
    /// As sent, with its query.
    package let target: String
    package let path: String
    package let authority: String?
    package let authorization: [UInt8]?
    package let accept: [UInt8]?

    init(_ request: RequestView) {
        method = String(decoding: request.methodName, as: UTF8.self)
        target = String(decoding: request.target, as: UTF8.self)
        path = String(decoding: request.path, as: UTF8.self)
        authority = request.authority.map { String(decoding: $0, as: UTF8.self) }
        authorization = request.authorization.map { Array($0) }
        accept = request.accept.map { Array($0) }
    }
}

/// One connection to the admin listener: one request, one answer, the end.
struct AdminConnection: ~Copyable {
    /// A request head is small here; a browser's is about 1 KB.
    static let headBytesMaximum = 8192
    /// For the request and for the answer together. Somebody may type it with telnet.
    static let timeMaximum: Duration = .seconds(15)

    enum Progress: Equatable {
        case waitsForInput
        case waitsForOutput
        case finished
    }

    private var socket: Socket
    private var parser = HTTP1RequestParser()
    private var received: [UInt8] = []
    private var answer: [UInt8] = []
    private var sent = 0
    let deadline: MonotonicInstant

    init(socket: consuming Socket, now: MonotonicInstant) {
        self.socket = socket
        deadline = now + Self.timeMaximum
    }

    var descriptor: Int32 { socket.raw }

    /// Whether it has not asked yet: it gives way to whoever comes, the oldest first.
    var isSilent: Bool { answer.isEmpty }

    /// Goes on after the poller reported readiness.
    mutating func proceed(
        _ respond: (AdminRequest) -> AdminResponder.Response
    ) -> Progress {
        if answer.isEmpty {
            switch receive(respond) {
            case .finished: return .finished
            case .waitsForInput: return .waitsForInput
            case .waitsForOutput: break
            }
        }
        return send()
    }

    private mutating func receive(
        _ respond: (AdminRequest) -> AdminResponder.Response
    ) -> Progress {
        var piece: [UInt8] = Array(repeating: 0, count: 4096)
        // At most the whole head in one turn: every loop has a limit.
        for _ in 0...(Self.headBytesMaximum / piece.count) {
            let outcome = piece.withUnsafeMutableBytes { socket.receive(into: $0) }
            switch outcome {
            case .bytes(let count): received += piece[..<count]
            case .wouldBlock: return .waitsForInput
            case .endOfStream, .failed: return .finished
            }
            let parsed = received.withUnsafeBytes { bytes -> AdminResponder.Response? in
                switch parser.parse(bytes) {
                case .needMore:
                    return bytes.count < Self.headBytesMaximum ? nil : .badRequest
                case .reject: return .badRequest
                case .request(let request, _):
                    headOnly = request.method == .head
                    return request.fault?.isMalformed == true
                        ? .badRequest : respond(AdminRequest(request))
                }
            }
            if let parsed {
                answer = parsed.serialized(headOnly: headOnly)
                return .waitsForOutput
            }
        }
        return .waitsForInput
    }

    private var headOnly = false

    private mutating func send() -> Progress {
        while sent < answer.count {
            let outcome = answer.withUnsafeBytes {
                socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...]))
            }
            switch outcome {
            case .bytes(let count): sent += count
            case .wouldBlock: return .waitsForOutput
            case .endOfStream, .failed: return .finished
            }
        }
        // The peer reads to the end of the stream; what it still sends is nobody's.
        socket.shutdownWrite()
        return .finished
    }
}

extension AdminResponder.Response {
    static let badRequest = AdminResponder.Response(
        status: 400,
        fields: [Field(name: "Content-Type", value: "text/plain; charset=utf-8")],
        body: Array("no request could be read\n".utf8))
}
