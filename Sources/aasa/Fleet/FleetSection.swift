import AASAFleet
import AASAServer
import AppSiteAssociation

/// How the status shows what a machine knows of its fleet. The server keeps serving whatever the
/// fleet's state is.
struct FleetSection: StatusSection, Equatable {
    let name: String
    let channel: String
    let machine: String
    var status = AgentStatus()

    /// A store that is silent for longer than this needs a person's attention: an election takes
    /// seconds, a member's restart a minute.
    static let silenceSeconds: Int64 = 300

    /// Whether the served revision and the target are the same, hashes included.
    private var isCurrent: Bool { status.target != nil && status.target == status.serving }

    func problems(in report: StatusReport) -> [Health.Reason] {
        var found = status.problems(channel: channel, of: name).map {
            Health.Reason(.attention, $0.text, fix: $0.remedy)
        }
        if let silence = silence(now: report.now) {
            found.append(.init(.attention, "fleet: \(silence)"))
        }
        return found
    }

    private func silence(now: Int64) -> String? {
        guard let trouble = status.trouble else { return nil }
        // A machine that serves nothing has nothing to live on meanwhile.
        if status.serving == nil { return "etcd does not answer: \(trouble)" }
        let silent = now - (status.contact ?? status.since)
        if silent < Self.silenceSeconds { return nil }
        return "etcd has not answered for \(StatusText.span(silent)): \(trouble)"
    }

    func lines(now: Int64) -> [String] {
        var line =
            "  fleet \(name), channel \(channel): serves "
            + (status.serving.map { "revision \($0)" } ?? "nothing")
        if let damaged = status.damage {
            line += " instead of \(damaged.revision), which is damaged on this machine"
        }
        if let target = status.target, !isCurrent { line += "; the channel is at \(target)" }
        if status.isChannelMissing { line += "; etcd has no such channel" }
        if status.trouble != nil { line += "; etcd does not answer" }
        return [line]
    }

    var json: JSONValue {
        .object([
            ("name", .text(name)), ("channel", .text(channel)), ("machine", .text(machine)),
            ("serving", .integer(status.serving?.number)),
            ("target", .integer(status.target?.number)), ("isCurrent", .flag(isCurrent)),
            ("since", .integer(status.since)),
            ("refused", .integer(status.refusal?.revision.number)),
            ("reason", .text(status.refusal?.reason)),
            ("damaged", .integer(status.damage?.revision)),
            ("damage", .text(status.damage?.reason)),
            ("isChannelMissing", .flag(status.isChannelMissing)),
            ("contact", .integer(status.contact)), ("trouble", .text(status.trouble)),
        ])
    }

    var metrics: [MetricFamily] {
        func family(_ suffix: String, _ value: Double) -> MetricFamily {
            var family = MetricFamily("aasa_fleet_\(suffix)")
            family.add(value, name, channel)
            return family
        }
        return [
            family("revision", Double(status.serving?.number ?? 0)),
            family("target_revision", Double(status.target?.number ?? 0)),
            family("current", isCurrent ? 1 : 0),
            family("refused", status.refusal == nil ? 0 : 1),
            family("damaged", status.damage == nil ? 0 : 1),
            family("channel_missing", status.isChannelMissing ? 1 : 0),
            family("store_reachable", status.trouble == nil ? 1 : 0),
            family("store_contact_timestamp_seconds", Double(status.contact ?? 0)),
        ]
    }
}
