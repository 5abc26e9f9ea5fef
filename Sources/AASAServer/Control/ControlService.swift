import HTTP
import Reactor

/// The service of the control socket: passes commands to the reloader and the control loop, waits
/// for their outcome, and answers everything else as the admin listener does.
struct ControlService: AuxiliaryService {
    let reloader: Reloader
    let orders: Mailbox<UpgradeOrder>
    let board: StatusBoard

    func admits(_ peer: PeerIdentity?) -> Bool {
        guard let peer else { return false }
        return peer.user == CurrentProcess.user || peer.user == 0
    }

    mutating func answer(_ request: RequestView) -> AuxiliaryAnswer {
        let asked = AuxiliaryRequest(request)
        if asked.isUnclear { return AuxiliaryResponse.badRequest.answer(to: asked) }
        switch ControlRequest(rawValue: "\(asked.method) \(asked.target)") {
        case .process: return answer(ControlReply(.good))
        case .status: return answer(verdict())
        case .reload: return outcome { answer in reloader.reload { answer($0.reply) } }
        case .upgrade: return outcome { orders.put(UpgradeOrder(isForced: false, answer: $0)) }
        case .forcedUpgrade:
            return outcome { orders.put(UpgradeOrder(isForced: true, answer: $0)) }
        case .document, nil:
            let answer =
                AdminAccess.local.refusal(of: asked)
                ?? AdminResponder(report: board.report()).response(to: asked)
            return answer.answer(to: asked)
        }
    }

    /// Begins a command. Its answer is its outcome, once that is known; its user leaves after
    /// waiting long enough.
    private func outcome(
        _ begin: (@escaping ControlReply.Answer) -> Void
    ) -> AuxiliaryAnswer {
        let known = Lock<ControlReply?>(nil)
        begin { reply in known.withLock { $0 = reply } }
        return .later(isPatient: true) { known.withLock { $0 }.map(answer) }
    }

    private func answer(_ reply: ControlReply) -> AuxiliaryAnswer {
        let response = AuxiliaryResponse(
            reply.outcome == .refused ? 409 : 200, type: "application/json", signed(reply).line)
        return .message(response.serialized(headOnly: false), isLast: true)
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

extension AuxiliaryServer {
    /// Enough for people and scripts; one more replaces one that does not wait for its outcome.
    static let commandsMaximum = 16

    /// The control socket of a running server: `aasa reload`, `upgrade` and `status` ask here and
    /// get the outcome. Only the server's own user and root may ask.
    ///
    /// - Parameter path: of the Unix socket, in a folder that only its owner can write to.
    convenience init(path: String, _ service: any AuxiliaryService) throws(SystemError) {
        try self.init(
            on: [.requireUnix(path: path)], name: "aasa-commands", service: service, mode: 0o600,
            connectionsMaximum: Self.commandsMaximum)
    }
}
