import HTTP
import OpenSSL
import Reactor

/// HTTP/1.1 on one connection: where the parser stands, and the answer that is being written.
final class HTTP1Exchange {
    var parser: HTTP1RequestParser
    /// Plaintext that is not a complete head yet, or a pipelined request whose turn comes after the
    /// answer under way.
    var carry: [UInt8] = []
    /// The answer whose body is not completely encrypted yet, and how far it is.
    var answer: PreparedResponse?
    var offset = 0

    init(limits: HTTP1Limits) { parser = HTTP1RequestParser(limits: limits) }
}

extension Worker {
    /// Goes on with a connection that speaks HTTP/1.1: writes what is left of an answer, then reads
    /// requests and answers them in order, until the input ends, the kernel takes no more, or this
    /// connection's share of the turn is used up.
    func stepHTTP1(_ connection: Connection, _ exchange: HTTP1Exchange, _ tls: TLSSession) {
        var budget = limits.bytesPerTurn
        guard continueAnswer(connection, exchange, tls, &budget) else { return }
        if connection.goodbye != nil { return finishWriting(connection, tls) }

        var have = exchange.carry.count
        if have > 0 {
            buffers.plaintext.copyBytes(from: exchange.carry)
            exchange.carry = []
        }
        var start = 0
        reading: while true {
            while start < have {
                let bytes = UnsafeRawBufferPointer(rebasing: buffers.plaintext[start..<have])
                switch exchange.parser.parse(bytes) {
                case .needMore:
                    break
                case .request(let request, let consumed):
                    start += consumed
                    answerHTTP1(request, connection, exchange)
                    let goesOn = continueAnswer(connection, exchange, tls, &budget)
                    if goesOn && connection.goodbye == nil { continue }
                    exchange.carry = Array(buffers.plaintext[start..<have])
                    if goesOn { finishWriting(connection, tls) }
                    return
                case .reject:
                    return goodbye(connection, .badRequest)
                }
                break
            }
            if start > 0 {
                let rest = UnsafeRawBufferPointer(rebasing: buffers.plaintext[start..<have])
                buffers.plaintext.copyMemory(from: rest)
                have -= start
                start = 0
            }
            let room = UnsafeMutableRawBufferPointer(rebasing: buffers.plaintext[have...])
            switch tls.read(into: room, transport) {
            case .bytes(let count): have += count
            case .wantsInput: break reading
            case .closedByPeer:
                connection.inputEnded = true
                break reading
            case .failed(let failure): return failTLS(connection, failure)
            }
        }
        if have > 0 {
            exchange.carry = Array(buffers.plaintext[0..<have])
            connection.machine.headBegan(now: now)
        }
        finishWriting(connection, tls)
    }

    /// Looks the answer up and begins to write it; the connection's goodbye is set when it is the
    /// last.
    private func answerHTTP1(
        _ request: RequestView, _ connection: Connection, _ exchange: HTTP1Exchange
    ) {
        counters.add(.requestsHTTP1)
        let answer = respond(to: request, on: connection)
        let closing: CloseReason? =
            request.fault != nil || request.hasBody
            ? .requestBody : request.wantsClose ? .answered : nil
        let last = connection.machine.requestReceived(now: now, closing: closing)
        connection.goodbye = last
        let isLast = last != nil

        let response = answer.response
        let headCount = response.http1HeadCount(close: isLast)
        if buffers.recordRoom < headCount { flushRecord(connection) }
        let target = UnsafeMutableRawBufferPointer(
            rebasing: buffers.record[buffers.recordCount...])
        buffers.recordCount += response.writeHTTP1Head(into: target, date: date, close: isLast)
        counters.add(.bytesAnswered, headCount)
        if request.method == .head { return }
        // The body's beginning fills the record that the head began.
        let body = response.body.bytes
        let taken = min(body.count, buffers.recordRoom)
        buffers.appendToRecord(UnsafeRawBufferPointer(rebasing: body[..<taken]))
        counters.add(.bytesAnswered, body.count)
        if taken < body.count {
            exchange.answer = response
            exchange.offset = taken
        }
    }

    /// Encrypts what is left of the answer under way, in full records straight from the snapshot,
    /// and hands each flight to the kernel.
    ///
    /// - Returns: whether nothing is left of it; `false` when the kernel takes no more now, when
    ///   the turn's budget is spent, or when the connection failed.
    private func continueAnswer(
        _ connection: Connection, _ exchange: HTTP1Exchange, _ tls: TLSSession, _ budget: inout Int
    ) -> Bool {
        guard let answer = exchange.answer else {
            // Many small answers (pipelining) make a flight as well.
            return transport.output.count < limits.flightBytes || flush(connection)
        }
        flushRecord(connection)
        let body = answer.body.bytes
        while exchange.offset < body.count {
            let room = limits.flightBytes - transport.output.count
            let end = min(body.count, exchange.offset + max(room, Buffers.recordBytes))
            let chunk = UnsafeRawBufferPointer(rebasing: body[exchange.offset..<end])
            guard case .written = tls.write(chunk, transport) else {
                close(connection, .brokenTLS)
                return false
            }
            exchange.offset = end
            budget -= chunk.count
            if end == body.count { break }
            if !flush(connection) { return false }
            if budget <= 0 {
                queue(connection)
                return false
            }
        }
        exchange.answer = nil
        return true
    }
}
