import AASAServer
import HTTP
import Reactor

// `ConnectionHandler`, `ConnectionIO` and `Ending`: moving the bytes of connections under way.
extension SimulatedWorker {
    func perform(
        _ action: ConnectionStateMachine.ReadyAction, _ connection: SimulatedConnection
    ) {
        switch action {
        case .ignore: return
        case .transfer: return transfer(connection)
        case .sendUnsent: return resumeOutput(connection)
        case .discard: return discardInput(connection)
        case .helloArrived: helloArrived(connection, someTimeAgo: false)
        case .helloArrivedSomeTimeAgo: helloArrived(connection, someTimeAgo: true)
        case .readHello: helloGoesOn(connection)
        case .leftUnseen: leftUnseen(connection)
        case .leftWhileWaiting: leftWhileWaiting(connection)
        case .close(let reason): close(connection, reason)
        }
        arm(connection)
    }

    private func resumeOutput(_ connection: SimulatedConnection) {
        // The old defect read on while output waited.
        if holes.contains(.readsBehindAnswers) {
            receive(connection)
            guard connection.isOpen else { return }
            keepUnread(connection)
            laws.moved(connection, self)
        }
        switch sendUnsent(connection) {
        case .blocked: arm(connection)
        case .closed: break
        case .sent:
            switch connection.machine.outputDrained() {
            case .endOutput(let reason): endOutput(connection, reason)
            case .goOn: transfer(connection)
            }
        }
    }

    func transfer(_ connection: SimulatedConnection) {
        let began = world.instant
        let wasHandshake = connection.countsAsHandshake
        receive(connection)
        proceedAfterReceiving(connection)
        let took = (world.instant - began).inNanoseconds
        world.statistics.charge(connection.peer, took)
        laws.moved(connection, self)
        if wasHandshake, !connection.countsAsHandshake, connection.machine.requestCount > 0 {
            admission.completionTook(nanoseconds: took)
        }
    }

    private func mayReceive(_ connection: SimulatedConnection) -> Bool {
        if holes.contains(.readsBehindAnswers) {
            return connection.peer.isReadable && !connection.machine.inputHasEnded
        }
        return connection.machine.mayReceive
    }

    private func receive(_ connection: SimulatedConnection) {
        guard mayReceive(connection) else { return }
        switch world.receive(connection.peer) {
        case .pieces(let pieces, _, let filled):
            connection.machine.received(filled: filled)
            if connection.countsAsHandshake { admission.peerSpoke(connection.token, now: now) }
            offer(Array(pieces))
        case .wouldBlock: connection.machine.receivedNothing()
        case .endOfStream: connection.machine.receivedEnd()
        case .failed: close(connection, connection.machine.networkFailure())
        }
    }

    func proceedAfterReceiving(_ connection: SimulatedConnection) {
        var action = ConnectionStateMachine.WorkAction.receive
        for round in 0..<limits.receivesPerTurn where action == .receive {
            if round > 0 { receive(connection) }
            guard connection.isOpen, connection.tls != nil else { return }
            step(connection)
            guard connection.isOpen else { return }
            keepUnread(connection)
            let holdsInput = connection.exchange.isAnswering || connection.tls?.hasKept ?? false
            action = connection.machine.worked(holdsInput: holdsInput)
        }
        if action != .rest { queue(connection) }
        watch(connection, forOutput: connection.machine.isBlocked)
        arm(connection)
    }

    private func step(_ connection: SimulatedConnection) {
        if connection.machine.isHandshaking {
            switch handshake(connection) {
            case .done:
                connection.machine.handshakeCompleted(now: now)
                endHandshake(connection, completed: true)
                beginExchange(connection)
            case .wantsInput:
                if flush(connection) == .sent, connection.machine.inputHasEnded {
                    close(connection, .handshakeAbandoned)
                }
                return
            case .failed: return failTLS(connection, .handshakeFailed)
            }
        }
        switch connection.exchange {
        case .none: break
        case .http1(let exchange): stepHTTP1(connection, exchange)
        case .http2(let exchange): stepHTTP2(connection, exchange)
        }
    }

    private func beginExchange(_ connection: SimulatedConnection) {
        if connection.peer.kind.speaksHTTP2 {
            let window = connection.peer.kind == .closedWindow ? 0 : Int.max
            connection.exchange = .http2(
                SimulatedHTTP2(limits: limits.http2, window: window, now: now))
        } else {
            connection.exchange = .http1(SimulatedHTTP1(limits: limits.http1))
        }
    }

    /// Whether, and why, the document is answered 503; the answer either way.
    func respond(on connection: SimulatedConnection) -> Message {
        world.spend(CostModel.request)
        let bytes = world.scenario.machine.documentBytes
        var waited: Duration?
        if isLate, bytes > limits.shedding.largeAnswerBytes, connection.machine.requestCount > 0 {
            waited = world.instant - MonotonicInstant(nanoseconds: connection.peer.lastDataAt)
        }
        if let cause = judge(connection, bytes: bytes, waited: waited) {
            laws.shed(cause, connection, self)
            return Message(kind: .unavailable, count: Wire.unavailableBytes)
        }
        trackEgress(connection, bytes: bytes)
        return Message(kind: .document, count: bytes + 200)
    }

    // MARK: Output

    func flushRecord(_ connection: SimulatedConnection) {
        if recordCount == 0 { return }
        write(record)
        record.removeAll(keepingCapacity: true)
        recordCount = 0
    }

    /// Encrypts.
    func write(_ messages: [Message]) {
        let count = messages.reduce(0) { $0 + $1.count }
        world.spend(Int64(Double(count) * CostModel.nanosPerByte))
        output.append(contentsOf: messages)
        outputCount += count
    }

    func append(_ message: Message) {
        record.append(message)
        recordCount += message.count
    }

    enum Sending { case sent, blocked, closed }

    func flush(_ connection: SimulatedConnection) -> Sending {
        if output.isEmpty {
            return !connection.isOpen ? .closed : connection.machine.isBlocked ? .blocked : .sent
        }
        defer { clearOutput() }
        var taken = 0
        if !connection.machine.isBlocked {
            guard let count = world.send(connection.peer, output[...]) else {
                close(connection, connection.machine.networkFailure())
                return .closed
            }
            sent(count, connection)
            if count == outputCount { return .sent }
            taken = count
        }
        keepUnsent(connection, output, from: taken)
        connection.machine.outputBlocked()
        return .blocked
    }

    private func keepUnsent(
        _ connection: SimulatedConnection, _ messages: [Message], from taken: Int
    ) {
        var skip = taken
        for message in messages {
            if skip >= message.count {
                skip -= message.count
                continue
            }
            var rest = message
            rest.count -= skip
            skip = 0
            connection.unsent.append(rest)
            connection.unsentBytes += rest.count
        }
    }

    private func sendUnsent(_ connection: SimulatedConnection) -> Sending {
        guard let count = world.send(connection.peer, connection.unsent[...]) else {
            close(connection, connection.machine.networkFailure())
            return .closed
        }
        sent(count, connection)
        let all = connection.unsent
        connection.unsent = []
        connection.unsentBytes = 0
        keepUnsent(connection, all, from: count)
        return connection.unsent.isEmpty ? .sent : .blocked
    }

    private func sent(_ count: Int, _ connection: SimulatedConnection) {
        connection.machine.answerProgressed(bytes: count)
        gave(connection, count)
    }

    func finishWriting(_ connection: SimulatedConnection) {
        flushRecord(connection)
        if let reason = connection.machine.endsBehindAnswer {
            return shutDown(connection, reason)
        }
        guard flush(connection) == .sent else { return }
        if connection.machine.isAnswering {
            switch connection.machine.answersCompleted(
                now: now, underPressure: isUnderPressure)
            {
            case .keepAlive: break
            case .shutDown(let reason): return shutDown(connection, reason)
            }
        }
        guard connection.machine.inputHasEnded else { return }
        switch connection.machine.inputDidEnd() {
        case .finishAnswer: break
        case .close(let reason): close(connection, reason)
        }
    }

    // MARK: Ending

    func shutDown(_ connection: SimulatedConnection, _ reason: CloseReason) {
        guard connection.isOpen, connection.machine.notify(reason) == .notify else { return }
        connection.peer.closeReason = reason
        flushRecord(connection)
        if connection.tls != nil { write([Message(kind: .closeNotify, count: 24)]) }
        switch flush(connection) {
        case .sent: endOutput(connection, reason)
        case .blocked: watch(connection, forOutput: true)
        case .closed: break
        }
    }

    private func endOutput(_ connection: SimulatedConnection, _ reason: CloseReason) {
        let isQuiet =
            inputStart == input.count && !(connection.tls?.hasKept ?? false)
            && !connection.exchange.hasUnparsed
        let answerIsUnderWay = connection.large != nil && connection.peer.unacknowledged > 0
        switch connection.machine.outputEnded(
            reason, now: now, isQuiet: isQuiet, answerIsUnderWay: answerIsUnderWay)
        {
        case .close(let reason): return close(connection, reason)
        case .linger: world.shutdownWrite(connection.peer)
        }
        connection.exchange = .none
        connection.tls = nil
        offer([])
        watch(connection, forOutput: false)
        discardInput(connection)
    }

    private func discardInput(_ connection: SimulatedConnection) {
        while connection.lingerBytes < limits.lingerBytesMaximum {
            switch world.receive(connection.peer) {
            case .pieces(_, let count, _): connection.lingerBytes += count
            case .wouldBlock: return arm(connection)
            case .endOfStream:
                switch connection.machine.inputDidEnd() {
                case .finishAnswer: return arm(connection)
                case .close(let reason): return close(connection, reason)
                }
            case .failed: return close(connection, connection.machine.networkFailure())
            }
        }
        close(connection, connection.machine.networkFailure())
    }

    func failTLS(_ connection: SimulatedConnection, _ reason: CloseReason) {
        guard connection.machine.notify(reason) == .notify else { return }
        connection.peer.closeReason = reason
        endHandshake(connection)
        record.removeAll(keepingCapacity: true)
        recordCount = 0
        switch flush(connection) {
        case .sent: endOutput(connection, reason)
        case .blocked: watch(connection, forOutput: true)
        case .closed: break
        }
    }

    func close(_ connection: SimulatedConnection, _ reason: CloseReason, abort: Bool = false) {
        let phase = connection.machine.phase
        guard connection.machine.closed(reason) == .release else { return }
        connection.peer.phaseAtClose = phase
        closedCount += 1
        slots.remove(connection.token)
        timers.clear(connection.token.index)
        endHandshake(connection)
        admission.forget(connection.token)
        hellos.remove(connection.token)
        forgetHello(connection)
        stalledReaders.remove(connection.token)
        forgetEgress(connection)
        connection.unsent = []
        connection.unsentBytes = 0
        connection.exchange = .none
        connection.tls = nil
        world.statistics.closed[Int(reason.rawValue)] += 1
        world.close(connection.peer, reason, abort: abort)
        offer([])
        clearOutput()
        record.removeAll(keepingCapacity: true)
        recordCount = 0
    }

    func watch(_ connection: SimulatedConnection, forOutput: Bool) {
        if connection.isWatched, connection.watchesOutput || !forOutput { return }
        connection.isWatched = true
        connection.watchesOutput = forOutput
        world.watch(connection.peer, forOutput: forOutput)
    }
}
