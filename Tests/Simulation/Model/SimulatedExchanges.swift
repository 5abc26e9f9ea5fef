import AASAServer
import HTTP
import Reactor

// `TLSSession`, `TLSTransport`, `HTTP1Exchange.swift` and `HTTP2Exchange.swift`.
extension SimulatedWorker {
    // MARK: TLS

    /// Bytes for the session that is called next.
    func offer(_ pieces: [Piece]) {
        input = pieces
        inputStart = 0
    }

    func clearOutput() {
        output.removeAll(keepingCapacity: true)
        outputCount = 0
    }

    /// The session takes what it has not read out of the worker's buffer.
    func keepUnread(_ connection: SimulatedConnection) {
        guard connection.tls != nil, inputStart < input.count else { return }
        let rest = input[inputStart...]
        connection.tls?.kept.append(contentsOf: rest)
        connection.tls?.keptBytes += rest.reduce(0) { $0 + $1.count }
        offer([])
    }

    /// The next piece that the session reads: kept ones first.
    private func nextPiece(_ connection: SimulatedConnection) -> Piece? {
        if let tls = connection.tls, tls.hasKept {
            let piece = tls.kept[tls.keptStart]
            connection.tls?.keptStart += 1
            connection.tls?.keptBytes -= piece.count
            if tls.keptStart + 1 == tls.kept.count {
                connection.tls?.kept = []
                connection.tls?.keptStart = 0
            }
            return piece
        }
        guard inputStart < input.count else { return nil }
        inputStart += 1
        return input[inputStart - 1]
    }

    enum Handshake { case done, wantsInput, failed }

    func handshake(_ connection: SimulatedConnection) -> Handshake {
        let machine = world.scenario.machine
        while let piece = nextPiece(connection) {
            switch (connection.tls?.step, piece) {
            case (.begins, .plain(let bytes)):
                guard bytes.first == Wire.hello[0] || connection.hello != nil else {
                    connection.tls?.step = .failed
                    write([Message(kind: .alert, count: 7)])
                    return .failed
                }
                world.spend(Int64(machine.startMicroseconds * 1000))
                write([Message(kind: .flight, count: Wire.flightBytes)])
                connection.tls?.step = .awaitsFinished
                // The rest of a ClientHello that came in two segments.
                while inputStart < input.count, case .plain = input[inputStart] {
                    inputStart += 1
                }
            case (.awaitsFinished, .finished):
                world.spend(Int64(machine.completionMicroseconds * 1000))
                if connection.peer.kind.speaksTLS12 {
                    write([Message(kind: .finished12, count: 250)])
                }
                connection.tls?.step = .done
                return .done
            default:
                connection.tls?.step = .failed
                write([Message(kind: .alert, count: 7)])
                return .failed
            }
        }
        return .wantsInput
    }

    // MARK: HTTP/1.1

    private enum Parsed {
        case needsMore
        case stopped(isWritten: Bool)
        case rejected
    }

    func stepHTTP1(_ connection: SimulatedConnection, _ exchange: SimulatedHTTP1) {
        var budget = limits.bytesPerTurn
        guard continueAnswer(connection, exchange, &budget) else { return }
        if connection.machine.endsBehindAnswer != nil { return finishWriting(connection) }

        var have: [UInt8] = []
        if !exchange.kept.isEmpty {
            var start = exchange.keptStart
            let bytes = exchange.takeKept()
            switch answerAll(in: bytes, &start, connection, exchange, &budget) {
            case .needsMore: have = Array(bytes[start...])
            case .stopped(let isWritten):
                exchange.keep(bytes, from: start, behindAnswer: true)
                if isWritten { finishWriting(connection) }
                return
            case .rejected: return shutDown(connection, .badRequest)
            }
        }
        let room = limits.http1.headBytes + 2 * Wire.recordBytes
        reading: while true {
            var start = 0
            switch answerAll(in: have, &start, connection, exchange, &budget) {
            case .needsMore: break
            case .stopped(let isWritten):
                exchange.keep(Array(have[start...]), from: 0, behindAnswer: true)
                if isWritten { finishWriting(connection) }
                return
            case .rejected: return shutDown(connection, .badRequest)
            }
            if start > 0 { have.removeFirst(start) }
            if have.count >= room { break }
            switch nextPiece(connection) {
            case .http1(let bytes): have.append(contentsOf: bytes)
            case nil: break reading
            case .closeNotify:
                connection.machine.receivedEnd()
                break reading
            case .plain, .finished, .http2: return failTLS(connection, .brokenTLS)
            }
        }
        if !have.isEmpty {
            exchange.keep(have, from: 0, behindAnswer: false)
            connection.machine.headBegan(now: now)
        }
        finishWriting(connection)
    }

    private func answerAll(
        in bytes: [UInt8], _ start: inout Int, _ connection: SimulatedConnection,
        _ exchange: SimulatedHTTP1, _ budget: inout Int
    ) -> Parsed {
        while start < bytes.count {
            let parsed = bytes.withUnsafeBytes { all in
                exchange.parser.parse(UnsafeRawBufferPointer(rebasing: all[start...]))
            }
            switch parsed {
            case .needMore: return .needsMore
            case .request(let request, let consumed):
                start += consumed
                let closing: CloseReason? =
                    request.fault != nil || request.hasBody
                    ? .requestBody : request.wantsClose ? .answered : nil
                answerHTTP1(closing, connection, exchange)
                let isWritten = continueAnswer(connection, exchange, &budget)
                if !isWritten || connection.machine.endsBehindAnswer != nil {
                    return .stopped(isWritten: isWritten)
                }
            case .reject: return .rejected
            }
        }
        return .needsMore
    }

    private func answerHTTP1(
        _ closing: CloseReason?, _ connection: SimulatedConnection, _ exchange: SimulatedHTTP1
    ) {
        var answer = respond(on: connection)
        _ = connection.machine.requestReceived(now: now, closing: closing)
        if Wire.recordBytes - recordCount < 200 { flushRecord(connection) }
        let taken = min(answer.count, Wire.recordBytes - recordCount)
        var first = answer
        first.count = taken
        first.isWhole = taken == answer.count
        append(first)
        if taken < answer.count {
            answer.count -= taken
            exchange.answer = answer
        }
    }

    private func continueAnswer(
        _ connection: SimulatedConnection, _ exchange: SimulatedHTTP1, _ budget: inout Int
    ) -> Bool {
        guard var answer = exchange.answer else {
            return outputCount < limits.flightBytes || flush(connection) == .sent
        }
        flushRecord(connection)
        while answer.count > 0 {
            let room = limits.flightBytes - outputCount
            var chunk = answer
            chunk.count = min(answer.count, max(room, Wire.recordBytes))
            answer.count -= chunk.count
            chunk.isWhole = answer.count == 0
            write([chunk])
            exchange.answer = answer
            budget -= chunk.count
            if answer.count == 0 { break }
            if flush(connection) != .sent { return false }
            if budget <= 0 {
                queue(connection)
                return false
            }
        }
        exchange.answer = nil
        return true
    }

    // MARK: HTTP/2

    private var unsigned: UInt64 { UInt64(clamping: now.nanoseconds) }

    func stepHTTP2(_ connection: SimulatedConnection, _ session: SimulatedHTTP2) {
        var budget = limits.bytesPerTurn
        guard pump(connection, session, &budget) else { return }
        reading: while !session.hasFailed, !session.isFinished {
            switch nextPiece(connection) {
            case .http2(let frames):
                world.spend(Int64(frames.count) * 10)
                if session.receive(frames, now: unsigned) {
                    let answer = respond(on: connection)
                    connection.machine.answerBegan(now: now)
                    session.respond(answer, now: unsigned)
                }
            case nil: break reading
            case .closeNotify:
                connection.machine.receivedEnd()
                break reading
            case .plain, .finished, .http1: return failTLS(connection, .brokenTLS)
            }
        }
        guard pump(connection, session, &budget) else { return }
        if session.isFinished, let reason = session.closeReason {
            return shutDown(connection, closeReason(reason))
        }
        if connection.machine.inputHasEnded && session.openRequests > 0 {
            return shutDown(connection, .leftBeforeAnswer)
        }
        if session.openRequests > 0 {
            if let deadline = session.deadline {
                connection.machine.answersMayTake(
                    until: MonotonicInstant(nanoseconds: Int64(clamping: deadline)))
            }
            _ = flush(connection)
        } else {
            finishWriting(connection)
        }
    }

    private func pump(
        _ connection: SimulatedConnection, _ session: SimulatedHTTP2, _ budget: inout Int
    ) -> Bool {
        while session.wantsSend {
            let messages = session.send(now: unsigned)
            if messages.isEmpty { break }
            write(messages)
            budget -= messages.reduce(0) { $0 + $1.count }
            if outputCount >= limits.flightBytes, flush(connection) != .sent { return false }
            if budget <= 0 {
                queue(connection)
                _ = flush(connection)
                return false
            }
        }
        return true
    }

    func deadlineHTTP2(_ connection: SimulatedConnection, _ session: SimulatedHTTP2) {
        if let deadline = session.guardian.deadline, unsigned >= deadline {
            session.fail(.stalled)
        }
        guard session.hasFailed, let reason = session.closeReason else {
            if let next = session.deadline {
                connection.machine.answersMayTake(
                    until: MonotonicInstant(nanoseconds: Int64(clamping: next)))
            } else if case .close(let reason) = connection.machine.outputStalled(now: now) {
                close(connection, reason, abort: reason == .slowReader)
            }
            return
        }
        var budget = limits.flightBytes
        guard pump(connection, session, &budget) || connection.machine.isBlocked else { return }
        if connection.machine.isBlocked {
            let reason = closeReason(reason)
            close(connection, reason, abort: reason == .http2Stalled)
        } else {
            shutDown(connection, closeReason(reason))
        }
    }

    private func closeReason(_ reason: HTTP2CloseReason) -> CloseReason {
        switch reason {
        case .requestLimit: .requestLimit
        case .drained: .draining
        case .byteBudget: .http2ByteBudget
        case .frameBudget: .http2FrameBudget
        case .settingsBudget: .http2SettingsBudget
        case .pingBudget: .http2PingBudget
        case .resetBudget: .http2ResetBudget
        case .stalled: .http2Stalled
        default: .http2ProtocolError
        }
    }
}
