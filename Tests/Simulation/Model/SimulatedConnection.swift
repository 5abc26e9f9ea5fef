import AASAServer
import HTTP
import Reactor

/// `Connection` of the server, with its real state machine; TLS and HTTP/2 as marks.
final class SimulatedConnection {
    let token: SlotToken
    let peer: Peer
    var machine: ConnectionStateMachine
    var exchange = SimulatedExchange.none
    /// The TLS session, once there is one.
    var tls: SimulatedTLS?
    var unsent: [Message] = []
    var unsentBytes = 0
    var isWatched = false
    var watchesOutput = false
    var armedFor = MonotonicInstant.distantFuture
    var countsAsHandshake = false
    var lingerBytes = 0
    var hello: SimulatedHello?
    var large: LargeAnswer?
    var givenBytes = 0
    var givenAt: MonotonicInstant
    var unseenBytes = 0
    var helloAt: MonotonicInstant
    /// Of one kind or another: processor time spent on it.
    var processorNanoseconds: Int64 = 0

    init(token: SlotToken, peer: Peer, times: ConnectionTimes, now: MonotonicInstant) {
        self.token = token
        self.peer = peer
        machine = ConnectionStateMachine(times: times, now: now)
        givenAt = now
        helloAt = now
    }

    var isOpen: Bool { machine.isOpen }

    /// Bytes of input that it holds: what was decrypted and not used up, and what was not
    /// decrypted.
    var keptBytes: Int {
        var count = (tls?.keptBytes ?? 0) + (hello?.count ?? 0)
        if case .http1(let exchange) = exchange { count += exchange.kept.count }
        return count
    }
}

/// `PartialHello`, with the real scanner.
struct SimulatedHello {
    var scanner: ClientHelloScanner
    var count = 0
    var isWhole = false
}

/// A TLS session: how far its handshake is, and the ciphertext that it keeps.
struct SimulatedTLS {
    enum Step { case begins, awaitsFinished, done, failed }
    var step = Step.begins
    var kept: [Piece] = []
    var keptStart = 0
    var keptBytes = 0
    var hasKept: Bool { keptStart < kept.count }
}

enum SimulatedExchange {
    case none
    case http1(SimulatedHTTP1)
    case http2(SimulatedHTTP2)

    var hasUnparsed: Bool {
        switch self {
        case .none: false
        case .http1(let exchange): !exchange.kept.isEmpty
        case .http2: true
        }
    }

    var isAnswering: Bool {
        switch self {
        case .none, .http2: false
        case .http1(let exchange): exchange.answer != nil || exchange.hasRequestWaiting
        }
    }

    var awaitsWindow: Bool {
        switch self {
        case .none, .http1: false
        case .http2(let exchange): exchange.openRequests > 0
        }
    }

    var unencryptedCount: Int {
        switch self {
        case .none, .http2: 0
        case .http1(let exchange): exchange.answer?.count ?? 0
        }
    }
}

/// `HTTP1Exchange`, with the real parser on real bytes.
final class SimulatedHTTP1 {
    var parser: HTTP1RequestParser
    var kept: [UInt8] = []
    var keptStart = 0
    var hasRequestWaiting = false
    /// What of the answer under way is not encrypted.
    var answer: Message?

    init(limits: HTTP1Limits) { parser = HTTP1RequestParser(limits: limits) }

    func keep(_ bytes: [UInt8], from start: Int, behindAnswer: Bool) {
        kept = bytes
        keptStart = start
        hasRequestWaiting = behindAnswer && start < bytes.count
    }

    func takeKept() -> [UInt8] {
        let taken = kept
        kept = []
        keptStart = 0
        hasRequestWaiting = false
        return taken
    }
}

/// `HTTP2ServerSession` with the real flood guard; frames are marks, and only whole answers are
/// handed out as far as the connection's window goes.
final class SimulatedHTTP2 {
    let limits: FloodLimits
    var guardian: FloodGuard
    var control: [Message] = [Message(kind: .settings, count: 30)]
    var answers: [Message] = []
    var window: Int
    var requests = 0
    var openRequests = 0
    private(set) var closeReason: HTTP2CloseReason?
    private var goAwayIsSent = false
    private var isDraining = false

    init(limits: FloodLimits, window: Int, now: MonotonicInstant) {
        self.limits = limits
        self.window = window
        guardian = FloodGuard(limits: limits, now: UInt64(clamping: now.nanoseconds))
    }

    private(set) var hasFailed = false
    var isFinished: Bool {
        if closeReason == nil || !goAwayIsSent { return false }
        return hasFailed || openRequests == 0 && control.isEmpty
    }
    var wantsSend: Bool {
        if hasFailed { return !goAwayIsSent }
        if !control.isEmpty || (!answers.isEmpty && window > 0) { return true }
        return closeReason != nil && !goAwayIsSent && openRequests == 0
    }
    var deadline: UInt64? { hasFailed ? nil : guardian.deadline }

    func fail(_ reason: HTTP2CloseReason) {
        if hasFailed { return }
        hasFailed = true
        closeReason = reason
    }

    func drain() {
        guard closeReason == nil, requests > 0 else {
            isDraining = true
            return
        }
        closeReason = .drained
    }

    /// - Returns: whether a request is to be answered.
    func receive(_ input: HTTP2Input, now: UInt64) -> Bool {
        if hasFailed { return false }
        if let reason = guardian.bytesReceived(input.count) {
            fail(reason)
            return false
        }
        var windingDown: HTTP2CloseReason?
        let frames: [FloodGuard.Frame]
        switch input {
        case .opening: frames = [.settings, .other, .headers]
        case .request: frames = [.headers]
        case .acknowledgement: frames = [.acknowledgement]
        case .pings(let count): frames = Array(repeating: .ping, count: count)
        case .resetRequest: frames = [.headers, .reset]
        }
        for frame in frames {
            switch guardian.frameReceived(frame, now: now) {
            case nil: break
            case .windDown(let reason): windingDown = reason
            case .fail(let reason):
                fail(reason)
                return false
            }
        }
        // Requests that came with the frame are answered.
        defer { closeReason = closeReason ?? windingDown }
        switch input {
        case .opening, .request:
            guard closeReason == nil else { return false }
            requests += 1
            if let most = limits.requestsPerConnection, requests >= most {
                closeReason = .requestLimit
            } else if isDraining {
                closeReason = .drained
            }
            return true
        case .pings(let count):
            control.append(Message(kind: .pong, count: 17 * count))
            return false
        case .acknowledgement, .resetRequest: return false
        }
    }

    func respond(_ answer: Message, now: UInt64) {
        openRequests += 1
        guardian.answerBegan(now: now)
        answers.append(answer)
    }

    /// Frames that fit a record.
    func send(now: UInt64) -> [Message] {
        if hasFailed {
            if goAwayIsSent { return [] }
            goAwayIsSent = true
            return [Message(kind: .goAway, count: 17)]
        }
        if !control.isEmpty {
            defer { control = [] }
            return control
        }
        if let first = answers.first, window > 0 {
            let count = min(first.count, window, Wire.recordBytes)
            window -= window == .max ? 0 : count
            guardian.contentSent(count, now: now)
            var part = first
            part.count = count
            part.isWhole = count == first.count
            if part.isWhole {
                answers.removeFirst()
                openRequests -= 1
                guardian.answerEnded(whole: true, now: now)
            } else {
                answers[0].count -= count
            }
            return [part]
        }
        guard closeReason != nil, !goAwayIsSent, openRequests == 0 else { return [] }
        goAwayIsSent = true
        return [Message(kind: .goAway, count: 17)]
    }
}
