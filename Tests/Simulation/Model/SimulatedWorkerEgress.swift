import AASAServer
import Reactor

// `Egress.swift`: measuring what large answers still have to travel.
extension SimulatedWorker {
    func gave(_ connection: SimulatedConnection, _ count: Int) {
        shedding.sent(count)
        connection.givenBytes += count
        connection.givenAt = now
        if connection.large != nil { return }
        connection.unseenBytes += count
        let most = limits.shedding.largeAnswerBytes
        if connection.unseenBytes <= most || connection.machine.isHandshaking { return }
        connection.unseenBytes = connection.peer.unacknowledged
        world.stolen += CostModel.ask
        if connection.unseenBytes <= most { return }
        large.append(connection.token)
        connection.large = held(connection)
    }

    private func held(_ connection: SimulatedConnection) -> LargeAnswer {
        shedding.began(bytes: connection.unseenBytes)
        return LargeAnswer(
            bytes: connection.unseenBytes, behind: nil,
            acknowledged: connection.givenBytes - connection.unseenBytes,
            end: connection.givenBytes, now: connection.givenAt)
    }

    func trackEgress(_ connection: SimulatedConnection, bytes: Int) {
        let isProbe = nextIsProbe
        nextIsProbe = false
        if bytes <= limits.shedding.largeAnswerBytes { return }
        shedding.began(bytes: bytes, isBehind: connection.large != nil)
        if let earlier = connection.large {
            ended(earlier, of: connection, hasArrived: false)
        } else {
            large.append(connection.token)
        }
        connection.large = LargeAnswer(
            bytes: bytes, behind: connection.large,
            acknowledged: connection.givenBytes - connection.unseenBytes,
            end: connection.givenBytes + connection.unsentBytes + bytes, now: now)
        connection.large?.isProbe = isProbe
    }

    private func ended(
        _ answer: LargeAnswer, of connection: SimulatedConnection, hasArrived: Bool
    ) {
        if answer.isProbe, !answer.wasPaused {
            probes.ended(
                wasEarly: hasArrived && shedding.isEarly(answer, now: now),
                network: connection.peer.network, now: now)
        }
        if hasArrived {
            shedding.completed(answer, now: now)
        } else {
            shedding.abandoned(begunAt: answer.since)
        }
    }

    /// `Egress.judge`.
    func judge(_ connection: SimulatedConnection, bytes: Int, waited: Duration?) -> ShedCause? {
        let cause = shedding.judge(
            now: now, userAgent: nil, bytes: (connection.large?.bytes ?? 0) + bytes,
            waited: waited)
        guard cause == .egress else { return cause }
        if !probes.isFree(now: now) {
            nextIsProbe = probes.letThrough(network: connection.peer.network, now: now)
            if !nextIsProbe { return cause }
        }
        return shedding.spendsBudget(isCrawler: false) ? nil : .budget
    }

    func forgetEgress(_ connection: SimulatedConnection) {
        guard let answer = connection.large else { return }
        connection.large = nil
        let left = connection.unsentBytes + connection.exchange.unencryptedCount
        ended(
            answer, of: connection,
            hasArrived: LargeAnswer.hasArrived(left: left + connection.peer.unacknowledged)
                && !connection.exchange.awaitsWindow)
    }

    func takeDelivered() -> SlotToken? {
        for token in large.prefix(256) {
            guard let connection = slots[token], let answer = connection.large,
                connection.machine.isIdleAfterAnswer,
                now - answer.since > limits.shedding.travelsKnown
            else { continue }
            connection.large = nil
            ended(answer, of: connection, hasArrived: false)
            shedding.leftToKernel(bytes: connection.peer.unacknowledged, of: answer.bytes)
            return token
        }
        return nil
    }

    func sampleEgress() {
        if large.isEmpty || !shedding.isSampleDue(now: now) { return }
        var sample = EgressSample()
        let stallLimits = shedding.stallLimits(answers: large.count)
        large.removeAll { token in
            guard let connection = slots[token], connection.large != nil else { return true }
            return look(connection, &sample, stallLimits)
        }
        shedding.sampled(sample, now: now)
        boundStalledReaders()
    }

    /// - Returns: whether nothing of it is under way any more.
    private func look(
        _ connection: SimulatedConnection, _ sample: inout EgressSample,
        _ stallLimits: LargeAnswer.StallLimits
    ) -> Bool {
        guard var answer = connection.large else { return true }
        let queued = connection.peer.unacknowledged
        world.stolen += CostModel.ask
        let own = connection.unsentBytes + connection.exchange.unencryptedCount
        let look = answer.look(
            queued: queued, own: own, acknowledged: connection.givenBytes - queued,
            awaitsWindow: connection.exchange.awaitsWindow, now: now,
            answerTime: limits.answerTime,
            stallLimits: stallLimits, isWindowClosed: { isWindowClosed(connection.peer) })
        sample.add(
            answer, look, queued: queued, own: own, now: now, slowAfter: shedding.slowAnswerTime,
            slowUntil: shedding.egressTimeMaximum,
            travelsKnown: shedding.travelsKnown)
        switch look {
        case .arrived:
            ended(answer, of: connection, hasArrived: true)
            stalledReaders.remove(connection.token)
            connection.unseenBytes = queued
            if queued > limits.shedding.largeAnswerBytes {
                connection.large = held(connection)
                return false
            }
            connection.large = nil
            connection.machine.lingeringAnswerArrived(now: now)
            arm(connection)
            return true
        case .late:
            close(connection, .slowReader, abort: true)
            return true
        case .travels, .heldBack:
            if answer.isReadTooSlowly(
                now: now, grace: limits.answerGraceTime,
                bytesPerSecond: limits.answerBytesPerSecondMinimum)
            {
                noteStalled(connection)
            } else if look == .travels {
                stalledReaders.remove(connection.token)
            }
        case .stalled: noteStalled(connection)
        }
        if answer.age(at: now) > shedding.slowAnswerTime {
            probes.tookLong(network: connection.peer.network, now: now)
        }
        connection.large = answer
        return false
    }

    private func noteStalled(_ connection: SimulatedConnection) {
        if stalledReaders.contains(connection.token) { return }
        stalledReaders.add(connection.token, now: now)
    }

    /// `TCP_INFO`.
    private func isWindowClosed(_ peer: Peer) -> Bool {
        world.stolen += CostModel.ask
        return peer.inFlight == 0 && peer.outboxBytes > 0 && peer.window == 0
    }

    private func boundStalledReaders() {
        stalledReaders.turnBegan(now: now)
        let most = areBuffersShort ? 0 : limits.shedding.stalledReadersMaximum
        while stalledReaders.count > most {
            guard
                let token = stalledReaders.firstToEvict
                    ?? stalledReaders.leastRecent(silentFor: .zero, now: now)
            else { return }
            stalledReaders.remove(token)
            guard let connection = slots[token] else { continue }
            close(connection, .slowReader, abort: true)
        }
    }
}
