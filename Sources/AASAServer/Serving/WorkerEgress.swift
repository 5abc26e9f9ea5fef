import Reactor

// Measuring what large answers still have to travel.
extension Worker {
    /// A large answer begins on this connection.
    func trackEgress(_ connection: Connection, bytes: Int) {
        shedding.began(bytes: bytes)
        if connection.largeSince == nil { large.append(connection.token) }
        connection.largeBytes = bytes + (connection.largeSince == nil ? 0 : connection.largeBytes)
        connection.largeSince = now
    }

    /// Asks the sockets of large answers how much is still under way, if it is time.
    func sampleEgress() {
        if large.isEmpty || !shedding.isSampleDue(now: now) { return }
        var kernelBytes = 0
        var ownBytes = 0
        var slow = 0
        var whole = 0
        large.removeAll { token in
            guard let connection = slots[token], let since = connection.largeSince else {
                return true
            }
            let queued = connection.socket.unacknowledgedBytes
            let own = connection.unsent.count + connection.exchange.unencryptedCount
            if queued + own == 0 {
                shedding.completed(after: now - since)
                connection.largeSince = nil
                // It lingered for the answer's sake: from now on only for the peer's close.
                if case .lingering(let reason) = connection.machine.phase {
                    connection.machine.lingerBegan(now: now, reason: reason)
                    arm(connection)
                }
                return true
            }
            let age = now - since
            if age > shedding.slowAnswerTime && age <= shedding.egressTimeMaximum { slow += 1 }
            whole += connection.largeBytes
            kernelBytes += queued
            ownBytes += own
            return false
        }
        shedding.sampled(
            kernelBytes: kernelBytes, ownBytes: ownBytes, whole: whole, slow: slow, now: now)
    }
}
