import HTTP
import OpenSSL
import Reactor

/// HTTP/1.1 on one connection: the state of the parser, and the answer that is being written.
final class HTTP1Exchange {
    /// Unchecked: the parser is pure, so two accesses cannot overlap.
    @exclusivity(unchecked) var parser: HTTP1RequestParser
    /// Plaintext that was read but not yet used: an incomplete head, or requests that wait for the
    /// answer under way. At most what a worker decrypts at once, as nothing is read while
    /// requests wait.
    var kept: [UInt8] = []
    /// How many bytes of ``kept`` are used.
    var keptStart = 0
    /// Whether ``kept`` may contain requests.
    var hasRequestWaiting = false
    /// The answer whose body is not completely encrypted yet, and the bytes of it that are.
    var answer: PreparedResponse?
    var offset = 0

    init(limits: HTTP1Limits) { parser = HTTP1RequestParser(limits: limits) }

    func keep(_ bytes: [UInt8], from start: Int, behindAnswer: Bool) {
        kept = bytes
        keptStart = start
        hasRequestWaiting = behindAnswer && start < bytes.count
    }

    /// Whether an answer is under way, or requests wait behind it.
    var isAnswering: Bool { answer != nil || hasRequestWaiting }

    /// Bytes of the answer under way that are not encrypted yet.
    var unencryptedCount: Int { answer.map { $0.body.count - offset } ?? 0 }

    /// Whether a head has begun that is not complete.
    var holdsHead: Bool { !kept.isEmpty && !hasRequestWaiting }

    func takeKept() -> [UInt8] {
        let taken = kept
        kept = []
        keptStart = 0
        hasRequestWaiting = false
        return taken
    }
}

extension Worker {
    /// Continues a connection of HTTP/1.1: writes the rest of an answer, then reads requests and
    /// answers them in order, until the input ends, the kernel takes no more, or the connection's
    /// share of the turn is used up.
    func stepHTTP1(_ connection: Connection, _ exchange: HTTP1Exchange, _ tls: TLSSession) {
        var budget = limits.bytesPerTurn
        guard continueAnswer(connection, exchange, &budget) else { return }
        if connection.machine.endsBehindAnswer != nil { return finishWriting(connection) }

        var have = 0
        if !exchange.kept.isEmpty {
            // Parse waiting requests in place: a copy for each request would be quadratic.
            var start = exchange.keptStart
            let bytes = exchange.takeKept()
            let isWritten = bytes.withUnsafeBytes {
                answerAll(in: $0, &start, connection, exchange, &budget)
            }
            if let isWritten {
                exchange.keep(bytes, from: start, behindAnswer: true)
                if isWritten { finishWriting(connection) }
                return
            }
            have = bytes.count - start
            plaintext.copyBytes(from: bytes[start...])
        }
        reading: while true {
            var start = 0
            let bytes = UnsafeRawBufferPointer(rebasing: plaintext[..<have])
            if have > 0,
                let isWritten = answerAll(in: bytes, &start, connection, exchange, &budget)
            {
                exchange.keep(Array(bytes[start...]), from: 0, behindAnswer: true)
                if isWritten { finishWriting(connection) }
                return
            }
            if start > 0 {
                let rest = UnsafeRawBufferPointer(rebasing: plaintext[start..<have])
                plaintext.copyMemory(from: rest)
                have -= start
            }
            let free = UnsafeMutableRawBufferPointer(rebasing: plaintext[have...])
            switch tls.read(into: free, transport) {
            case .bytes(let count): have += count
            case .wantsInput: break reading
            case .closedByPeer:
                connection.machine.receivedEnd()
                break reading
            case .failed(let failure): return failTLS(connection, failure)
            }
        }
        if have > 0 {
            exchange.keep(Array(plaintext[..<have]), from: 0, behindAnswer: false)
            connection.machine.headBegan(now: now)
        }
        finishWriting(connection)
    }

    /// Answers the complete requests in `bytes`.
    ///
    /// - Parameter start: the first unused byte.
    /// - Returns: nil when all complete requests are answered. Otherwise the connection has to
    ///   write first, or ends: whether all is encrypted.
    private func answerAll(
        in bytes: UnsafeRawBufferPointer, _ start: inout Int,
        _ connection: Connection, _ exchange: HTTP1Exchange, _ budget: inout Int
    ) -> Bool? {
        while start < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            switch exchange.parser.parse(rest) {
            case .needMore: return nil
            case .request(let request, let consumed):
                start += consumed
                answerHTTP1(request, connection, exchange)
            case .reject:
                start = bytes.count
                guard let request = exchange.parser.unreadable(in: rest) else { break }
                answerHTTP1(request, connection, exchange)
            }
            let isWritten = continueAnswer(connection, exchange, &budget)
            if !isWritten || connection.machine.endsBehindAnswer != nil {
                return isWritten
            }
        }
        return nil
    }

    /// Finds the answer and begins to write it; the connection's state machine knows whether it is
    /// the last.
    private func answerHTTP1(
        _ request: RequestView, _ connection: Connection, _ exchange: HTTP1Exchange
    ) {
        counters.add(.requestsHTTP1)
        let answer = answer(to: request, on: connection)
        let closing: CloseReason? =
            request.wantsClose || request.hasBody ? CloseReason(after: request) : nil
        let last = connection.machine.requestReceived(now: now, closing: closing)
        let isLast = last != nil

        let response = answer.response
        let headCount = response.http1HeadCount(close: isLast)
        if recordSpace.count < headCount { encryptRecord(connection) }
        recordCount += response.writeHTTP1Head(into: recordSpace, date: date, close: isLast)
        counters.add(.bytesAnswered, headCount)
        if request.method == .head { return }
        // The start of the body goes into the same record as the head.
        let body = response.body.bytes
        let taken = gather(body)
        counters.add(.bytesAnswered, body.count)
        if taken < body.count {
            exchange.answer = response
            exchange.offset = taken
        }
    }

    /// Encrypts the rest of the answer under way, in full records straight from the snapshot, and
    /// gives each flight to the kernel.
    ///
    /// - Returns: whether nothing is left; `false` when the kernel takes no more now, when the
    ///   turn's budget is spent, or when the connection failed.
    private func continueAnswer(
        _ connection: Connection, _ exchange: HTTP1Exchange, _ budget: inout Int
    ) -> Bool {
        guard let answer = exchange.answer else {
            // Many small answers (pipelining) can fill a flight as well.
            return !hasFlight || flush(connection) == .sent
        }
        encryptRecord(connection)
        let body = answer.body.bytes
        while exchange.offset < body.count {
            let room = limits.flightBytes - transport.output.count
            let end = min(body.count, exchange.offset + max(room, Self.recordBytes))
            let chunk = UnsafeRawBufferPointer(rebasing: body[exchange.offset..<end])
            guard encrypt(chunk, connection) else { return false }
            exchange.offset = end
            budget -= chunk.count
            if end == body.count { break }
            if flush(connection) != .sent { return false }
            if budget <= 0 {
                table.queue(connection)
                return false
            }
        }
        exchange.answer = nil
        return true
    }
}

extension CloseReason {
    /// Why a request has to be the last of its connection.
    fileprivate init(after request: RequestView) {
        if let fault = request.fault, !fault.isAnswered {
            self = .badRequest
        } else {
            self = request.fault != nil || request.hasBody ? .requestBody : .answered
        }
    }
}
