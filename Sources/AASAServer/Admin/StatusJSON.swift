package import AppSiteAssociation

/// `/status.json`: what the status page shows, for machines. Names are stable; new names may be
/// added.
package enum StatusJSON {
    package static func render(_ report: StatusReport, _ health: Health) -> [UInt8] {
        JSONWriter.minified(document(report, health))
    }

    package static func document(_ report: StatusReport, _ health: Health) -> JSONValue {
        [
            "version": .text(report.version),
            "now": .integer(report.now),
            "started": .integer(report.started),
            "phase": .text(report.phase.rawValue),
            "health": .text(health.level.rawValue),
            "ready": .flag(health.isReady),
            "reasons": .list(health.reasons.map { .text($0.text) }),
            "problems": .list(health.reasons.map(problem)),
            "workers": .integer(report.workers),
            "generation": .integer(report.generation),
            "reloads": reloads(report.reloads),
            "stateProblem": .text(report.stateProblem?.description),
            "fleet": report.fleet?.json ?? JSONValue(.null),
            "hosts": .list(report.hosts.map(host)),
            "certificates": .list(report.certificates.map { certificate($0, report.now) }),
            "renewals": report.renewals?.json ?? JSONValue(.null),
            "connections": connections(report.connections),
            "traffic": traffic(report.traffic),
            "storm": report.load.storm.map(storm) ?? JSONValue(.null),
            "load": load(report.load),
            "history": history(report.load.points),
        ]
    }

    private static func problem(_ reason: Health.Reason) -> JSONValue {
        [
            "level": .text(reason.level.rawValue), "text": .text(reason.text),
            "fix": .text(reason.fix),
        ]
    }

    private static func load(_ load: LoadMonitor) -> JSONValue {
        [
            "overload": .text(load.overload?.text),
            "cause": .text(load.overload?.cause.rawValue),
            "since": .integer(load.overload?.since), "last10s": window(load.lately),
            "last60s": window(load.minute), "machineStalled": decimal(load.lately.stalled),
            "machineStolen": decimal(load.lately.stolen),
        ]
    }

    private static func window(_ window: LoadMonitor.Window) -> JSONValue {
        let cut = window.cut.sorted { $0.key < $1.key }
        return [
            "decided": .integer(window.decided), "answered": .integer(window.answered),
            "share": decimal(window.share), "left": .integer(window.left),
            "cut": .object(cut.map { ($0.key, .integer($0.value)) }),
            "shed": .integer(window.shed), "waitedSeconds": decimal(window.waitedSeconds),
        ]
    }

    private static func host(_ host: StatusReport.Host) -> JSONValue {
        let facts = host.facts
        let departures = facts.removedTeams.map { team -> JSONValue in
            [
                "team": .text(team.team), "apps": .integer(team.apps),
                "since": .integer(team.since),
            ]
        }
        let teams = facts.teams.map { team -> JSONValue in
            [
                "team": .text(team.identifier), "apps": .integer(team.apps),
                // A ready-made document has no shares.
                "bytes": .integer(team.bytes > 0 ? team.bytes : nil),
            ]
        }
        let answers = HostCounters.Answer.allCases.map {
            ("\($0)", JSONValue.integer(host.answers[$0, default: 0]))
        }
        return [
            "name": .text(host.name),
            "aliases": .list(host.aliases.map(JSONValue.text)),
            "form": .text(facts.form.rawValue),
            "available": .flag(host.isAvailable),
            "hasCertificate": .flag(host.hasCertificate),
            "problem": .text(facts.problem),
            "fix": .text(facts.fix),
            "kept": .text(facts.kept),
            "keptSince": .integer(facts.keptSince),
            "departures": .list(departures),
            "teams": .list(teams),
            "apps": .integer(facts.apps),
            "bytes": .integer(facts.documentBytes),
            "bytesMaximum": .integer(SiteLimits.documentBytesMaximum),
            "signatureEnds": .integer(facts.signatureEnds),
            "answers": .object(answers),
        ]
    }

    private static func certificate(
        _ certificate: ServedCertificate, _ now: Int64
    ) -> JSONValue {
        [
            "host": .text(certificate.folder), "keyType": .text(certificate.keyType),
            "names": .list(certificate.names.map(JSONValue.text)),
            "issuer": .text(certificate.issuer), "begins": .integer(certificate.notBefore),
            "ends": .integer(certificate.notAfter),
            "lifeLeft": decimal(certificate.shareLeft(now: now)),
            "keptSince": .integer(certificate.keptSince),
        ]
    }

    private static func reloads(_ reloads: StatusReport.Reloads) -> JSONValue {
        [
            "succeeded": .integer(reloads.succeeded), "failed": .integer(reloads.failed),
            "problem": .text(reloads.problem),
        ]
    }

    private static func connections(_ connections: StatusReport.Connections) -> JSONValue {
        [
            "open": .integer(connections.open), "waiting": .integer(connections.waiting),
            "limit": .integer(connections.limit),
        ]
    }

    private static func traffic(_ traffic: StatusReport.Traffic) -> JSONValue {
        [
            "accepted": .integer(traffic.accepted), "handshakes": .integer(traffic.handshakes),
            "answered": .integer(traffic.answered), "unavailable": .integer(traffic.unavailable),
            "other": .integer(traffic.other), "shed": .integer(traffic.shed),
            "gaveUp": .integer(traffic.gaveUp), "cut": .integer(traffic.cut),
            "bytesSent": .integer(traffic.bytesSent),
            "processorSeconds": decimal(traffic.processorSeconds),
            "residentBytes": .integer(traffic.residentBytes),
        ]
    }

    private static func storm(_ storm: LoadMonitor.Storm) -> JSONValue {
        [
            "began": .integer(storm.began), "lastSeen": .integer(storm.lastSeen),
            "over": .flag(storm.isOver),
            "answered": .integer(storm.whole.sum(\.traffic.answered)),
            "unavailable": .integer(storm.whole.sum(\.traffic.unavailable)),
            "shed": .integer(storm.whole.shed), "gaveUp": .integer(storm.whole.left),
            "cut": .integer(storm.whole.sum(\.traffic.cut)),
            "peakAnswersPerSecond": .integer(storm.mostAnswered),
            "peakConnectionsPerSecond": .integer(storm.mostAccepted),
            "peakOpen": .integer(storm.mostOpen), "peakWaiting": .integer(storm.mostWaiting),
        ]
    }

    /// Column by column: a quarter of an hour is 40 KB in this form, and 120 KB as objects.
    private static func history(_ seconds: [LoadMonitor.Window]) -> JSONValue {
        let rates: KeyValuePairs<String, KeyPath<LoadSample, UInt64>> = [
            "answered": \.traffic.answered, "unavailable": \.traffic.unavailable,
            "shed": \.traffic.shed, "gaveUp": \.traffic.gaveUp, "cut": \.traffic.cut,
            "handshakes": \.traffic.handshakes, "accepted": \.traffic.accepted,
        ]
        let columns = rates.map { name, sum in
            (name, JSONValue.list(seconds.map { .integer($0.rate { $0[keyPath: sum] }) }))
        }
        return .object(
            [("second", .list(seconds.map { .integer($0.last.second) }))] + columns + [
                ("open", .list(seconds.map { .integer($0.last.connections.open) })),
                ("waiting", .list(seconds.map { .integer($0.last.connections.waiting) })),
                ("processors", .list(seconds.map { decimal($0.processors) })),
            ])
    }

    /// Three places: enough for a chart, and never an exponent.
    private static func decimal(_ number: Double) -> JSONValue {
        let thousandths = Int64(exactly: (number * 1000).rounded()) ?? 0
        let fraction = String(abs(thousandths) % 1000)
        let padded = String(repeating: "0", count: 3 - fraction.count) + fraction
        let sign = thousandths < 0 ? "-" : ""
        return JSONValue(.number("\(sign)\(abs(thousandths) / 1000).\(padded)"))
    }
}
