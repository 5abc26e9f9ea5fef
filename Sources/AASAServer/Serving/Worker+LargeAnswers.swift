import HTTP
import Reactor

/// The large answers that have not arrived yet: asks their sockets, and distinguishes a full link
/// from readers that do not read.
extension Worker {
    // MARK: What is observed

    /// The kernel took bytes. Unread small answers hold as much as a large one: two
    /// hundred of 9 KB held 380 KB for each handshake, for 25 s, unnoticed.
    func noteGiven(_ connection: Connection, _ count: Int) {
        connection.givenBytes += count
        connection.givenAt = now
        if connection.large != nil { return }
        connection.unseenBytes += count
        let most = limits.shedding.largeAnswerBytes
        if connection.unseenBytes <= most || connection.machine.isHandshaking { return }
        connection.unseenBytes = connection.socket.unacknowledgedBytes
        if connection.unseenBytes <= most { return }
        largeAnswers.append(connection.token)
        connection.large = held(connection)
    }

    /// All that the kernel holds of a connection, as one answer. None of it came later than the
    /// last: a peer that reads a little of it now and then gets no more time.
    private func held(_ connection: Connection) -> LargeAnswer {
        shedding.link.began(bytes: connection.unseenBytes)
        return LargeAnswer(
            bytes: connection.unseenBytes, behind: nil,
            acknowledged: connection.givenBytes - connection.unseenBytes,
            end: connection.givenBytes, now: connection.givenAt)
    }

    /// An answer begins on this connection.
    func followAnswer(_ connection: Connection, bytes: Int) {
        if bytes <= limits.shedding.largeAnswerBytes { return }
        shedding.link.began(bytes: bytes, isBehind: connection.large != nil)
        if connection.large == nil { largeAnswers.append(connection.token) }
        connection.large = LargeAnswer(
            bytes: bytes, behind: connection.large,
            acknowledged: connection.givenBytes - connection.unseenBytes,
            end: connection.givenBytes + connection.unsent.count + bytes, now: now)
    }

    /// The connection is about to be closed, with what it still had to send.
    func forgetAnswer(_ connection: Connection) {
        guard let answer = connection.large else { return }
        connection.large = nil
        stalledReaders.remove(connection.token)
        let left = connection.ownBytes + connection.socket.unacknowledgedBytes
        shedding.link.ended(
            answer,
            hasArrived: LargeAnswer.hasArrived(left: left) && connection.openRequests == 0,
            progress: max(0, answer.left - left), now: now)
    }

    // MARK: Who gives way

    /// The oldest large answer that the kernel holds whole, on a connection with nothing else under
    /// way. The caller closes the connection; the kernel continues to deliver the answer.
    func takeDelivered() -> Connection? {
        for token in largeAnswers.prefix(256) {
            guard let connection = table[token], let answer = connection.large,
                connection.machine.isIdleAfterAnswer, !connection.socket.hasUnreadBytes,
                now - answer.since > limits.shedding.travelsKnown
            else { continue }
            connection.large = nil
            shedding.link.lostSight(left: connection.socket.unacknowledgedBytes)
            return connection
        }
        return nil
    }

    /// How long the loop may sleep because of the large answers; `nil`: no limit.
    var sampleTimeout: Duration? { largeAnswers.isEmpty ? nil : limits.shedding.samplePeriod }

    /// Asks the sockets of large answers how much is still under way, if it is time, and closes the
    /// readers that are too slow or do not read.
    func sampleLargeAnswers() {
        if largeAnswers.isEmpty || !shedding.link.isSampleDue(now: now) { return }
        var tooSlow: [Connection] = []
        var underWay = largeAnswers
        largeAnswers = []
        underWay.removeAll { token in
            guard let connection = table[token], var answer = connection.large else { return true }
            let queued = connection.socket.unacknowledgedBytes
            let own = connection.ownBytes
            let before = answer.left
            let look = answer.look(
                queued: queued, own: own, acknowledged: connection.givenBytes - queued,
                awaitsWindow: connection.openRequests > 0, now: now,
                answerTime: limits.answerTime,
                stallTolerated: limits.shedding.stallTolerated,
                isWindowClosed: { connection.socket.tcpInfo?.isWindowClosed == true })
            shedding.link.saw(
                &answer, look, left: queued + own, progress: before - answer.left, now: now)
            switch look {
            case .arrived:
                shedding.link.ended(answer, hasArrived: true, progress: 0, now: now)
                stalledReaders.remove(connection.token)
                connection.unseenBytes = queued
                // Those behind it on a connection that is never without an answer under way.
                if queued > limits.shedding.largeAnswerBytes {
                    connection.large = held(connection)
                    return false
                }
                answerArrived(connection)
                return true
            case .late:
                tooSlow.append(connection)
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
            connection.large = answer
            return false
        }
        largeAnswers = underWay
        shedding.link.sampled(now: now)
        for reader in tooSlow { abort(reader, .slowReader) }
        // When memory is short, readers that do not read are closed before any other client is
        // refused.
        let most = areBuffersShort ? 0 : limits.shedding.stalledReadersMaximum
        while stalledReaders.count > most, let token = stalledReaders.first(.young)?.token {
            stalledReaders.remove(token)
            if let reader = table[token] { abort(reader, .slowReader) }
        }
    }

    private func answerArrived(_ connection: Connection) {
        connection.large = nil
        // It lingered for the answer; from now on it lingers only for the peer's close.
        connection.machine.lingeringAnswerArrived(now: now)
        table.arm(connection)
    }

    private func noteStalled(_ connection: Connection) {
        if stalledReaders.contains(connection.token) { return }
        stalledReaders.add(connection.token, since: now)
    }
}
