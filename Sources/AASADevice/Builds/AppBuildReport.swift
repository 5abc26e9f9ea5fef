package import AppSiteAssociation

/// The report of `aasa device --build`: who the build is, what is wrong in it, its domains and its
/// URLs.
package struct AppBuildReport: Sendable {
    private let build: AppBuild
    private let runs: [BuildLinks]
    private let findings: [Diagnostic]

    /// - Parameters:
    ///   - faults: of the build itself, see ``BuildRules``.
    ///   - runs: one for each era.
    package init(_ build: AppBuild, faults: [Diagnostic], runs: [BuildLinks]) {
        self.build = build
        self.runs = runs
        findings = faults + runs.flatMap(\.findings)
    }

    /// Whether every domain is associated, every URL opens the app, and nothing else is wrong.
    package var isGood: Bool { !findings.contains { $0.severity == .error } }

    /// For people.
    package var text: String {
        var lines = build.bundles.map(Self.line)
        for finding in findings {
            lines += [
                "", "\(finding.severity.rawValue): \(finding.message) [\(finding.code)]",
            ]
            if let remedy = finding.remedy { lines.append("  fix: \(remedy)") }
        }
        for run in runs {
            lines += [""] + Self.table(run)
        }
        return InertText.joined(lines)
    }

    private static func line(_ bundle: AppBundle) -> String {
        var parts = [
            "\(bundle.kind.rawValue) \(bundle.name)", bundle.version,
            bundle.application ?? bundle.identifier ?? "no identifier",
        ]
        if let team = bundle.team { parts.append("team \(team)") }
        if let profile = bundle.profile { parts.append("\(profile.kind.rawValue) profile") }
        return String(repeating: "  ", count: bundle.container == nil ? 0 : 1)
            + parts.joined(separator: ", ")
    }

    private static func table(_ run: BuildLinks) -> [String] {
        let phone = run.era.title
        var rows = [["domain or URL", "app", "site", phone, "why not"]]
        rows += run.domains.map {
            [$0.entry.text, $0.bundle, $0.site?.name ?? "-", $0.verdict.name, $0.reason ?? ""]
        }
        rows += run.links.map {
            [$0.url, $0.app, "-", $0.opens ? "opens" : "does not open", $0.reason ?? ""]
        }
        return TextTable.lines(rows)
    }

    /// For machines; see ``schema``.
    package var json: JSONValue {
        .object([
            ("build", .text(build.name)), ("good", .flag(isGood)),
            ("bundles", .list(build.bundles.map(Self.json))),
            (
                "findings",
                .list(
                    findings.map {
                        .object([
                            ("code", .text($0.code)), ("severity", .text($0.severity.rawValue)),
                            ("message", .text($0.message)), ("remedy", .text($0.remedy)),
                        ])
                    })
            ),
            (
                "runs",
                .list(
                    runs.map { run in
                        .object([
                            ("era", .text(run.era.rawValue)),
                            ("domains", .list(run.domains.map(Self.json))),
                            ("links", .list(run.links.map(Self.json))),
                        ])
                    })
            ),
        ])
    }

    private static func json(_ bundle: AppBundle) -> JSONValue {
        .object([
            ("path", .text(bundle.path)), ("kind", .text(bundle.kind.rawValue)),
            ("identifier", .text(bundle.identifier)), ("version", .text(bundle.version)),
            ("app", .text(bundle.application)), ("team", .text(bundle.team)),
            ("debuggable", .flag(bundle.isForDevelopment)),
            ("domains", .list(bundle.domains.map { .text($0.text) })),
            (
                "profile",
                bundle.profile.map {
                    .object([
                        ("name", .text($0.name)), ("kind", .text($0.kind.rawValue)),
                        ("expires", .text($0.expires)),
                        ("teams", .list($0.teams.map { .text($0) })),
                        ("prefixes", .list($0.prefixes.map { .text($0) })),
                    ])
                } ?? JSONValue(.null)
            ),
        ])
    }

    private static func json(_ domain: BuildLinks.Domain) -> JSONValue {
        .object([
            ("entry", .text(domain.entry.text)), ("app", .text(domain.app)),
            ("site", .text(domain.site?.name)), ("verdict", .text(domain.verdict.name)),
            ("code", .text(domain.code)), ("reason", .text(domain.reason)),
        ])
    }

    private static func json(_ link: BuildLinks.Link) -> JSONValue {
        .object([
            ("url", .text(link.url)), ("app", .text(link.app)), ("opens", .flag(link.opens)),
            ("code", .text(link.code)), ("reason", .text(link.reason)),
        ])
    }

    // MARK: Schema

    /// The format of ``json`` as JSON Schema, draft-07.
    package static var schema: JSONValue {
        let verdicts = ["associated", "denied", "will-retry", "failed", "skipped"]
        let domain = object([
            ("entry", text), ("app", text), ("site", words(verdicts, orNull: true)),
            ("verdict", words(verdicts)), ("code", optional), ("reason", optional),
        ])
        let link = object([
            ("url", text), ("app", text), ("opens", flag), ("code", optional),
            ("reason", optional),
        ])
        let profile = object([
            ("name", text), ("kind", words(["development", "ad-hoc", "enterprise", "app-store"])),
            ("expires", optional), ("teams", list(text)), ("prefixes", list(text)),
        ])
        let bundle = object([
            ("path", text), ("kind", words(["app", "app-clip", "extension", "watch-app"])),
            ("identifier", optional), ("version", text), ("app", optional), ("team", optional),
            ("debuggable", flag), ("domains", list(text)),
            ("profile", .object([("anyOf", .list([profile, none]))])),
        ])
        let finding = object([
            ("code", text), ("severity", words(Severity.allCases.map(\.rawValue))),
            ("message", text), ("remedy", optional),
        ])
        let run = object([
            ("era", words(Era.allCases.map(\.rawValue))), ("domains", list(domain)),
            ("links", list(link)),
        ])
        let report = object([
            ("build", text), ("good", flag), ("bundles", list(bundle)),
            ("findings", list(finding)), ("runs", list(run)),
        ])
        return .object(
            [
                ("$schema", .text("http://json-schema.org/draft-07/schema#")),
                ("title", .text("The report of aasa device --build")),
            ] + (report.members ?? []).map { ($0.key, $0.value) })
    }

    private static let text = JSONValue.object([("type", .text("string"))])
    private static let flag = JSONValue.object([("type", .text("boolean"))])
    private static let none = JSONValue.object([("type", .text("null"))])
    private static let optional = JSONValue.object([
        ("type", .list([.text("string"), .text("null")]))
    ])

    private static func list(_ items: JSONValue) -> JSONValue {
        .object([("type", .text("array")), ("items", items)])
    }

    private static func words(_ words: [String], orNull: Bool = false) -> JSONValue {
        .object([("enum", .list(words.map { .text($0) } + (orNull ? [JSONValue(.null)] : [])))])
    }

    private static func object(_ properties: [(String, JSONValue)]) -> JSONValue {
        .object([
            ("type", .text("object")), ("properties", .object(properties)),
            ("required", .list(properties.map { .text($0.0) })),
            ("additionalProperties", .flag(false)),
        ])
    }
}
