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

    /// Why a document must not be sent now, if so.
    func judge(
        now: MonotonicInstant, userAgent: UnsafeRawBufferPointer?, waited: Duration?
    ) -> ShedCause? {
        shedding.judge(now: now, userAgent: userAgent, waited: waited)
    }

    /// Memory is short: documents wait for better times.
    var isMemoryShort: Bool {
        get { shedding.isMemoryShort }
        set { shedding.isMemoryShort = newValue }
    }

    /// The server stops, and ends what is not answered by then.
    func drain(until instant: MonotonicInstant) { shedding.drain(until: instant) }

    // MARK: What is observed

    /// The kernel took bytes.
    func sent(_ count: Int) { shedding.sent(count) }

    /// An answer begins on this connection.
    func began(_ connection: Connection, bytes: Int, now: MonotonicInstant) {
        if bytes <= limits.shedding.largeAnswerBytes { return }
        shedding.began(bytes: bytes)
        if let earlier = connection.large {
            shedding.abandoned(begunAt: earlier.since)
        } else {
            large.append(connection.token)
        }
        let whole = bytes + (connection.large?.bytes ?? 0)
        connection.large = LargeAnswer(since: now, bytes: whole, left: .max, progressedAt: now)
    }

    /// The connection is about to be closed, with what it still had to send.
    func forget(_ connection: Connection, now: MonotonicInstant) {
        guard let answer = connection.large else { return }
        connection.large = nil
        stalledReaders.remove(connection.token)
        let own = connection.unsent.count + connection.exchange.unencryptedCount
        if own + connection.socket.unacknowledgedBytes == 0 {
            shedding.completed(after: now - answer.since)
        } else {
            shedding.abandoned(begunAt: answer.since)
        }
    }

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
        large = []
        underWay.removeAll { token in
            guard let connection = table[token], var answer = connection.large else { return true }
            switch look(connection, &answer, now: now) {
            case .arrived:
                connection.large = nil
                return true
            case .late:
                tooSlow.append(connection)
                return true
            case .underWay(let queued, let own, let isHeldBack):
                connection.large = answer
                add(
                    answer, queued: queued, own: own, isHeldBack: isHeldBack, to: &sample, now: now)
                return false
            }
        }
        large = underWay
        shedding.sampled(sample, now: now)
        return tooSlow + surplusOfStalledReaders(now: now)
    }

    private enum Look {
        case arrived
        /// It has taken longer than an answer may.
        case late
        /// Bytes that the kernel holds, and that we do; `isHeldBack`: by a closed window, not by
        /// the link.
        case underWay(queued: Int, own: Int, isHeldBack: Bool)
    }

    private func look(
        _ connection: Connection, _ answer: inout LargeAnswer, now: MonotonicInstant
    ) -> Look {
        let queued = connection.socket.unacknowledgedBytes
        let own = connection.unsent.count + connection.exchange.unencryptedCount
        let age = now - answer.since
        if queued + own == 0 {
            shedding.completed(after: age)
            stalledReaders.remove(connection.token)
            // It lingered for the answer's sake: from now on only for the peer's close.
            connection.machine.lingeringAnswerArrived(now: now)
            table.arm(connection)
            return .arrived
        }
        if age >= limits.answerTime { return .late }
        var isHeldBack = answer.isStalled
        if queued + own < answer.left {
            answer.left = queued + own
            answer.progressedAt = now
            answer.isStalled = false
            isHeldBack = false
            stalledReaders.remove(connection.token)
        } else if !answer.isStalled, connection.socket.tcpInfo?.isWindowClosed == true {
            isHeldBack = true
            if now - answer.progressedAt >= limits.shedding.stallTolerated {
                answer.isStalled = true
                stalledReaders.add(
                    connection.token, network: connection.peer?.network ?? 0, now: now)
            }
        }
        return .underWay(queued: queued, own: own, isHeldBack: isHeldBack)
    }

    private func add(
        _ answer: LargeAnswer, queued: Int, own: Int, isHeldBack: Bool,
        to sample: inout EgressSample, now: MonotonicInstant
    ) {
        let age = now - answer.since
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
    }

    private func surplusOfStalledReaders(now: MonotonicInstant) -> [Connection] {
        stalledReaders.turnBegan(now: now)
        var surplus: [Connection] = []
        while stalledReaders.count > limits.shedding.stalledReadersMaximum {
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
