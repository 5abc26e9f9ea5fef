import AppSiteAssociation

extension StatusReport {
    /// What the server knows of its fleet. The server keeps serving whatever the fleet's state is.
    package struct Fleet: Sendable, Equatable {
        package var name: String
        package var channel: String
        package var machine: String
        /// The revision that is served.
        package var serving: Int64?
        /// The revision that the channel points to.
        package var target: Int64?
        /// Whether the served revision and the target are the same, hashes included.
        package var isCurrent = false
        /// Since when the revision is served; seconds since 1970.
        package var since: Int64 = 0
        /// The revision that was refused, and why.
        package var refused: (revision: Int64, reason: String)?
        /// The revision that should be served and is damaged on this machine's disk: which of its
        /// files, and what is wrong with it.
        package var damaged: (revision: Int64, reason: String)?
        /// The store answers, and has no such channel.
        package var isChannelMissing = false
        /// When the store answered last; seconds since 1970; nil: never yet.
        package var contact: Int64?
        /// Why the store does not answer; nil: it does.
        package var trouble: String?

        package init(name: String, channel: String, machine: String) {
            self.name = name
            self.channel = channel
            self.machine = machine
        }

        package static func == (a: Fleet, b: Fleet) -> Bool {
            a.name == b.name && a.channel == b.channel && a.machine == b.machine
                && a.serving == b.serving && a.target == b.target && a.isCurrent == b.isCurrent
                && a.since == b.since && a.contact == b.contact && a.trouble == b.trouble
                && a.refused?.revision == b.refused?.revision
                && a.refused?.reason == b.refused?.reason
                && a.damaged?.revision == b.damaged?.revision
                && a.damaged?.reason == b.damaged?.reason
                && a.isChannelMissing == b.isChannelMissing
        }

        /// A store that is silent for longer than this needs a person's attention: an election
        /// takes seconds, a member's restart a minute.
        static let silenceSeconds: Int64 = 300

        /// What needs a person's attention, the worst first; empty: nothing.
        func problems(now: Int64) -> [String] {
            [damageProblem, refusalProblem, channelProblem, silence(now: now)].compactMap {
                $0.map { "fleet: \($0)" }
            }
        }

        private var damageProblem: String? {
            damaged.map {
                "revision \($0.revision) is damaged on this machine's disk (\($0.reason)), "
                    + (serving.map { "\($0) is served instead" } ?? "nothing is served")
                    + "; it is fetched anew when the store answers"
            }
        }

        private var refusalProblem: String? {
            guard let refused else { return nil }
            let number = refused.revision > 0 ? "revision \(refused.revision)" : "the channel"
            return "\(number) is refused, \(whatStays): \(refused.reason)"
        }

        private var channelProblem: String? {
            guard isChannelMissing else { return nil }
            return "the store has no channel \(channel) of \(name), \(whatStays): aasa "
                + "fleet publish SITE --channel \(channel), or correct this machine's --channel or "
                + "--fleet"
        }

        private var whatStays: String {
            serving.map { "\($0) stays" } ?? "nothing is served"
        }

        private func silence(now: Int64) -> String? {
            guard let trouble else { return nil }
            // A machine that serves nothing has nothing to live on meanwhile.
            if serving == nil { return "the store does not answer: \(trouble)" }
            let silent = now - (contact ?? since)
            if silent < Self.silenceSeconds { return nil }
            return "the store has not answered for \(StatusText.span(silent)): \(trouble)"
        }

        var line: String {
            var line =
                "  fleet \(name), channel \(channel): serves "
                + (serving.map { "revision \($0)" } ?? "nothing")
            if let damaged { line += " instead of \(damaged.revision), which is damaged here" }
            if let target, !isCurrent { line += "; the channel is at \(target)" }
            if isChannelMissing { line += "; the store has no such channel" }
            if trouble != nil { line += "; the store does not answer" }
            return line
        }

        var json: JSONValue {
            func number(_ value: Int64?) -> JSONValue {
                value.map { .integer(Int($0)) } ?? JSONValue(.null)
            }
            return .object([
                ("name", .text(name)), ("channel", .text(channel)), ("machine", .text(machine)),
                ("serving", number(serving)), ("target", number(target)),
                ("isCurrent", .flag(isCurrent)), ("since", number(since)),
                ("refused", number(refused?.revision)), ("reason", .text(refused?.reason)),
                ("damaged", number(damaged?.revision)), ("damage", .text(damaged?.reason)),
                ("isChannelMissing", .flag(isChannelMissing)),
                ("contact", number(contact)), ("trouble", .text(trouble)),
            ])
        }
    }
}

extension ServerMetrics {
    /// The metrics of this machine in its fleet; empty without a fleet.
    static func fleet(_ report: StatusReport) -> [MetricFamily] {
        guard let fleet = report.fleet else { return [] }
        let labels = [
            (name: "fleet", value: fleet.name), (name: "channel", value: fleet.channel),
        ]
        func family(_ name: String, _ help: String, _ value: Double) -> MetricFamily {
            var family = MetricFamily("aasa_fleet_" + name, .gauge, help)
            family.add(value, labels)
            return family
        }
        return [
            family(
                "revision", "The revision of the fleet that is served.",
                Double(fleet.serving ?? 0)),
            family(
                "target_revision", "The revision that the machine's channel says.",
                Double(fleet.target ?? 0)),
            family(
                "current", "1 while the machine serves what its channel says, else 0.",
                fleet.isCurrent ? 1 : 0),
            family(
                "refused", "1 while the machine refuses what its channel says, else 0.",
                fleet.refused == nil ? 0 : 1),
            family(
                "damaged",
                "1 while what should be served is damaged on the machine's disk, else 0.",
                fleet.damaged == nil ? 0 : 1),
            family(
                "channel_missing", "1 while the fleet's store has no such channel, else 0.",
                fleet.isChannelMissing ? 1 : 0),
            family(
                "store_reachable", "1 while the fleet's store answers, else 0.",
                fleet.trouble == nil ? 1 : 0),
            family(
                "store_contact_timestamp_seconds", "When the fleet's store answered last.",
                Double(fleet.contact ?? 0)),
        ]
    }
}
