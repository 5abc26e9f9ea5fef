package import AppSiteAssociation
import Texts

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

    // MARK: For people

    package var text: String {
        var lines = build.bundles.map(Self.line)
        for finding in findings {
            lines += ["", "\(finding.severity.rawValue): \(finding.message) [\(finding.code)]"]
            if let remedy = finding.remedy { lines.append("  fix: \(remedy)") }
        }
        for run in runs { lines += [""] + Self.table(run) }
        return InertText.joined(lines)
    }

    private static func line(_ bundle: AppBundle) -> String {
        var parts = [
            "\(bundle.kind.rawValue) \(bundle.name)", bundle.version,
            bundle.application ?? bundle.identifier ?? "no identifier",
        ]
        if let team = bundle.team { parts.append("team \(team)") }
        if let profile = bundle.profile { parts.append("\(profile.kind.rawValue) profile") }
        return (bundle.container == nil ? "" : "  ") + parts.joined(separator: ", ")
    }

    private static func table(_ run: BuildLinks) -> [String] {
        var rows = [["domain or URL", "app", "site", run.era.rules.title, "why not"]]
        rows += run.domains.map {
            [
                $0.entry.text, $0.bundle, $0.site?.name ?? "-", $0.verdict.name,
                $0.fault?.reason ?? "",
            ]
        }
        rows += run.links.map {
            [$0.url, $0.app, "-", $0.opens ? "opens" : "does not open", $0.fault?.reason ?? ""]
        }
        return TextTable.lines(rows)
    }

    // MARK: For machines

    package var json: JSONValue {
        .object([
            ("build", .text(build.name)), ("good", .flag(isGood)),
            ("bundles", .list(build.bundles.map(Self.json))),
            ("findings", .list(findings.map(Self.json))), ("runs", .list(runs.map(Self.json))),
        ])
    }

    private static func json(_ bundle: AppBundle) -> JSONValue {
        .object([
            ("path", .text(bundle.path)), ("kind", .text(bundle.kind.rawValue)),
            ("identifier", .text(bundle.identifier)), ("version", .text(bundle.version)),
            ("app", .text(bundle.application)), ("team", .text(bundle.team)),
            ("debuggable", .flag(bundle.isForDevelopment)),
            ("domains", .list(bundle.domains.map { .text($0.text) })),
            ("profile", bundle.profile.map(json) ?? JSONValue(.null)),
        ])
    }

    private static func json(_ profile: ProvisioningProfile) -> JSONValue {
        .object([
            ("name", .text(profile.name)), ("kind", .text(profile.kind.rawValue)),
            ("expires", .text(profile.expires)),
            ("teams", .list(profile.teams.map { .text($0) })),
            ("prefixes", .list(profile.prefixes.map { .text($0) })),
        ])
    }

    private static func json(_ finding: Diagnostic) -> JSONValue {
        .object([
            ("code", .text(finding.code)), ("severity", .text(finding.severity.rawValue)),
            ("message", .text(finding.message)), ("remedy", .text(finding.remedy)),
        ])
    }

    private static func json(_ run: BuildLinks) -> JSONValue {
        let domains = run.domains.map { domain in
            JSONValue.object([
                ("entry", .text(domain.entry.text)), ("app", .text(domain.app)),
                ("site", .text(domain.site?.name)), ("verdict", .text(domain.verdict.name)),
                ("code", .text(domain.fault?.code)), ("reason", .text(domain.fault?.reason)),
            ])
        }
        let links = run.links.map { link in
            JSONValue.object([
                ("url", .text(link.url)), ("app", .text(link.app)), ("opens", .flag(link.opens)),
                ("code", .text(link.fault?.code)), ("reason", .text(link.fault?.reason)),
            ])
        }
        return .object([
            ("era", .text(run.era.rawValue)), ("domains", .list(domains)), ("links", .list(links)),
        ])
    }

    /// The format of ``json`` as JSON Schema, draft-07. A test compares the two.
    package static var schema: JSONValue { Text.buildSchema.json }
}
