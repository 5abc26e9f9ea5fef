/// Decides what the log reports about a machine in its fleet: each change once, with its fix.
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

    /// Returns the events that the log has not reported yet.
    ///
    /// - Parameter remedy: the fix of the status's trouble.
    mutating func events(_ status: AgentStatus, remedy: String?) -> [AgentEvent] {
        let old = told
        told = status
        let stays = status.serving.map { "still serving \($0)" } ?? "nothing is served"
        var events: [AgentEvent] = []
        if status.damage != old.damage, let damage = status.damage {
            events.append(Self.event(damage, serving: status.serving))
        }
        if status.refusal != old.refusal, let refusal = status.refusal {
            let what = refusal.revision.number > 0 ? "revision \(refusal.revision)" : "the channel"
            events.append(
                AgentEvent(
                    "fleet: \(what) is rejected, \(stays): \(refusal.reason)",
                    remedy: "run aasa fleet rollback, or publish a corrected site",
                    needsAttention: true))
        }
        if status.isChannelMissing != old.isChannelMissing {
            events.append(
                status.isChannelMissing
                    ? AgentEvent(
                        "fleet: etcd has no \(keys.channel(channel)), \(stays): \(missing)",
                        remedy: missingRemedy, needsAttention: true)
                    : AgentEvent("fleet: channel \(channel) exists again"))
        }
        if status.trouble != old.trouble {
            events.append(
                status.trouble.map {
                    AgentEvent(
                        "fleet: \($0); "
                            + (status.serving == nil
                                ? "nothing is served until it answers"
                                : "this machine keeps serving its revision"),
                        remedy: remedy, needsAttention: true)
                } ?? AgentEvent("fleet: etcd answers again"))
        }
        return events
    }

    private static func event(_ damage: ShelfDamage, serving: RevisionID?) -> AgentEvent {
        let instead =
            serving.map { "serving revision \($0) instead" }
            ?? "no other revision there is complete; fetching it from etcd"
        return AgentEvent(
            "fleet: revision \(damage.revision) is damaged on this machine's disk (\(damage.reason)); \(instead)",
            remedy: "check the disk; aasa fetches the revision again when etcd answers",
            needsAttention: true)
    }

    private var missing: String { "nothing was published to channel \(channel) of \(keys.fleet)" }

    private var missingRemedy: String {
        "run aasa fleet publish SITE --channel \(channel), or correct this machine's --channel or --fleet"
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
                "revision \($0.revision) is damaged on this machine's disk (\($0.reason)), and no other is complete"
            } ?? "this machine's disk has no revision"
        if let trouble {
            return FleetError(
                place: "fleet", cause: "\(disk), and etcd cannot provide one: \(trouble)",
                remedy: trouble.remedy)
        }
        return FleetError(place: "fleet", cause: "\(disk), and \(missing)", remedy: missingRemedy)
    }
}
