package import AppSiteAssociation

/// `/status.json`: what the status page shows, for machines. Names are stable; new names may be
/// added.
package enum StatusJSON {
    package static func render(_ report: StatusReport, _ health: Health) -> [UInt8] {
        JSONWriter.minified(document(report, health))
    }

    package static func document(_ report: StatusReport, _ health: Health) -> JSONValue {
        object([
            ("version", string(report.version)),
            ("now", number(report.now)),
            ("started", number(report.started)),
            ("phase", string(report.phase.rawValue)),
            ("health", string(health.level.rawValue)),
            ("ready", value(.bool(health.isReady))),
            ("reasons", array(health.reasons.map { string($0.text) })),
            ("problems", array(health.reasons.map(problem))),
            ("workers", number(Int64(report.workers))),
            ("generation", number(report.generation)),
            ("reloads", reloads(report.reloads)),
            ("stateProblem", report.stateProblem.map(string) ?? value(.null)),
            ("fleet", report.fleet?.json ?? value(.null)),
            ("hosts", array(report.hosts.map(host))),
            ("certificates", array(report.certificates.map { certificate($0, report.now) })),
            ("renewals", report.renewals?.json ?? value(.null)),
            ("connections", connections(report.connections)),
            ("traffic", traffic(report.traffic)),
            ("storm", storm(report.history.storms.storm)),
            ("load", load(report.load)),
            ("history", points(report.history.points)),
        ])
    }

    private static func problem(_ reason: Health.Reason) -> JSONValue {
        object([
            ("level", string(reason.level.rawValue)), ("text", string(reason.text)),
            ("fix", reason.fix.map(string) ?? value(.null)),
        ])
    }

    private static func load(_ load: LoadMonitor) -> JSONValue {
        object([
            ("overload", load.overload.map { string($0.text) } ?? value(.null)),
            ("cause", load.overload.map { string($0.cause.rawValue) } ?? value(.null)),
            ("since", load.overload.map { number($0.since) } ?? value(.null)),
            ("last10s", window(load.lately)), ("last60s", window(load.minute)),
            ("machineStalled", decimal(load.stalled)), ("machineStolen", decimal(load.stolen)),
        ])
    }

    private static func window(_ window: LoadMonitor.Window) -> JSONValue {
        object([
            ("decided", number(window.decided)), ("answered", number(window.answered)),
            ("share", decimal(window.share)), ("left", number(window.left)),
            (
                "cut",
                object(window.cut.sorted { $0.key < $1.key }.map { ($0.key, number($0.value)) })
            ),
            ("shed", number(window.shed)), ("waitedSeconds", decimal(window.waitedSeconds)),
        ])
    }

    private static func host(_ host: StatusReport.Host) -> JSONValue {
        let teams = host.facts.teams.map {
            object([
                ("team", string($0.identifier)), ("apps", number(Int64($0.apps))),
                // A ready-made document has no shares.
                ("bytes", $0.bytes > 0 ? number(Int64($0.bytes)) : value(.null)),
            ])
        }
        return object([
            ("name", string(host.name)),
            ("aliases", array(host.aliases.map(string))),
            ("form", string(host.facts.form.rawValue)),
            ("available", value(.bool(host.isAvailable))),
            ("hasCertificate", value(.bool(host.hasCertificate))),
            ("problem", host.facts.problem.map(string) ?? value(.null)),
            ("fix", host.facts.fix.map(string) ?? value(.null)),
            ("kept", host.facts.kept.map(string) ?? value(.null)),
            ("keptSince", host.facts.keptSince.map(number) ?? value(.null)),
            ("departures", array(removedTeams(host.facts))),
            ("teams", array(teams)),
            ("apps", number(Int64(host.facts.apps))),
            ("bytes", number(Int64(host.facts.documentBytes))),
            ("bytesMaximum", number(131_072 as Int64)),
            ("signatureEnds", host.facts.signatureEnds.map(number) ?? value(.null)),
            (
                "answers",
                object([
                    ("json", number(host.answers.json)), ("signed", number(host.answers.signed)),
                    ("sibling", number(host.answers.sibling)),
                    ("notFound", number(host.answers.notFound)),
                    ("unavailable", number(host.answers.unavailable)),
                ])
            ),
        ])
    }

    private static func removedTeams(_ facts: HostFacts) -> [JSONValue] {
        facts.removedTeams.map {
            object([
                ("team", string($0.team)), ("apps", number(Int64($0.apps))),
                ("since", number($0.since)),
            ])
        }
    }

    private static func certificate(
        _ certificate: ServedCertificate, _ now: Int64
    ) -> JSONValue {
        object([
            ("host", string(certificate.folder)), ("keyType", string(certificate.keyType)),
            ("names", array(certificate.names.map(string))),
            ("issuer", string(certificate.issuer)),
            ("begins", number(certificate.notBefore)), ("ends", number(certificate.notAfter)),
            ("lifeLeft", decimal(certificate.shareLeft(now: now))),
            ("keptSince", certificate.keptSince.map(number) ?? value(.null)),
        ])
    }

    private static func reloads(_ reloads: StatusReport.Reloads) -> JSONValue {
        object([
            ("succeeded", number(reloads.succeeded)), ("failed", number(reloads.failed)),
            ("problem", reloads.problem.map(string) ?? value(.null)),
        ])
    }

    private static func connections(_ connections: StatusReport.Connections) -> JSONValue {
        object([
            ("open", number(connections.open)), ("waiting", number(connections.waiting)),
            ("limit", number(connections.limit)),
        ])
    }

    private static func traffic(_ traffic: StatusReport.Traffic) -> JSONValue {
        object([
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
        guard let storm else { return value(.null) }
        return object([
            ("began", number(storm.began)), ("lastSeen", number(storm.lastSeen)),
            ("over", value(.bool(storm.isOver))), ("answered", number(storm.answered)),
            ("unavailable", number(storm.unavailable)), ("shed", number(storm.shed)),
            ("gaveUp", number(storm.gaveUp)), ("cut", number(storm.cut)),
            ("peakAnswersPerSecond", number(storm.peakAnswersPerSecond)),
            ("peakConnectionsPerSecond", number(storm.peakConnectionsPerSecond)),
            ("peakOpen", number(storm.peakOpen)), ("peakWaiting", number(storm.peakWaiting)),
        ])
    }

    /// Column by column: a quarter of an hour is 40 KB in this form, and 120 KB as objects.
    private static func points(_ points: [History.Point]) -> JSONValue {
        object([
            ("second", array(points.map { number($0.second) })),
            ("answered", array(points.map { number($0.answered) })),
            ("unavailable", array(points.map { number($0.unavailable) })),
            ("shed", array(points.map { number($0.shed) })),
            ("gaveUp", array(points.map { number($0.gaveUp) })),
            ("cut", array(points.map { number($0.cut) })),
            ("handshakes", array(points.map { number($0.handshakes) })),
            ("accepted", array(points.map { number($0.accepted) })),
            ("open", array(points.map { number($0.open) })),
            ("waiting", array(points.map { number($0.waiting) })),
            ("processors", array(points.map { decimal($0.processors) })),
        ])
    }

    private static func value(_ kind: JSONValue.Kind) -> JSONValue { JSONValue(kind) }
    private static func string(_ text: String) -> JSONValue { value(.string(text)) }
    private static func number(_ number: Int64) -> JSONValue { value(.number(String(number))) }
    private static func number(_ number: UInt64) -> JSONValue { value(.number(String(number))) }
    private static func array(_ values: [JSONValue]) -> JSONValue { value(.array(values)) }

    /// Three places: enough for a chart, and never an exponent.
    private static func decimal(_ number: Double) -> JSONValue {
        let thousandths = Int64(exactly: (number * 1000).rounded()) ?? 0
        let fraction = String(abs(thousandths) % 1000)
        let padded = String(repeating: "0", count: 3 - fraction.count) + fraction
        let sign = thousandths < 0 ? "-" : ""
        return value(.number("\(sign)\(abs(thousandths) / 1000).\(padded)"))
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        value(.object(members.map { JSONMember(key: $0.0, value: $0.1) }))
    }
}
