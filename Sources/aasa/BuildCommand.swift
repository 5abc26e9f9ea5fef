import AASAServer
import AppSiteAssociation
import ArgumentParser
import Reactor

/// `aasa build`: the document of a host, exactly as it is served.
struct BuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build",
        _superCommandName: "aasa",
        abstract: "Merge the teams' fragments into the document that is served.",
        discussion: """
            Reads the host's folder as the server does, and writes the same bytes. Findings and the size \
            per team go to standard error. A ready-made signed file is written unchanged. What the server \
            signs itself is written unsigned; sign it with aasa sign.

            A document with errors is not written, and an existing output file stays as it is: aasa lint \
            lists the errors, and "strict": false in host.json ignores most of them. Failed link tests \
            (links.csv) do not count.

            Exit status: 0 written, 1 the document has errors.

              aasa build site/example.com --output apple-app-site-association
              aasa build site/example.com --format json > /dev/null
              aasa build site/example.com --sibling assetlinks
            """)

    @Argument(
        help: .value("folder", "The folder of a host: SITE/HOST."))
    var folder: String

    @Option(
        name: .shortAndLong,
        help: .value("file", "Write the document to this file, atomically, instead of stdout."))
    var output: String?

    @Option(help: "Format of sizes and findings on stderr. (default: text)")
    var format: OutputFormat?

    /// Its name until 1.1; accepted for one release.
    @Option(help: .hidden) var report: OutputFormat?

    @Option(
        help: .value(
            "name",
            "Write this sibling from well-known/ in place of the association file: assetlinks, webauthn or a file name. If teams have parts of it, they are merged."
        ))
    var sibling: String?

    func run() throws {
        let host = try HostInput.require(folder)
        if let target {
            let files = host.sources + host.source.siblings.map(\.source)
            let parts = host.source.siblingParts.map(\.source) + host.source.links.map(\.source)
            let settings = host.source.settingsSource.map { [$0] } ?? []
            // A link in the folder may lead to a file elsewhere.
            try FileReplacement.check(
                target, sparing: [host.path] + (files + parts + settings).map(\.name))
        }
        if let sibling { return try write(sibling: sibling, of: host) }
        let review = host.source.build()
        let (document, findings) = (review.document, review.findings)
        let summary = BuildReport(host: host, document: document, findings: findings)
        switch format ?? report ?? .text {
        case .text:
            FindingNotes.print(findings, documents: review.files.count)
            Terminal.note(lines: summary.text)
        case .json: Terminal.note(String(decoding: summary.json, as: UTF8.self))
        }
        guard let document else { throw ExitStatus.findings }
        let signed = host.source.settings.form == .auto ? nil : document.readySigned?.der
        if target == nil, let signed { return try Terminal.writeSigned(signed) }
        try write(signed ?? document.json)
    }

    /// The file to write; nil: standard output.
    private var target: String? { output == "-" ? nil : output }

    private func write(_ bytes: [UInt8]) throws {
        guard let target else { return Terminal.writeExactly(bytes) }
        try FileReplacement.replace(target, with: bytes)
    }

    private func write(sibling: String, of host: HostInput) throws {
        let name = sibling == "assetlinks" ? "assetlinks.json" : sibling
        let files =
            host.source.siblings.filter { $0.name == name }.map(\.source.name)
            + host.source.siblingParts.filter { $0.kind.rawValue == name }.map(\.source.name)
        let merging = host.source.problems.siblings[name] ?? []
        let findings =
            merging
            + host.source.build().findings.filter {
                files.contains($0.file) && !merging.contains($0)
            }
        FindingNotes.print(findings, documents: 1)
        if findings.contains(where: { $0.severity == .error }) { throw ExitStatus.findings }
        guard let found = host.source.siblings.first(where: { $0.name == name }) else {
            let known = host.source.siblings.map(\.name).joined(separator: ", ")
            throw CommandError(
                "the host has no \(name)", place: host.path,
                remedy: known.isEmpty
                    ? "teams state their parts in teams/TEAM.assetlinks.json"
                    : "it has \(known)")
        }
        Terminal.note("\(found.source.name): \(found.source.bytes.count) bytes")
        try write(found.source.bytes)
    }
}

/// What `aasa build` says about a host besides the document.
struct BuildReport {
    let host: HostInput
    let document: HostDocument?
    let findings: [Diagnostic]

    private static let maximum = AssociationFile.bytesMaximum
    private var isMerged: Bool { if case .fragments = host.source.document { true } else { false } }

    /// `TEAM  apps  bytes` per team, and the share of what Apple reads.
    var text: String {
        guard let document else { return "\(host.name): not built" }
        let size = document.json.count
        var rows = document.teams.map { team in
            [
                team.identifier, counted(team.apps, "app"),
                isMerged ? "\(team.bytes) bytes" : "", isMerged ? Self.share(team.bytes) : "",
            ]
        }
        let apps = counted(document.apps, "app")
        rows.append(["total", apps, "\(size) bytes", Self.share(size)])
        if let signed = document.readySigned?.der.count {
            rows.append(["signed", "", "\(signed) bytes", Self.share(signed)])
        }
        let lines = TextTable.lines(rows, toRight: [1, 2, 3]).map { "  " + $0 }
        return InertText.joined([host.name] + lines)
    }

    var json: [UInt8] {
        var members: [(String, JSONValue)] = [
            ("host", .text(host.name)), ("built", .flag(document != nil)),
        ]
        if let document {
            let teams = document.teams.map { team in
                JSONValue.object([
                    ("team", .text(team.identifier)), ("apps", .integer(team.apps)),
                    ("bytes", .integer(team.bytes)),
                ])
            }
            members += [
                ("bytes", .integer(document.json.count)), ("maximum", .integer(Self.maximum)),
                ("apps", .integer(document.apps)),
                ("source", .text(isMerged ? "fragments" : "readyMade")), ("teams", .list(teams)),
            ]
        }
        members.append(("findings", .list(findings.map(\.json))))
        return JSONWriter.minified(.object(members))
    }

    /// Tenths of a percent of what Apple reads.
    private static func share(_ bytes: Int) -> String {
        let tenths = (bytes * 1000 + maximum / 2) / maximum
        return "\(tenths / 10).\(tenths % 10) % of \(maximum)"
    }
}
