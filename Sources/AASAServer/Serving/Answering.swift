import HTTP
import Reactor

/// Finds the answers of one worker in the current snapshot, and counts them.
final class Answering {
    private let limits: ServerLimits
    private let counters: WorkerCounters
    private let access: (any AccessSink)?
    private let worker: Int
    private let turn: Turn
    private let egress: Egress
    private var snapshot: Snapshot

    init(
        limits: ServerLimits, counters: WorkerCounters, access: (any AccessSink)?, worker: Int,
        turn: Turn, egress: Egress, snapshot: Snapshot
    ) {
        self.limits = limits
        self.counters = counters
        self.access = access
        self.worker = worker
        self.turn = turn
        self.egress = egress
        self.snapshot = snapshot
    }

    /// Answers with `snapshot` from now on.
    func serve(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// The answer to a request.
    func answer(to request: RequestView, on connection: Connection) -> Answer {
        // The worker holds the snapshot until its next turn.
        let answer = Unmanaged.passUnretained(snapshot)._withUnsafeGuaranteedRef {
            Responder.answer(
                request, snapshot: $0, serverName: connection.tls?.serverName
            ) { bytes in
                egress.judge(
                    connection, bytes: bytes, now: turn.now, userAgent: request.userAgent,
                    waited: waitedLong(connection, bytes: bytes))
            }
        }
        counters.add(answer.counter)
        answer.host?.counters.count(answer.hostAnswer)
        let bytes = request.method == .head ? 0 : answer.response.body.count
        if let access {
            access.answered(
                AccessEntry(
                    request: request, peer: connection.peer, host: answer.host?.name,
                    status: answer.response.status, bytes: bytes, worker: worker))
        }
        egress.began(connection, bytes: bytes, now: turn.now)
        return answer
    }

    /// How long a request has waited, in the only case where this can cause a 503: a large
    /// document, a late loop, and a connection that already had an answer. TCP knows the age of the
    /// newest bytes, so a request is never taken for older than it is.
    private func waitedLong(_ connection: Connection, bytes: Int) -> Duration? {
        guard turn.isLate, bytes > limits.shedding.largeAnswerBytes,
            connection.machine.requestCount > 0
        else { return nil }
        return connection.socket.tcpInfo?.sinceLastData
    }
}
