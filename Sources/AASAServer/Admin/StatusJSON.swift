package import AppSiteAssociation

/// `/status.json`: what the status page shows, for machines. Names are stable; new names may be
/// added.
package enum StatusJSON {
    package static func render(_ report: StatusReport, _ health: Health) -> [UInt8] {
        JSONWriter.minified(document(report, health))
    }

    package static func document(_ report: StatusReport, _ health: Health) -> JSONValue {
        .object([
            ("version", .text(report.version)),
            ("now", number(report.now)),
            ("started", number(report.started)),
            ("phase", .text(report.phase.rawValue)),
            ("health", .text(health.level.rawValue)),
            ("ready", .flag(health.isReady)),
            ("reasons", .list(health.reasons.map { .text($0.text) })),
            ("problems", .list(health.reasons.map(problem))),
            ("workers", number(report.workers)),
            ("generation", number(report.generation)),
            ("reloads", reloads(report.reloads)),
            ("stateProblem", .text(report.stateProblem)),
            ("fleet", report.fleet?.json ?? JSONValue(.null)),
            ("hosts", .list(report.hosts.map(host))),
            ("certificates", .list(report.certificates.map { certificate($0, report.now) })),
            ("renewals", report.renewals?.json ?? JSONValue(.null)),
            ("connections", connections(report.connections)),
            ("traffic", traffic(report.traffic)),
            ("storm", storm(report.history.storms.storm)),
            ("load", load(report.load)),
            ("history", points(report.history.points)),
        ])
    }

    private static func problem(_ reason: Health.Reason) -> JSONValue {
        .object([
            ("level", .text(reason.level.rawValue)), ("text", .text(reason.text)),
            ("fix", .text(reason.fix)),
        ])
    }

    private static func load(_ load: LoadMonitor) -> JSONValue {
        .object([
            ("overload", .text(load.overload?.text)),
            ("cause", .text(load.overload?.cause.rawValue)),
            ("since", number(load.overload?.since)),
            ("last10s", window(load.lately)), ("last60s", window(load.minute)),
            ("machineStalled", decimal(load.stalled)), ("machineStolen", decimal(load.stolen)),
        ])
    }

    private static func window(_ window: LoadMonitor.Window) -> JSONValue {
        .object([
            ("decided", number(window.decided)), ("answered", number(window.answered)),
            ("share", decimal(window.share)), ("left", number(window.left)),
            (
                "cut",
                .object(window.cut.sorted { $0.key < $1.key }.map { ($0.key, number($0.value)) })
            ),
            ("shed", number(window.shed)), ("waitedSeconds", decimal(window.waitedSeconds)),
        ])
    }

    private static func host(_ host: StatusReport.Host) -> JSONValue {
        let teams = host.facts.teams.map {
            JSONValue.object([
                ("team", .text($0.identifier)), ("apps", number($0.apps)),
                // A ready-made document has no shares.
                ("bytes", number($0.bytes > 0 ? $0.bytes : nil)),
            ])
        }
        return .object([
            ("name", .text(host.name)),
            ("aliases", .list(host.aliases.map(JSONValue.text))),
            ("form", .text(host.facts.form.rawValue)),
            ("available", .flag(host.isAvailable)),
            ("hasCertificate", .flag(host.hasCertificate)),
            ("problem", .text(host.facts.problem)),
            ("fix", .text(host.facts.fix)),
            ("kept", .text(host.facts.kept)),
            ("keptSince", number(host.facts.keptSince)),
            ("departures", .list(removedTeams(host.facts))),
            ("teams", .list(teams)),
            ("apps", number(host.facts.apps)),
            ("bytes", number(host.facts.documentBytes)),
            ("bytesMaximum", number(SiteLimits.documentBytesMaximum)),
            ("signatureEnds", number(host.facts.signatureEnds)),
            (
                "answers",
                .object(
                    HostCounters.Answer.allCases.map {
                        ($0.rawValue, number(host.answers[$0, default: 0]))
                    })
            ),
        ])
    }

    private static func removedTeams(_ facts: HostFacts) -> [JSONValue] {
        facts.removedTeams.map {
            .object([
                ("team", .text($0.team)), ("apps", number($0.apps)),
                ("since", number($0.since)),
            ])
        }
    }

    private static func certificate(
        _ certificate: ServedCertificate, _ now: Int64
    ) -> JSONValue {
        .object([
            ("host", .text(certificate.folder)), ("keyType", .text(certificate.keyType)),
            ("names", .list(certificate.names.map(JSONValue.text))),
            ("issuer", .text(certificate.issuer)),
            ("begins", number(certificate.notBefore)), ("ends", number(certificate.notAfter)),
            ("lifeLeft", decimal(certificate.shareLeft(now: now))),
            ("keptSince", number(certificate.keptSince)),
        ])
    }

    private static func reloads(_ reloads: StatusReport.Reloads) -> JSONValue {
        .object([
            ("succeeded", number(reloads.succeeded)), ("failed", number(reloads.failed)),
            ("problem", .text(reloads.problem)),
        ])
    }

    private static func connections(_ connections: StatusReport.Connections) -> JSONValue {
        .object([
            ("open", number(connections.open)), ("waiting", number(connections.waiting)),
            ("limit", number(connections.limit)),
        ])
    }

    private static func traffic(_ traffic: StatusReport.Traffic) -> JSONValue {
        .object([
            ("accepted", number(traffic.accepted)), ("handshakes", number(traffic.handshakes)),
            ("answered", number(traffic.answered)), ("unavailable", number(traffic.unavailable)),
            ("other", number(traffic.other)), ("shed", number(traffic.shed)),
            ("gaveUp", number(traffic.gaveUp)), ("cut", number(traffic.cut)),
            ("bytesSent", number(traffic.bytesSent)),
            ("processorSeconds", decimal(traffic.processorSeconds)),
            ("residentBytes", number(traffic.residentBytes)),
        ])
    }

    private static func storm(_ storm: SurgeDetector.Storm?) -> JSONValue {
        guard let storm else { return JSONValue(.null) }
        return .object([
            ("began", number(storm.began)), ("lastSeen", number(storm.lastSeen)),
            ("over", .flag(storm.isOver)), ("answered", number(storm.answered)),
            ("unavailable", number(storm.unavailable)), ("shed", number(storm.shed)),
            ("gaveUp", number(storm.gaveUp)), ("cut", number(storm.cut)),
            ("peakAnswersPerSecond", number(storm.peakAnswersPerSecond)),
            ("peakConnectionsPerSecond", number(storm.peakConnectionsPerSecond)),
            ("peakOpen", number(storm.peakOpen)), ("peakWaiting", number(storm.peakWaiting)),
        ])
    }

    /// Column by column: a quarter of an hour is 40 KB in this form, and 120 KB as objects.
    private static func points(_ points: [History.Point]) -> JSONValue {
        .object([
            ("second", .list(points.map { number($0.second) })),
            ("answered", .list(points.map { number($0.answered) })),
            ("unavailable", .list(points.map { number($0.unavailable) })),
            ("shed", .list(points.map { number($0.shed) })),
            ("gaveUp", .list(points.map { number($0.gaveUp) })),
            ("cut", .list(points.map { number($0.cut) })),
            ("handshakes", .list(points.map { number($0.handshakes) })),
            ("accepted", .list(points.map { number($0.accepted) })),
            ("open", .list(points.map { number($0.open) })),
            ("waiting", .list(points.map { number($0.waiting) })),
            ("processors", .list(points.map { decimal($0.processors) })),
        ])
    }

    private static func number(_ number: (some BinaryInteger)?) -> JSONValue {
        JSONValue(number.map { .number(String($0)) } ?? .null)
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
