import HTTP
import Reactor

/// One connection without TLS to an auxiliary listener. Requests are answered one after the other,
/// and nothing is read while an answer is under way.
final class AuxiliaryConnection {
    /// The time for a request and its answer together. A person may type the request with telnet.
    static let timeMaximum: Duration = .seconds(15)
    /// The time between two requests: longer than nginx keeps a connection to an upstream (60 s),
    /// so that the front closes the connection and no request crosses our close.
    static let idleTimeMaximum: Duration = .seconds(75)
    /// The time for the peer to take the last answer and to end the connection. If we close while
    /// input is unread, the kernel sends a reset, and the peer may lose the answer (RFC 9112
    /// section 9.6).
    static let lingerTimeMaximum: Duration = .seconds(2)
    /// Pipelined requests answered in one turn; the others wait for the next.
    static let requestsPerTurn = 16
    private static let pieceBytes = 4096
    /// How often a turn reads from a connection that ends: 256 KB.
    private static let piecesIgnoredPerTurn = 64

    enum Progress: Equatable {
        case waitsForInput
        case waitsForOutput
        case finished
    }

    private enum Phase {
        case request
        /// The service does not know the answer yet, and will be asked again.
        case waiting(isPatient: Bool, () -> AuxiliaryAnswer?)
        case answer(isLast: Bool)
        /// The last answer is sent; further input is discarded.
        case lingering
    }

    let token: SlotToken
    /// What the poller reports of it.
    var interest = Interest.read
    private let socket: Socket
    private var parser = HTTP1RequestParser()
    private var phase = Phase.request
    private var received: [UInt8] = []
    /// What is left to send of the answer.
    private var message: ArraySlice<UInt8> = []
    private(set) var deadline: MonotonicInstant
    /// When the connection was opened, or when its last answer was sent.
    private(set) var since: MonotonicInstant

    init(token: SlotToken, socket: consuming Socket, now: MonotonicInstant) {
        self.token = token
        self.socket = socket
        deadline = now + Self.timeMaximum
        since = now
    }

    var descriptor: Int32 { socket.raw }

    var awaitsAnswer: Bool { if case .waiting = phase { true } else { false } }

    /// How much would be lost with the connection. One with less is closed for a new one first.
    enum Claim: Int {
        case idle
        /// A request has begun to arrive, or waits for as long as the service likes.
        case request
        /// An answer is under way, or is waited for in patience.
        case answer
    }

    var claim: Claim {
        switch phase {
        case .request: received.isEmpty ? .idle : .request
        case .waiting(let isPatient, _): isPatient ? .answer : .request
        case .lingering: .idle
        case .answer: .answer
        }
    }

    var isUnderWay: Bool { claim != .idle }

    /// The listener ends: a request that crosses that is answered, but there is no long wait for
    /// one.
    func leave(now: MonotonicInstant) {
        if !isUnderWay { deadline = min(deadline, now + TerminationStateMachine.closingTime) }
    }

    /// Goes on after the poller reported readiness.
    ///
    /// - Parameter isLeaving: the listener ends, so the next answer is the last.
    func proceed(
        _ service: inout any AuxiliaryService, now: MonotonicInstant, isLeaving: Bool
    ) -> Progress {
        // Two steps for each request: to read it, and to send its answer.
        for _ in 0..<(2 * Self.requestsPerTurn) {
            switch phase {
            case .request:
                if let progress = receive(&service, now, isLeaving) { return progress }
            case .waiting(let isPatient, let answer):
                guard let answer = answer() else {
                    if isPatient { deadline = now + Self.timeMaximum }
                    return .waitsForInput
                }
                begin(answer)
            case .answer(let isLast):
                if let progress = send() { return progress }
                message = []
                phase = isLast ? .lingering : .request
                since = now
                let time = received.isEmpty ? Self.idleTimeMaximum : Self.timeMaximum
                deadline = now + (isLast ? Self.lingerTimeMaximum : time)
                if isLast { socket.shutdownWrite() }
            case .lingering: return ignoreInput()
            }
        }
        // The poller reports at once that the socket is writable, and the next turn continues.
        return .waitsForOutput
    }

    /// Reads until a request is there; nil: there is one, and the service has answered it.
    private func receive(
        _ service: inout any AuxiliaryService, _ now: MonotonicInstant, _ isLeaving: Bool
    ) -> Progress? {
        if !received.isEmpty, take(&service, isLeaving) { return nil }
        // At most the whole head in one turn, so that one peer cannot hold up the loop.
        for _ in 0...(HTTP1Limits().headBytes / Self.pieceBytes) {
            let isFirst = received.isEmpty
            if let progress = read() { return progress }
            if isFirst { deadline = now + Self.timeMaximum }
            if take(&service, isLeaving) { return nil }
        }
        return .waitsForInput
    }

    /// Reads one piece, if there is any; nil: there was.
    private func read() -> Progress? {
        var outcome = IOOutcome.wouldBlock
        received += [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, count in
            outcome = socket.receive(into: UnsafeMutableRawBufferPointer(buffer))
            if case .bytes(let read) = outcome { count = read }
        }
        switch outcome {
        case .bytes: return nil
        case .wouldBlock: return .waitsForInput
        case .endOfStream, .failed: return .finished
        }
    }

    /// Whether the service was asked: the received bytes are a request, or can never become one. It
    /// is asked in both cases: an association path gets no 4xx, however it is asked for.
    private func take(_ service: inout any AuxiliaryService, _ isLeaving: Bool) -> Bool {
        var used = 0
        let answer = received.withUnsafeBytes { bytes -> AuxiliaryAnswer? in
            var asked: RequestView?
            switch parser.parse(bytes) {
            case .needMore: return nil
            case .reject:
                asked = parser.unreadable(in: bytes)
                used = bytes.count
            case .request(let request, let consumed):
                asked = request
                used = consumed
            }
            guard var asked else { return nil }
            if isLeaving { asked.wantsClose = true }
            return service.answer(asked)
        }
        guard let answer else { return false }
        received.removeFirst(used)
        begin(answer)
        return true
    }

    private func begin(_ answer: AuxiliaryAnswer) {
        switch answer {
        case .message(let bytes, let isLast):
            message = bytes[...]
            phase = .answer(isLast: isLast)
        case .later(let isPatient, let answer):
            phase = .waiting(isPatient: isPatient, answer)
        }
    }

    /// Nil when the kernel has the whole message.
    private func send() -> Progress? {
        while !message.isEmpty {
            switch message.withUnsafeBytes({ socket.send($0) }) {
            case .bytes(let count): message.removeFirst(count)
            case .wouldBlock: return .waitsForOutput
            case .endOfStream, .failed: return .finished
            }
        }
        return nil
    }

    private func ignoreInput() -> Progress {
        for _ in 0..<Self.piecesIgnoredPerTurn {
            received = []
            if let progress = read() { return progress }
        }
        return .waitsForInput
    }
}
