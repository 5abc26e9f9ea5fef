package import HTTP
import OpenSSL
import Reactor

extension Worker {
    /// Continues a connection of HTTP/2: reads all frames that have arrived, then writes all that
    /// may be written, so that the answers of one wake-up leave together.
    func stepHTTP2(_ connection: Connection, _ session: HTTP2ServerSession, _ tls: TLSSession) {
        var budget = limits.bytesPerTurn
        guard writeFrames(connection, session, &budget) else { return }
        reading: while !session.hasFailed, !session.isFinished {
            switch tls.read(into: plaintext, transport) {
            case .bytes(let count):
                current = Unmanaged.passUnretained(connection)
                session.receive(
                    UnsafeRawBufferPointer(rebasing: plaintext[..<count]),
                    now: now.unsigned, delegate: self)
                current = nil
            case .wantsInput: break reading
            case .closedByPeer:
                connection.machine.receivedEnd()
                break reading
            case .failed(let failure): return failTLS(connection, failure)
            }
        }
        if connection.machine.inputHasEnded { session.answerAwaited() }
        guard writeFrames(connection, session, &budget) else { return }
        if session.isFinished, let reason = session.closeReason {
            let isOld = reason == .drained && !connection.machine.isDraining
            return shutDown(connection, isOld ? .lifetime : CloseReason(reason))
        }
        if connection.machine.inputHasEnded && session.openRequests > 0 {
            // The rest waits for a window update, which a peer that has ended its input can never
            // send.
            return shutDown(connection, .leftBeforeAnswer)
        }
        if session.openRequests > 0 {
            if let deadline = session.deadline {
                connection.machine.answersMayTake(until: MonotonicInstant(unsigned: deadline))
            }
            _ = flush(connection)
        } else {
            finishWriting(connection)
        }
    }

    /// Writes frames until there are none to write.
    ///
    /// - Returns: `false` when the kernel takes no more now, when the turn's budget is spent, or
    ///   when the connection failed.
    private func writeFrames(
        _ connection: Connection, _ session: HTTP2ServerSession, _ budget: inout Int
    ) -> Bool {
        while session.wantsSend {
            let frames = frames(of: session)
            if frames.isEmpty { break }
            guard encrypt(frames, connection) else { return false }
            budget -= frames.count
            if hasFlight, flush(connection) != .sent {
                return false
            }
            if budget <= 0 {
                table.queue(connection)
                _ = flush(connection)
                return false
            }
        }
        return true
    }

    /// The deadline of answers has passed; HTTP/2 knows the windows of its streams.
    ///
    /// - Returns: `false` if the connection's state machine has to decide.
    func deadlinePassed(_ connection: Connection) -> Bool {
        guard connection.machine.isAnswering, let session = connection.http2 else { return false }
        // That of the session, or that of the state machine: the session decides which.
        session.deadlinePassed(now: now.unsigned)
        guard session.hasFailed, let reason = session.closeReason else {
            // Answers that no longer wait for content. Those that wait for the kernel go on when it
            // takes more.
            let isReleased = session.wantsSend && !connection.machine.isBlocked
            if isReleased { table.queue(connection) }
            if let next = session.deadline {
                connection.machine.answersMayTake(until: MonotonicInstant(unsigned: next))
            } else if !isReleased,
                case .close(let reason) = connection.machine.outputStalled(now: now)
            {
                // The session has written everything; only the kernel waits for the peer to read.
                giveUp(connection, reason)
            }
            return true
        }
        var budget = limits.flightBytes
        guard writeFrames(connection, session, &budget) || connection.machine.isBlocked
        else {
            return true
        }
        // A peer that still reads gets the reason; a peer that does not read would only hold the
        // connection.
        if connection.machine.isBlocked {
            giveUp(connection, CloseReason(reason))
        } else {
            shutDown(connection, CloseReason(reason))
        }
        return true
    }
}

extension Worker: HTTP2ServerDelegate {
    package func session(
        _ session: HTTP2ServerSession, received request: RequestView, stream: HTTP2StreamID
    ) {
        current?._withUnsafeGuaranteedRef { connection in
            counters.add(.requestsHTTP2)
            let answer = answer(to: request, on: connection)
            connection.machine.answerBegan(now: now)
            if request.method != .head {
                counters.add(.bytesAnswered, answer.response.body.count)
            }
            session.respond(stream: stream, with: answer.response, now: now.unsigned)
            if connection.machine.isOld(now: now) { session.drain() }
        }
    }
}

extension CloseReason {
    /// Translates the reason of HTTP/2.
    init(_ reason: HTTP2CloseReason) {
        switch reason {
        case .requestLimit: self = .requestLimit
        case .drained: self = .draining
        case .peerGoAway: self = .peerClosed
        case .byteBudget: self = .http2ByteBudget
        case .frameBudget: self = .http2FrameBudget
        case .settingsBudget: self = .http2SettingsBudget
        case .pingBudget: self = .http2PingBudget
        case .resetBudget: self = .http2ResetBudget
        case .provokedResetBudget: self = .http2ProvokedResetBudget
        case .continuationBudget: self = .http2ContinuationBudget
        case .headerListBudget: self = .http2HeaderListBudget
        case .acknowledgementBudget: self = .http2AcknowledgementBudget
        case .stalled: self = .http2Stalled
        case .badPreface: self = .http2BadPreface
        case .protocolError: self = .http2ProtocolError
        case .compressionError: self = .http2CompressionError
        case .flowControlError: self = .http2FlowControlError
        case .frameSizeError: self = .http2FrameSizeError
        case .streamClosed: self = .http2StreamClosed
        case .internalError: self = .http2InternalError
        }
    }
}

extension MonotonicInstant {
    /// Nanoseconds as HTTP/2's guard counts them.
    var unsigned: UInt64 { UInt64(clamping: nanoseconds) }

    init(unsigned: UInt64) { self.init(nanoseconds: Int64(clamping: unsigned)) }
}
