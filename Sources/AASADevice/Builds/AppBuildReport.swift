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
            [$0.entry.text, $0.bundle, $0.site?.name ?? "-", $0.verdict.name, $0.reason ?? ""]
        }
        rows += run.links.map {
            [$0.url, $0.app, "-", $0.opens ? "opens" : "does not open", $0.reason ?? ""]
        }
        return TextTable.lines(rows)
    }

    // MARK: For machines

    /// One member of an object, with its place in the schema: neither can be without the other.
    private struct Member<Subject> {
        let name: String
        let schema: JSONValue
        let value: (Subject) -> JSONValue

        init(_ name: String, _ schema: JSONValue, _ value: @escaping (Subject) -> JSONValue) {
            self.name = name
            self.schema = schema
            self.value = value
        }
    }

    private static var report: [Member<AppBuildReport>] {
        [
            .init("build", text) { .text($0.build.name) }, .init("good", flag) { .flag($0.isGood) },
            .init("bundles", list(schema(bundle))) { list($0.build.bundles, bundle) },
            .init("findings", list(schema(finding))) { list($0.findings, finding) },
            .init("runs", list(schema(run))) { list($0.runs, run) },
        ]
    }

    private static var bundle: [Member<AppBundle>] {
        [
            .init("path", text) { .text($0.path) },
            .init("kind", words(AppBundle.Kind.self)) { .text($0.kind.rawValue) },
            .init("identifier", optional) { .text($0.identifier) },
            .init("version", text) { .text($0.version) },
            .init("app", optional) { .text($0.application) },
            .init("team", optional) { .text($0.team) },
            .init("debuggable", flag) { .flag($0.isForDevelopment) },
            .init("domains", list(text)) { .list($0.domains.map { .text($0.text) }) },
            .init("profile", orNull(schema(profile))) {
                $0.profile.map { object($0, profile) } ?? JSONValue(.null)
            },
        ]
    }

    private static var profile: [Member<ProvisioningProfile>] {
        [
            .init("name", text) { .text($0.name) },
            .init("kind", words(ProvisioningProfile.Kind.self)) { .text($0.kind.rawValue) },
            .init("expires", optional) { .text($0.expires) },
            .init("teams", list(text)) { .list($0.teams.map { .text($0) }) },
            .init("prefixes", list(text)) { .list($0.prefixes.map { .text($0) }) },
        ]
    }

    private static var finding: [Member<Diagnostic>] {
        [
            .init("code", text) { .text($0.code) },
            .init("severity", words(Severity.self)) { .text($0.severity.rawValue) },
            .init("message", text) { .text($0.message) },
            .init("remedy", optional) { .text($0.remedy) },
        ]
    }

    private static var run: [Member<BuildLinks>] {
        [
            .init("era", words(Era.self)) { .text($0.era.rawValue) },
            .init("domains", list(schema(domain))) { list($0.domains, domain) },
            .init("links", list(schema(link))) { list($0.links, link) },
        ]
    }

    private static var domain: [Member<BuildLinks.Domain>] {
        [
            .init("entry", text) { .text($0.entry.text) }, .init("app", text) { .text($0.app) },
            .init("site", optional) { .text($0.site?.name) },
            .init("verdict", text) { .text($0.verdict.name) },
            .init("code", optional) { .text($0.code) },
            .init("reason", optional) { .text($0.reason) },
        ]
    }

    private static var link: [Member<BuildLinks.Link>] {
        [
            .init("url", text) { .text($0.url) }, .init("app", text) { .text($0.app) },
            .init("opens", flag) { .flag($0.opens) }, .init("code", optional) { .text($0.code) },
            .init("reason", optional) { .text($0.reason) },
        ]
    }

    package var json: JSONValue { Self.object(self, Self.report) }

    /// The format of ``json`` as JSON Schema, draft-07.
    package static var schema: JSONValue {
        .object(
            [
                ("$schema", .text("http://json-schema.org/draft-07/schema#")),
                ("title", .text("The report of aasa device --build")),
            ] + (schema(report).members ?? []).map { ($0.key, $0.value) })
    }

    private static func object<Subject>(
        _ subject: Subject, _ members: [Member<Subject>]
    ) -> JSONValue {
        .object(members.map { ($0.name, $0.value(subject)) })
    }

    private static func list<Subject>(
        _ subjects: [Subject], _ members: [Member<Subject>]
    ) -> JSONValue {
        .list(subjects.map { object($0, members) })
    }

    private static func schema<Subject>(_ members: [Member<Subject>]) -> JSONValue {
        .object([
            ("type", .text("object")),
            ("properties", .object(members.map { ($0.name, $0.schema) })),
            ("required", .list(members.map { .text($0.name) })),
            ("additionalProperties", .flag(false)),
        ])
    }

    private static func type(_ name: String) -> JSONValue { .object([("type", .text(name))]) }
    private static var text: JSONValue { type("string") }
    private static var flag: JSONValue { type("boolean") }
    private static var optional: JSONValue { orNull(text) }

    private static func orNull(_ schema: JSONValue) -> JSONValue {
        .object([("anyOf", .list([schema, type("null")]))])
    }

    private static func list(_ items: JSONValue) -> JSONValue {
        .object([("type", .text("array")), ("items", items)])
    }

    private static func words<Word: CaseIterable & RawRepresentable<String>>(
        _ type: Word.Type
    ) -> JSONValue {
        .object([("enum", .list(type.allCases.map { .text($0.rawValue) }))])
    }
}
