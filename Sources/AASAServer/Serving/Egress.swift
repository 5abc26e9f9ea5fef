import HTTP
import Reactor

/// The large answers that have not arrived yet: asks their sockets, and distinguishes a full link
/// from readers that do not read.
final class Egress {
    private let limits: ServerLimits
    private let turn: Turn
    private let table: ConnectionTable
    @exclusivity(unchecked) private var shedding: ShedController
    /// Readers of large answers that do not read.
    @exclusivity(unchecked) private var stalledReaders = AgedSlots()
    /// Connections with a large answer under way.
    @exclusivity(unchecked) private var large: [SlotToken] = []

    init(limits: ServerLimits, turn: Turn, table: ConnectionTable) {
        self.limits = limits
        self.turn = turn
        self.table = table
        shedding = ShedController(limits: limits.shedding, now: turn.now)
    }

    // MARK: What is decided

    /// Why a document of so many bytes must not be sent now; nil: it may be. Those asked for beside
    /// it count as well: eight small ones unread on each of 3,000 connections took 131 % of a
    /// machine with 256 MB.
    func judge(
        _ connection: Connection, bytes: Int, now: MonotonicInstant,
        userAgent: UnsafeRawBufferPointer?, waited: Duration?
    ) -> Counter? {
        shedding.judge(
            now: now, userAgent: userAgent,
            bytes: max(
                (connection.large?.bytes ?? 0) + bytes, connection.exchange.openRequests * bytes),
            waited: waited)
    }

    /// Memory is short: documents are answered 503.
    var isMemoryShort: Bool {
        get { shedding.isMemoryShort }
        set { shedding.isMemoryShort = newValue }
    }

    /// Memory runs out, or the kernel's memory for TCP: readers that do not read give way.
    var areBuffersShort = false

    /// The server stops, and cuts the answers that are not sent by then.
    func drain(until instant: MonotonicInstant) { shedding.drain(until: instant) }

    // MARK: What is observed

    /// The kernel took bytes. Unread small answers hold as much as a large one: two
    /// hundred of 9 KB held 380 KB for each handshake, for 25 s, unnoticed.
    func gave(_ connection: Connection, _ count: Int) {
        connection.givenBytes += count
        connection.givenAt = turn.now
        if connection.large != nil { return }
        connection.unseenBytes += count
        let most = limits.shedding.largeAnswerBytes
        if connection.unseenBytes <= most || connection.machine.isHandshaking { return }
        connection.unseenBytes = connection.socket.unacknowledgedBytes
        if connection.unseenBytes <= most { return }
        large.append(connection.token)
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
    func began(_ connection: Connection, bytes: Int, now: MonotonicInstant) {
        if bytes <= limits.shedding.largeAnswerBytes { return }
        shedding.link.began(bytes: bytes, isBehind: connection.large != nil)
        if connection.large == nil { large.append(connection.token) }
        connection.large = LargeAnswer(
            bytes: bytes, behind: connection.large,
            acknowledged: connection.givenBytes - connection.unseenBytes,
            end: connection.givenBytes + connection.unsent.count + bytes, now: now)
    }

    /// The connection is about to be closed, with what it still had to send.
    func forget(_ connection: Connection, now: MonotonicInstant) {
        guard let answer = connection.large else { return }
        connection.large = nil
        stalledReaders.remove(connection.token)
        let own = connection.unsent.count + connection.exchange.unencryptedCount
        let left = own + connection.socket.unacknowledgedBytes
        shedding.link.ended(
            answer,
            hasArrived: LargeAnswer.hasArrived(left: left) && !connection.exchange.awaitsWindow,
            progress: max(0, answer.left - left), now: now)
    }

    // MARK: Who gives way

    /// How many readers of large answers do not read.
    var stalledCount: Int { stalledReaders.count }

    /// A reader that does not read.
    var stalledReader: SlotToken? { stalledReaders.first(.young)?.token }

    /// The oldest large answer that the kernel holds whole, on a connection with nothing else under
    /// way. The caller closes the connection; the kernel continues to deliver the answer.
    func takeDelivered(now: MonotonicInstant) -> Connection? {
        for token in large.prefix(Self.looksAtMost) {
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

    private static let looksAtMost = 256

    /// How long the loop may sleep because of the large answers; `nil`: no limit.
    var timeout: Duration? { large.isEmpty ? nil : limits.shedding.samplePeriod }

    /// Asks the sockets of large answers how much is still under way, if it is time.
    ///
    /// - Returns: the readers that have to be closed, because they are too slow or do not read.
    func sample(now: MonotonicInstant) -> [Connection] {
        if large.isEmpty || !shedding.link.isSampleDue(now: now) { return [] }
        var tooSlow: [Connection] = []
        var underWay = large
        large = []
        underWay.removeAll { token in
            guard let connection = table[token], var answer = connection.large else { return true }
            let queued = connection.socket.unacknowledgedBytes
            let own = connection.unsent.count + connection.exchange.unencryptedCount
            let before = answer.left
            let look = answer.look(
                queued: queued, own: own, acknowledged: connection.givenBytes - queued,
                awaitsWindow: connection.exchange.awaitsWindow, now: now,
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
                arrived(connection, now: now)
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
        shedding.link.sampled(now: now)
        return tooSlow + surplusOfStalledReaders()
    }

    private func arrived(_ connection: Connection, now: MonotonicInstant) {
        connection.large = nil
        // It lingered for the answer; from now on it lingers only for the peer's close.
        connection.machine.lingeringAnswerArrived(now: now)
        table.arm(connection)
    }

    private func noteStalled(_ connection: Connection, now: MonotonicInstant) {
        if stalledReaders.contains(connection.token) { return }
        stalledReaders.add(connection.token, since: now)
    }

    /// When memory is short, readers that do not read are closed before any other client is
    /// refused.
    private func surplusOfStalledReaders() -> [Connection] {
        var surplus: [Connection] = []
        let most = areBuffersShort ? 0 : limits.shedding.stalledReadersMaximum
        while stalledReaders.count > most, let token = stalledReader {
            stalledReaders.remove(token)
            if let connection = table[token] { surplus.append(connection) }
        }
        return surplus
    }
}
