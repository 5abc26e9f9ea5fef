import HTTP
import Reactor

/// Finds the answers of a worker in its snapshot, and counts them.
extension Worker {
    /// The answer to a request.
    func answer(to request: RequestView, on connection: Connection) -> Answer {
        // The worker holds the snapshot until its next turn.
        let answer = Unmanaged.passUnretained(snapshot)._withUnsafeGuaranteedRef {
            Responder.answer(
                request, snapshot: $0, serverName: connection.tls?.serverName
            ) { bytes in
                // Those asked for beside it count as well: eight small ones unread on each of 3,000
                // connections took 131 % of a machine with 256 MB.
                shedding.judge(
                    now: now, userAgent: request.userAgent,
                    bytes: max(
                        (connection.large?.bytes ?? 0) + bytes,
                        connection.openRequests * bytes),
                    waited: waitedLong(connection, bytes: bytes))
            }
        }
        counters.add(answer.counter)
        answer.host?.counters.count(answer.hostAnswer)
        let bytes = request.method == .head ? 0 : answer.response.body.count
        if let access = shared.access {
            access.answered(
                AccessEntry(
                    request: request, peer: connection.peer, host: answer.host?.name,
                    status: answer.response.status, bytes: bytes, worker: number))
        }
        followAnswer(connection, bytes: bytes)
        return answer
    }

    /// How long a request has waited, in the only case where this can cause a 503: a large
    /// document, a late loop, and a connection that already had an answer. TCP knows the age of the
    /// newest bytes, so a request is never taken for older than it is.
    private func waitedLong(_ connection: Connection, bytes: Int) -> Duration? {
        guard isLate, bytes > limits.shedding.largeAnswerBytes,
            connection.machine.requestCount > 0
        else { return nil }
        return connection.socket.tcpInfo?.sinceLastData
    }
}
