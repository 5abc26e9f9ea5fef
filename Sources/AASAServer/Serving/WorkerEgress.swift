import Reactor

// Measuring what large answers still have to travel.
extension Worker {
    /// A large answer begins on this connection.
    func trackEgress(_ connection: Connection, bytes: Int) {
        shedding.began(bytes: bytes)
        if connection.large == nil { large.append(connection.token) }
        let whole = bytes + (connection.large?.bytes ?? 0)
        connection.large = LargeAnswer(
            since: now, bytes: whole, left: .max, progressedAt: now)
    }

    /// Asks the sockets of large answers how much is still under way, if it is time.
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

    /// - Returns: whether nothing of it is under way any more.
    private func look(_ connection: Connection, _ sample: inout EgressSample) -> Bool {
        guard var answer = connection.large else { return true }
        let queued = connection.socket.unacknowledgedBytes
        let own = connection.unsent.count + connection.exchange.unencryptedCount
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
            // The kernel would go on offering it.
            connection.socket.abortOnClose()
            close(connection, .slowReader)
            return true
        }
        if queued + own < answer.left {
            answer.left = queued + own
            answer.progressedAt = now
            answer.isStalled = false
            stalledReaders.remove(connection.token)
        } else if !answer.isStalled,
            now - answer.progressedAt >= limits.shedding.stallTolerated,
            connection.socket.tcpInfo?.isWindowClosed == true
        {
            answer.isStalled = true
            stalledReaders.add(
                connection.token, network: connection.peer?.network ?? 0, now: now)
        }
        connection.large = answer
        let isSlow = age > shedding.slowAnswerTime && age <= shedding.egressTimeMaximum
        if answer.isStalled {
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

    private func boundStalledReaders() {
        stalledReaders.turnBegan(now: now)
        while stalledReaders.count > limits.shedding.stalledReadersMaximum {
            guard
                let token = stalledReaders.firstToGo
                    ?? stalledReaders.leastRecent(silentFor: .zero, now: now)
            else { return }
            stalledReaders.remove(token)
            guard let connection = slots[token] else { continue }
            connection.socket.abortOnClose()
            close(connection, .slowReader)
        }
    }
}
