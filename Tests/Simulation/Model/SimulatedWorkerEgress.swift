import AASAServer
import Reactor

// `Egress.swift`: measuring what large answers still have to travel.
extension SimulatedWorker {
    func trackEgress(_ connection: SimulatedConnection, bytes: Int) {
        shedding.began(bytes: bytes)
        if let earlier = connection.large {
            shedding.abandoned(begunAt: earlier.since)
        } else {
            large.append(connection.token)
        }
        let whole = bytes + (connection.large?.bytes ?? 0)
        connection.large = SimulatedLargeAnswer(
            since: now, bytes: whole, left: .max, progressedAt: now)
    }

    func forgetEgress(_ connection: SimulatedConnection) {
        guard let answer = connection.large else { return }
        connection.large = nil
        let left = connection.unsentBytes + connection.exchange.unencryptedCount
        if left + connection.peer.unacknowledged == 0 {
            shedding.completed(after: now - answer.since)
        } else {
            shedding.abandoned(begunAt: answer.since)
        }
    }

    func sampleEgress() {
        if large.isEmpty || !shedding.isSampleDue(now: now) { return }
        var sample = EgressSample()
        large.removeAll { token in
            guard let connection = slots[token], connection.large != nil else { return true }
            return look(connection, &sample)
        }
        shedding.sampled(sample, now: now)
        boundStalledReaders()
    }

    private func look(_ connection: SimulatedConnection, _ sample: inout EgressSample) -> Bool {
        guard var answer = connection.large else { return true }
        let queued = connection.peer.unacknowledged
        world.stolen += CostModel.ask
        let own = connection.unsentBytes + connection.exchange.unencryptedCount
        let age = now - answer.since
        if queued + own == 0 {
            shedding.completed(after: age)
            connection.large = nil
            stalledReaders.remove(connection.token)
            connection.machine.lingeringAnswerArrived(now: now)
            arm(connection)
            return true
        }
        if age >= limits.answerTime {
            close(connection, .slowReader, abort: true)
            return true
        }
        var isHeldBack = answer.isStalled
        if queued + own < answer.left {
            answer.left = queued + own
            answer.progressedAt = now
            answer.isStalled = false
            isHeldBack = false
            stalledReaders.remove(connection.token)
        } else if !answer.isStalled, isWindowClosed(connection.peer) {
            isHeldBack = true
            if now - answer.progressedAt >= limits.shedding.stallTolerated {
                answer.isStalled = true
                stalledReaders.add(connection.token, network: connection.peer.network, now: now)
            }
        }
        connection.large = answer
        let isSlow = age > shedding.slowAnswerTime && age <= shedding.egressTimeMaximum
        if isHeldBack {
            sample.stalledKernelBytes += queued
            if isSlow { sample.stalledAnswers += 1 }
        } else {
            sample.kernelBytes += queued
            sample.ownBytes += own
            sample.wholeBytes += answer.bytes
            if isSlow { sample.slowAnswers += 1 }
        }
        return false
    }

    private func isWindowClosed(_ peer: Peer) -> Bool {
        peer.inFlight == 0 && peer.outboxBytes > 0 && peer.window != nil
    }

    private func boundStalledReaders() {
        stalledReaders.turnBegan(now: now)
        while stalledReaders.count > limits.shedding.stalledReadersMaximum {
            guard
                let token = stalledReaders.firstToGo
                    ?? stalledReaders.leastRecent(silentFor: .zero, now: now)
            else { return }
            stalledReaders.remove(token)
            guard let connection = slots[token] else { continue }
            close(connection, .slowReader, abort: true)
        }
    }
}
