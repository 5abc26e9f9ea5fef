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
        let known = old.problems(channel: channel, of: keys.fleet)
        var events = status.problems(channel: channel, of: keys.fleet)
            .filter { !known.contains($0) }
        if old.isChannelMissing, !status.isChannelMissing {
            events.append(AgentEvent(text: "fleet: channel \(channel) exists again"))
        }
        if status.trouble != old.trouble {
            events.append(
                status.trouble.map {
                    AgentEvent(
                        text: "fleet: \($0); "
                            + (status.serving == nil
                                ? "nothing is served until it answers"
                                : "this machine keeps serving its revision"),
                        remedy: remedy, needsAttention: true)
                } ?? AgentEvent(text: "fleet: etcd answers again"))
        }
        return events
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
        // The log names one that is damaged.
        let disk = "this machine's disk has no complete revision"
        if let trouble {
            return FleetError(
                place: "fleet", cause: "\(disk), and etcd cannot provide one: \(trouble)",
                remedy: trouble.remedy)
        }
        return FleetError(
            place: "fleet",
            cause: "\(disk), and nothing was published to channel \(channel) of \(keys.fleet)",
            remedy: AgentStatus.publish(to: channel))
    }
}

extension AgentStatus {
    /// What a person must fix, for the log and the status page. The store's own errors are not
    /// included, because most pass.
    package func problems(channel: String, of fleet: String) -> [AgentEvent] {
        let stays = serving.map { "still serving \($0)" } ?? "nothing is served"
        var problems: [AgentEvent] = []
        func add(_ text: String, _ remedy: String) {
            problems.append(
                AgentEvent(text: "fleet: " + text, remedy: remedy, needsAttention: true))
        }
        if let damage {
            let instead =
                serving.map { "serving revision \($0) instead" }
                ?? "no other revision there is complete"
            add(
                "revision \(damage.revision) is damaged on this machine's disk (\(damage.reason)); \(instead)",
                "check the disk; aasa fetches the revision again when etcd answers")
        }
        if let refusal {
            let what = refusal.revision.number > 0 ? "revision \(refusal.revision)" : "the channel"
            add(
                "\(what) is rejected, \(stays): \(refusal.reason)",
                "run aasa fleet rollback, or publish a corrected site")
        }
        if isChannelMissing {
            add("etcd has no channel \(channel) of \(fleet), \(stays)", Self.publish(to: channel))
        }
        return problems
    }

    fileprivate static func publish(to channel: String) -> String {
        "run aasa fleet publish SITE --channel \(channel), or correct this machine's --channel or --fleet"
    }
}
