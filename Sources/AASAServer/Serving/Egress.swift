import HTTP
import Reactor

/// What large answers still have to travel: asks their sockets, and tells a full link from readers
/// that do not read.
final class Egress {
    private let limits: ServerLimits
    private let table: ConnectionTable
    @ThreadOwned private var shedding: ShedController
    /// Readers of large answers that do not read.
    @ThreadOwned private var stalledReaders: SilentPeers
    /// Connections with a large answer under way.
    @ThreadOwned private var large: [SlotToken]

    init(limits: ServerLimits, table: ConnectionTable, now: MonotonicInstant) {
        self.limits = limits
        self.table = table
        shedding = ShedController(limits: limits.shedding, now: now)
        stalledReaders = SilentPeers(grace: .zero)
        large = []
    }

    deinit {
        _shedding.free()
        _stalledReaders.free()
        _large.free()
    }

    // MARK: What is decided

    /// Why a document of so many bytes must not be sent now, if so.
    func judge(
        _ connection: Connection, bytes: Int, now: MonotonicInstant,
        userAgent: UnsafeRawBufferPointer?, waited: Duration?
    ) -> ShedCause? {
        shedding.judge(
            now: now, userAgent: userAgent, bytes: (connection.large?.bytes ?? 0) + bytes,
            waited: waited)
    }

    /// Memory is short: documents wait for better times.
    var isMemoryShort: Bool {
        get { shedding.isMemoryShort }
        set { shedding.isMemoryShort = newValue }
    }

    /// The kernel's memory for TCP runs out, or memory at all: readers that do not read give way.
    var areBuffersShort = false

    /// The server stops, and ends what is not answered by then.
    func drain(until instant: MonotonicInstant) { shedding.drain(until: instant) }

    // MARK: What is observed

    /// The kernel took bytes.
    func sent(_ count: Int) { shedding.sent(count) }

    /// An answer begins on this connection.
    func began(_ connection: Connection, bytes: Int, now: MonotonicInstant) {
        if bytes <= limits.shedding.largeAnswerBytes { return }
        shedding.began(bytes: bytes, isBehind: connection.large != nil)
        if let earlier = connection.large {
            shedding.abandoned(begunAt: earlier.since)
        } else {
            large.append(connection.token)
        }
        connection.large = LargeAnswer(bytes: bytes, behind: connection.large, now: now)
    }

    /// The connection is about to be closed, with what it still had to send.
    func forget(_ connection: Connection, now: MonotonicInstant) {
        guard let answer = connection.large else { return }
        connection.large = nil
        stalledReaders.remove(connection.token)
        let own = connection.unsent.count + connection.exchange.unencryptedCount
        let left = own + connection.socket.unacknowledgedBytes
        if LargeAnswer.hasArrived(left: left), !connection.exchange.awaitsWindow {
            shedding.completed(bytes: answer.bytes, after: now - answer.since)
        } else {
            shedding.abandoned(begunAt: answer.since)
        }
    }

    // MARK: Who gives way

    /// A reader that does not read.
    var stalledReader: SlotToken? {
        stalledReaders.firstToGo
            ?? stalledReaders.leastRecent(silentFor: .zero, now: .distantFuture)
    }

    /// The oldest large answer that the kernel holds whole, of a connection where nothing else is
    /// under way. It is to be closed now: the kernel goes on to deliver it.
    func takeDelivered(now: MonotonicInstant) -> Connection? {
        for token in large.prefix(Self.looksAtMost) {
            guard let connection = table[token], let answer = connection.large,
                connection.machine.isIdleAfterAnswer,
                now - answer.since > limits.shedding.travelsKnown
            else { continue }
            connection.large = nil
            shedding.abandoned(begunAt: answer.since)
            shedding.leftToKernel(
                bytes: connection.socket.unacknowledgedBytes, of: answer.bytes)
            return connection
        }
        return nil
    }

    private static let looksAtMost = 256

    /// How long the loop may sleep for this part's sake; `nil`: as long as it likes.
    var timeout: Duration? { large.isEmpty ? nil : limits.shedding.samplePeriod }

    /// Asks the sockets of large answers how much is still under way, if it is time.
    ///
    /// - Returns: the readers that have to go, as they are too slow or do not read.
    func sample(now: MonotonicInstant) -> [Connection] {
        if large.isEmpty || !shedding.isSampleDue(now: now) { return [] }
        var sample = EgressSample()
        var tooSlow: [Connection] = []
        var underWay = large
        let stillness = shedding.stillness(answers: large.count)
        large = []
        underWay.removeAll { token in
            guard let connection = table[token], var answer = connection.large else { return true }
            let queued = connection.socket.unacknowledgedBytes
            let own = connection.unsent.count + connection.exchange.unencryptedCount
            let look = answer.look(
                queued: queued, own: own,
                awaitsWindow: connection.exchange.awaitsWindow, now: now,
                answerTime: limits.answerTime,
                stillness: stillness,
                isWindowClosed: { connection.socket.tcpInfo?.isWindowClosed == true })
            sample.add(
                answer, look, queued: queued, own: own, now: now,
                slowAfter: shedding.slowAnswerTime, slowUntil: shedding.egressTimeMaximum)
            switch look {
            case .arrived(let duration):
                arrived(connection, answer, after: duration, now: now)
                return true
            case .late:
                tooSlow.append(connection)
                return true
            case .travels, .heldBack:
                if answer.isReadTooSlowly(
                    now: now, grace: limits.answerGraceTime,
                    bytesPerSecond: limits.answerBytesPerSecondMinimum)
                {
                    noteStalled(connection, now: now)
                } else if look == .travels {
                    stalledReaders.remove(connection.token)
                }
            case .stalled: noteStalled(connection, now: now)
            }
            connection.large = answer
            return false
        }
        large = underWay
        shedding.sampled(sample, now: now)
        return tooSlow + surplusOfStalledReaders(now: now)
    }

    private func arrived(
        _ connection: Connection, _ answer: LargeAnswer, after duration: Duration,
        now: MonotonicInstant
    ) {
        shedding.completed(bytes: answer.bytes, after: duration)
        connection.large = nil
        stalledReaders.remove(connection.token)
        // It lingered for the answer's sake: from now on only for the peer's close.
        connection.machine.lingeringAnswerArrived(now: now)
        table.arm(connection)
    }

    private func noteStalled(_ connection: Connection, now: MonotonicInstant) {
        if stalledReaders.contains(connection.token) { return }
        stalledReaders.add(connection.token, network: connection.peer?.network ?? 0, now: now)
    }

    /// Before anybody is refused for memory, those give theirs back who do not read what they have.
    private func surplusOfStalledReaders(now: MonotonicInstant) -> [Connection] {
        stalledReaders.turnBegan(now: now)
        var surplus: [Connection] = []
        let most = areBuffersShort ? 0 : limits.shedding.stalledReadersMaximum
        while stalledReaders.count > most {
            guard
                let token = stalledReaders.firstToGo
                    ?? stalledReaders.leastRecent(silentFor: .zero, now: now)
            else { break }
            stalledReaders.remove(token)
            if let connection = table[token] { surplus.append(connection) }
        }
        return surplus
    }
}
