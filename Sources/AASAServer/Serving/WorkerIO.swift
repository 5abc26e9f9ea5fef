import HTTP
import OpenSSL
import Reactor

// Moving the bytes of connections under way.
extension Worker {
    /// Goes on with a connection after an event, or because it was queued.
    func proceed(_ connection: Connection) {
        switch connection.machine.phase {
        case .silent, .inHello, .waiting:
            helloEvent(connection)
            return arm(connection)
        case .lingering: return discardInput(connection)
        case .closed: return
        case .handshaking, .idle, .inHead, .answering: break
        }
        if connection.isBlocked {
            guard sendUnsent(connection) else { return arm(connection) }
            if let reason = connection.goodbye, connection.hasSaidGoodbye {
                return endWriting(connection, reason)
            }
        }
        let began = connection.countsAsHandshake ? MonotonicInstant.now() : nil
        receive(connection)
        proceedAfterReceiving(connection)
        if let began, !connection.countsAsHandshake, connection.machine.requestCount > 0 {
            admission.completionTook(nanoseconds: (MonotonicInstant.now() - began).inNanoseconds)
        }
    }

    /// One recv, if the socket may hold something.
    private func receive(_ connection: Connection) {
        // What was read and not worked on yet comes first: a peer that sends more than it reads
        // waits in its own socket, and nothing is kept twice.
        guard connection.mayHaveInput, !connection.inputEnded,
            !connection.exchange.isAnswering, !(connection.tls?.hasKept ?? false)
        else { return }
        switch connection.socket.receive(into: buffers.receive) {
        case .bytes(let count):
            // A short read has emptied the kernel's buffer; an end that was told beside it is still
            // to be read.
            connection.mayHaveInput =
                count == buffers.receive.count || connection.peerHasClosed
            counters.add(.bytesReceived, count)
            if connection.countsAsHandshake { admission.peerSpoke(connection.token, now: now) }
            transport.receive(UnsafeRawBufferPointer(rebasing: buffers.receive[..<count]))
        case .wouldBlock: connection.mayHaveInput = false
        case .endOfStream:
            connection.mayHaveInput = false
            connection.inputEnded = true
        case .failed: close(connection, connection.machine.networkFailure())
        }
    }

    /// Works on what was received, and on what more comes, within a connection's share of the turn.
    func proceedAfterReceiving(_ connection: Connection) {
        // 4 x 32 KB of input in one turn at most.
        for round in 0..<4 {
            // What was received is always worked on: the next connection uses the same buffers.
            if round > 0 { receive(connection) }
            guard connection.isOpen, let tls = connection.tls else { return }
            step(connection, tls)
            guard connection.isOpen else { return }
            if connection.tls != nil { tls.keepUnread(transport) }
            if case .lingering = connection.machine.phase { break }
            if connection.isBlocked || connection.isQueued || !connection.mayHaveInput { break }
        }
        guard connection.isOpen else { return }
        if connection.mayHaveInput && !connection.isBlocked { queue(connection) }
        watch(connection, connection.isBlocked ? .edgeReadWrite : .edgeRead)
        arm(connection)
    }

    private func step(_ connection: Connection, _ tls: TLSSession) {
        let isNew = connection.machine.phase == .handshaking
        if isNew {
            switch tls.handshake(transport) {
            case .done: completeHandshake(connection, tls)
            case .wantsInput:
                guard flush(connection), connection.inputEnded else { return }
                return close(connection, .handshakeAbandoned)
            case .failed(let failure): return failTLS(connection, failure)
            }
        }
        switch connection.exchange {
        case .none: break
        case .http1(let exchange): stepHTTP1(connection, exchange, tls)
        case .http2(let exchange): stepHTTP2(connection, exchange, tls)
        }
        if isNew, connection.machine.requestCount == 0, connection.isOpen {
            // The client's Finished came alone. Without session tickets there is nothing to send
            // now, and a client with Nagle's algorithm would hold its request back until our
            // delayed acknowledgement: 40 ms for nothing.
            connection.socket.acknowledgeAtOnce()
        }
    }

    private func completeHandshake(_ connection: Connection, _ tls: TLSSession) {
        connection.machine.handshakeCompleted(now: now)
        endHandshake(connection, completed: true)
        let agreed = tls.negotiated
        counters.add(agreed.version == .tls13 ? .handshakesTLS13 : .handshakesTLS12)
        if agreed.isResumed { counters.add(.handshakesResumed) }
        counters.record(
            .handshakeTime, nanoseconds: (now - connection.handshakeAt).inNanoseconds)
        if agreed.applicationProtocol == nil, tls.isChallenge {
            return goodbye(connection, .challengeAnswered)
        }
        guard agreed.applicationProtocol == .http2 else {
            connection.exchange = .http1(HTTP1Exchange(limits: limits.http1))
            return
        }
        do throws(HTTP2Error) {
            let session = try HTTP2ServerSession(
                settings: http2Settings, date: date, now: now.unsigned)
            connection.exchange = .http2(HTTP2Exchange(session: session))
        } catch {
            shared.report("an HTTP/2 session could not be made: \(error)")
            close(connection, .internalError)
        }
    }

    /// For how long a request has waited, where that may decide: a large document, a loop that is
    /// late, a connection that was answered before. The age of the newest bytes is what TCP knows,
    /// so a request is never taken for older than it is.
    private func waitedLong(_ connection: Connection, bytes: Int) -> Duration? {
        guard isLate, bytes > limits.shedding.largeAnswerBytes,
            connection.machine.requestCount > 0
        else { return nil }
        return connection.socket.tcpInfo?.sinceLastData
    }

    /// The answer to a request, counted.
    func respond(to request: RequestView, on connection: Connection) -> Answer {
        // The worker holds the snapshot until its next turn.
        let answer = Unmanaged.passUnretained(snapshot)._withUnsafeGuaranteedRef {
            Responder.answer(request, snapshot: $0) { bytes in
                shedding.judge(
                    now: now, userAgent: request.userAgent,
                    waited: waitedLong(connection, bytes: bytes))
            }
        }
        counters.add(answer.counter)
        answer.host?.counters.count(answer.hostAnswer)
        let bytes = answer.response.body.count
        if let access = shared.access {
            access.answered(
                AccessEntry(
                    request: request, peer: connection.peer, host: answer.host?.name,
                    status: answer.response.status, bytes: request.method == .head ? 0 : bytes,
                    worker: number))
        }
        if bytes > limits.shedding.largeAnswerBytes && request.method != .head {
            trackEgress(connection, bytes: bytes)
        }
        return answer
    }

    // MARK: Output

    /// Encrypts the gathered plaintext.
    func flushRecord(_ connection: Connection) {
        if buffers.recordCount == 0 { return }
        let bytes = UnsafeRawBufferPointer(rebasing: buffers.record[..<buffers.recordCount])
        buffers.recordCount = 0
        guard let tls = connection.tls, case .written = tls.write(bytes, transport) else {
            return close(connection, .brokenTLS)
        }
    }

    /// Hands the ciphertext to the kernel; what it does not take waits with the connection.
    ///
    /// - Returns: whether nothing is left to send. `false` as well when the connection has failed
    ///   and is closed.
    func flush(_ connection: Connection) -> Bool {
        let output = transport.output
        if output.isEmpty { return !connection.isBlocked && connection.isOpen }
        defer { transport.clearOutput() }
        if connection.isBlocked {
            connection.unsent.append(output)
            return false
        }
        switch connection.socket.send(output) {
        case .bytes(let count):
            sent(count, connection)
            if count == output.count { return true }
            connection.unsent.append(UnsafeRawBufferPointer(rebasing: output[count...]))
            return false
        case .wouldBlock:
            connection.unsent.append(output)
            return false
        case .endOfStream, .failed:
            close(connection, connection.machine.networkFailure())
            return false
        }
    }

    /// Sends what waited; `true` when nothing waits any more.
    private func sendUnsent(_ connection: Connection) -> Bool {
        switch connection.socket.send(connection.unsent.bytes) {
        case .bytes(let count):
            sent(count, connection)
            connection.unsent.consume(count)
            return connection.unsent.isEmpty
        case .wouldBlock: return false
        case .endOfStream, .failed:
            close(connection, connection.machine.networkFailure())
            return false
        }
    }

    private func sent(_ count: Int, _ connection: Connection) {
        counters.add(.bytesSent, count)
        connection.machine.answerProgressed(bytes: count)
        shedding.sent(count)
    }

    /// Everything for now is encrypted: sends it, and goes over to what comes behind the answers.
    func finishWriting(_ connection: Connection, _ tls: TLSSession) {
        flushRecord(connection)
        if let reason = connection.goodbye { return goodbye(connection, reason) }
        guard flush(connection) else { return }
        if connection.machine.phase == .answering {
            let began = connection.machine.answeringSince
            counters.record(.answerTime, nanoseconds: now.nanoseconds - began.nanoseconds)
            switch connection.machine.answersCompleted(
                now: now, underPressure: isUnderPressure)
            {
            case .keepAlive: break
            case .shutDown(let reason): return goodbye(connection, reason)
            }
        }
        guard connection.inputEnded else { return }
        switch connection.machine.inputDidEnd() {
        case .finishAnswer: break
        case .close(let reason): close(connection, reason)
        }
    }

    // MARK: Ending

    /// Says goodbye behind everything written so far, then shuts our direction.
    func goodbye(_ connection: Connection, _ reason: CloseReason) {
        if connection.hasSaidGoodbye { return }
        flushRecord(connection)
        connection.goodbye = reason
        connection.hasSaidGoodbye = true
        if let tls = connection.tls { tls.closeNotify(transport) }
        guard flush(connection) else {
            if connection.isOpen {
                watch(connection, .edgeReadWrite)
            }
            return
        }
        endWriting(connection, reason)
    }

    /// Everything is in the kernel. Closing now would cut the answer if the peer has sent or will
    /// send more (RST); then the connection lingers until the peer has closed. Who asked for the
    /// close and has sent nothing else needs no lingering.
    private func endWriting(_ connection: Connection, _ reason: CloseReason) {
        let isQuiet =
            reason == .answered && !connection.mayHaveInput && transport.unreadCount == 0
            && !(connection.tls?.hasUnread ?? false) && !connection.exchange.hasUnparsed
        // A large answer that the link has not taken yet stays in sight: a closed socket goes on
        // sending, but nobody could say any more how much, and a full link would never be noticed.
        let isTravelling =
            connection.large != nil && connection.socket.unacknowledgedBytes > 0
        if connection.inputEnded || (isQuiet && !isTravelling) { return close(connection, reason) }
        connection.socket.shutdownWrite()
        connection.machine.lingerBegan(
            now: now, reason: reason, answerIsUnderWay: isTravelling)
        // The session and its buffers are of no more use; what is unread is thrown away.
        connection.exchange = .none
        connection.tls = nil
        transport.receive(UnsafeRawBufferPointer(start: nil, count: 0))
        watch(connection, .edgeRead)
        discardInput(connection)
    }

    private func discardInput(_ connection: Connection) {
        while connection.lingerBytes < limits.lingerBytesMaximum {
            switch connection.socket.receive(into: buffers.receive) {
            case .bytes(let count): connection.lingerBytes += count
            case .wouldBlock: return arm(connection)
            case .endOfStream, .failed:
                return close(connection, connection.machine.networkFailure())
            }
        }
        close(connection, connection.machine.networkFailure())
    }

    /// A TLS session is over: its alert is sent, then the connection lingers as the alert is an
    /// answer as well.
    func failTLS(_ connection: Connection, _ failure: TLSFailure) {
        let handshaking = connection.machine.phase == .handshaking

        connection.hasSaidGoodbye = true
        let reason = CloseReason(failure, handshaking: handshaking)
        connection.goodbye = reason
        buffers.recordCount = 0
        guard flush(connection) else { return }
        endWriting(connection, reason)
    }

    /// Ends the connection at once. Safe to call twice.
    func close(_ connection: Connection, _ reason: CloseReason) {
        guard connection.isOpen else { return }
        connection.isOpen = false
        slots.remove(connection.token)
        timers.clear(connection.token.index)
        endHandshake(connection, completed: false)
        hellos.remove(connection.token)
        forgetHello(connection)
        stalledReaders.remove(connection.token)
        connection.machine.closed(reason)
        connection.unsent.free()
        connection.exchange = .none
        connection.tls = nil
        connection.socket.close()
        // Nothing of it may reach the next connection that uses the worker's buffers.
        transport.receive(UnsafeRawBufferPointer(start: nil, count: 0))
        transport.clearOutput()
        buffers.recordCount = 0
        counters.closed(reason)
        counters.set(.connectionsOpen, slots.count)
        if acceptPausedUntil != nil { resumeAccepting() }
    }

    /// Tells epoll what to report. Edge-triggered: one registration serves the whole life, but for
    /// a peer that reads slowly.
    func watch(_ connection: Connection, _ interest: Interest) {
        if connection.interest == interest { return }
        // Being told of writability once too often costs less than a call to take it back.
        if connection.interest == .edgeReadWrite { return }
        let token = connection.token.rawValue
        do throws(SystemError) {
            if connection.interest.isEmpty {
                try poller.add(connection.socket.raw, interest, token: token)
            } else {
                try poller.modify(connection.socket.raw, interest, token: token)
            }
            connection.interest = interest
        } catch {
            shared.report("watching a connection: \(error)")
            close(connection, .internalError)
        }
    }
}

extension CloseReason {
    /// Why a TLS session ended.
    init(_ failure: TLSFailure, handshaking: Bool) {
        switch failure.cause {
        case .notTLS: self = .notTLS
        case .handshakeTooLong, .handshake, .certificate: self = .handshakeFailed
        case .alertReceived: self = handshaking ? .handshakeFailed : .brokenTLS
        case .controlFlood: self = .controlFlood
        case .record: self = .brokenTLS
        case .unusable: self = handshaking ? .handshakeFailed : .brokenTLS
        }
    }
}
