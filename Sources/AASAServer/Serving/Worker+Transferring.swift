import HTTP
import OpenSSL
import Reactor

/// Processes connections whose handshake has begun: reads, decrypts, answers, encrypts, writes,
/// within a connection's share of the turn.
extension Worker {
    /// Between two tries: a read from etcd takes some milliseconds.
    private static var challengePause: Duration { .milliseconds(50) }

    /// How long a worker may sleep because of challenges that are being looked up.
    var challengeTimeout: Duration? { awaitingChallenge.isEmpty ? nil : Self.challengePause }

    /// Retries the connections whose challenge is being looked up.
    func retryChallenges() {
        guard !awaitingChallenge.isEmpty, now - challengesTriedAt >= Self.challengePause
        else { return }
        challengesTriedAt = now
        let tokens = awaitingChallenge
        awaitingChallenge = []
        for token in tokens {
            if let connection = table[token] { table.queue(connection) }
        }
    }

    /// Reads, works and writes.
    func transfer(_ connection: Connection) {
        let began = connection.countsAsHandshake ? MonotonicInstant.now() : nil
        receive(connection)
        workOn(connection)
        if let began, !connection.countsAsHandshake, connection.machine.requestCount > 0 {
            admission.completionTook(nanoseconds: (MonotonicInstant.now() - began).inNanoseconds)
        }
    }

    /// Sends what the kernel did not take, then continues.
    func resumeOutput(_ connection: Connection) {
        if FaultInjection.isBack(.readsBehindAnswers) {
            receive(connection)
            connection.tls?.keepUnread(transport)
        }
        switch sendUnsent(connection) {
        case .blocked: table.arm(connection)
        case .failed: closeFailed(connection)
        case .sent:
            guard let reason = connection.machine.outputDrained() else {
                return transfer(connection)
            }
            endOutput(connection, reason)
        }
    }

    /// One recv, if the socket may hold something.
    private func receive(_ connection: Connection) {
        guard connection.machine.mayReceive || FaultInjection.isBack(.readsBehindAnswers)
        else { return }
        guard let bytes = read(connection) else { return }
        if connection.countsAsHandshake {
            admission.peerSpoke(connection.token, now: now)
        }
        transport.receive(bytes)
    }

    /// Processes what was received, and what more arrives, within a connection's share of the turn.
    func workOn(_ connection: Connection) {
        var action = ConnectionStateMachine.WorkAction.receive
        for round in 0..<limits.receivesPerTurn where action == .receive {
            // What was received has to be processed now: the next connection uses the same buffers.
            if round > 0 { receive(connection) }
            guard connection.isOpen, let tls = connection.tls else { return }
            step(connection, tls)
            if holdsOutput {
                // Never sent to another client, whatever becomes of this one.
                assertionFailure("output of a connection stayed in the shared buffers")
                close(connection, .internalError)
            }
            guard connection.isOpen else { return }
            if connection.tls != nil { tls.keepUnread(transport) }
            action = connection.machine.worked(holdsInput: connection.holdsInput)
            assert(
                connection.keptInputBytes <= limits.inputBytesPerConnection
                    || FaultInjection.isBack(.readsBehindAnswers))
        }
        // ``retryChallenges()`` alone tries a waiting validator again, whatever it sends.
        if action != .rest, connection.tls?.awaitsChallenge != true { table.queue(connection) }
        watch(connection, connection.machine.isBlocked ? .edgeReadWrite : .edgeRead)
        table.arm(connection)
    }

    private func step(_ connection: Connection, _ tls: TLSSession) {
        let isNew = connection.machine.isHandshaking
        if isNew {
            switch tls.handshake(transport) {
            case .done: completeHandshake(connection, tls)
            case .wantsInput:
                if tls.awaitsChallenge { return awaitingChallenge.append(connection.token) }
                if flush(connection) == .sent, connection.machine.inputHasEnded {
                    close(connection, .handshakeAbandoned)
                }
                return
            case .failed(let failure): return failTLS(connection, failure)
            }
        }
        if let exchange = connection.http1 {
            stepHTTP1(connection, exchange, tls)
        } else if let session = connection.http2 {
            stepHTTP2(connection, session, tls)
        }
        if isNew, connection.machine.requestCount == 0, connection.isOpen {
            // The client's Finished came alone. Without session tickets we have nothing to send
            // now. A client with Nagle's algorithm would hold its request back until our delayed
            // acknowledgement, so it would lose 40 ms.
            connection.socket.acknowledgeAtOnce()
        }
    }

    private func completeHandshake(_ connection: Connection, _ tls: TLSSession) {
        connection.machine.handshakeCompleted(now: now)
        handshakeEnded(connection, completed: true)
        let agreed = tls.negotiated
        counters.add(agreed.version == .tls13 ? .handshakesTLS13 : .handshakesTLS12)
        if agreed.isResumed { counters.add(.handshakesResumed) }
        counters.record(
            .handshakeTime, nanoseconds: (now - connection.handshakeAt).inNanoseconds)
        if agreed.applicationProtocol == nil, tls.isChallenge {
            return shutDown(connection, .challengeAnswered)
        }
        guard agreed.applicationProtocol == .http2 else {
            connection.http1 = HTTP1Exchange(limits: limits.http1)
            return
        }
        do throws(HTTP2Error) {
            let session = try HTTP2ServerSession(
                settings: http2Settings, date: date, now: now.unsigned)
            // The drain began before there was a session to tell.
            if connection.machine.isDraining { session.drain() }
            connection.http2 = session
        } catch {
            shared.report("an HTTP/2 session could not be created: \(error)")
            close(connection, .internalError)
        }
    }

    /// Everything for now is encrypted: sends it, and continues with what follows the answers.
    func finishWriting(_ connection: Connection) {
        encryptRecord(connection)
        if let reason = connection.machine.endsBehindAnswer {
            return shutDown(connection, reason)
        }
        guard flush(connection) == .sent else { return }
        if connection.machine.isAnswering {
            let began = connection.machine.answeringSince
            counters.record(.answerTime, nanoseconds: now.nanoseconds - began.nanoseconds)
            let isUnderPressure =
                shedding.isMemoryShort
                || admission.hasWaiter(
                    longerThan: limits.admission.overloadAge, now: now)
            if let reason = connection.machine.answersCompleted(
                now: now, underPressure: isUnderPressure)
            {
                return shutDown(connection, reason)
            }
            // A head that began behind the request: its time begins now, as the answer is done.
            if connection.http1?.holdsHead == true {
                connection.machine.headBegan(now: now)
            }
        }
        if connection.machine.inputHasEnded, let reason = connection.machine.inputDidEnd() {
            close(connection, reason)
        }
    }
}
