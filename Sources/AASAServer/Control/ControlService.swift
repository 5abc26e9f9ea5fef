import Reactor

/// The service of the control socket: passes commands to the reloader and the control loop, waits
/// for their outcome, and answers everything else as the admin listener does.
struct ControlService: ResponseService {
    let reloader: Reloader
    let orders: Mailbox<UpgradeOrder>
    let board: StatusBoard

    /// The outcome of a command, once it is known.
    private final class Pending: Sendable {
        let reply = Lock<ControlReply?>(nil)
    }

    private typealias Path = ControlRequest.Path

    /// A command leaves when its user has waited long enough.
    var limitsWaiting: Bool { false }

    func admits(_ peer: PeerIdentity?) -> Bool {
        guard let peer else { return false }
        return peer.user == CurrentProcess.user || peer.user == 0
    }

    mutating func response(
        to asked: AuxiliaryRequest, question: inout (any Sendable)?
    ) -> AuxiliaryResponse? {
        let reply: ControlReply?
        switch (asked.method, asked.path) {
        case ("GET", Path.process): reply = ControlReply(.good)
        case ("GET", Path.status): reply = verdict()
        case ("POST", Path.reload):
            reply = outcome(&question) { answer in reloader.reload { answer($0.reply) } }
        case ("POST", Path.upgrade):
            let isForced = asked.target.hasSuffix("?\(Path.force)")
            reply = outcome(&question) { orders.put(UpgradeOrder(isForced: isForced, answer: $0)) }
        default:
            return AdminAccess.local.refusal(of: asked)
                ?? AdminResponder(report: board.report()).response(to: asked)
        }
        return reply.map {
            AuxiliaryResponse(
                $0.outcome == .refused ? 409 : 200, type: "application/json", signed($0).line)
        }
    }

    /// The outcome of a command, which is begun at the first call; nil while it is not known.
    private func outcome(
        _ question: inout (any Sendable)?, _ begin: (@escaping ControlReply.Answer) -> Void
    ) -> ControlReply? {
        if let pending = question as? Pending { return pending.reply.withLock { $0 } }
        let pending = Pending()
        question = pending
        begin { reply in pending.reply.withLock { $0 = reply } }
        return pending.reply.withLock { $0 }
    }

    private func signed(_ reply: ControlReply) -> ControlReply {
        var reply = reply
        reply.process = CurrentProcess.id
        reply.version = board.version
        reply.phase = board.phase.rawValue
        return reply
    }

    private func verdict() -> ControlReply {
        let report = board.report()
        let health = Health(report)
        return ControlReply(
            health.level == .well ? .good : .findings, lines: StatusText.lines(report, health))
    }
}
