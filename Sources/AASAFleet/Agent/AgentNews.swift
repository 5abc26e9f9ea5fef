/// What the log is told of a machine in its fleet: what is new, once, with its remedy.
///
/// A value: states in, lines out.
struct AgentNews: Sendable {
    private let keys: FleetKeys
    private let channel: String
    private var told = AgentStatus()

    init(keys: FleetKeys, channel: String) {
        self.keys = keys
        self.channel = channel
    }

    /// What is to be said now.
    ///
    /// - Parameter remedy: of the status's trouble.
    mutating func events(_ status: AgentStatus, remedy: String?) -> [AgentEvent] {
        let old = told
        told = status
        let stays = status.serving.map { "\($0) stays" } ?? "nothing is served"
        var events: [AgentEvent] = []
        if status.damage != old.damage, let damage = status.damage {
            events.append(Self.event(damage, serving: status.serving))
        }
        if status.refusal != old.refusal, let refusal = status.refusal {
            let what = refusal.revision.number > 0 ? "revision \(refusal.revision)" : "the channel"
            events.append(
                AgentEvent(
                    "fleet: \(what) is refused, \(stays): \(refusal.reason)",
                    remedy: "aasa fleet rollback, or publish a good one", needsAttention: true))
        }
        if status.isChannelMissing != old.isChannelMissing {
            events.append(
                status.isChannelMissing
                    ? AgentEvent(
                        "fleet: etcd has no \(keys.channel(channel)), \(stays): \(missing)",
                        remedy: missingRemedy, needsAttention: true)
                    : AgentEvent("fleet: channel \(channel) is there again"))
        }
        if status.trouble != old.trouble {
            events.append(
                status.trouble.map {
                    AgentEvent(
                        "fleet: \($0); "
                            + (status.serving == nil
                                ? "nothing is served until it answers" : "what is served stays"),
                        remedy: remedy, needsAttention: true)
                } ?? AgentEvent("fleet: the store answers again"))
        }
        return events
    }

    private static func event(_ damage: ShelfDamage, serving: RevisionID?) -> AgentEvent {
        let instead =
            serving.map { "revision \($0) is served instead" }
            ?? "no other lies there whole: etcd is asked for it"
        return AgentEvent(
            "fleet: revision \(damage.revision) is damaged on this machine's disk "
                + "(\(damage.reason)); \(instead)",
            remedy: "check the disk; the revision is fetched again when etcd answers",
            needsAttention: true)
    }

    private var missing: String { "nothing was published to channel \(channel) of \(keys.fleet)" }

    private var missingRemedy: String {
        "aasa fleet publish SITE --channel \(channel), or correct this machine's --channel or "
            + "--fleet"
    }

    /// Why a machine has nothing to start with.
    ///
    /// - Parameter trouble: of the store.
    func whyNothing(_ status: AgentStatus, trouble: EtcdFailure?) -> FleetError {
        if let refusal = status.refusal {
            return FleetError(
                place: "fleet", cause: refusal.reason,
                remedy: "fix the site and publish it again, or run aasa fleet rollback")
        }
        let disk =
            status.damage.map {
                "revision \($0.revision) is damaged on this machine's disk (\($0.reason)) and no "
                    + "other lies there whole"
            } ?? "this machine's disk has no revision"
        if let trouble {
            return FleetError(
                place: "fleet", cause: "\(disk), and etcd gives none: \(trouble)",
                remedy: trouble.remedy)
        }
        return FleetError(place: "fleet", cause: "\(disk), and \(missing)", remedy: missingRemedy)
    }
}
