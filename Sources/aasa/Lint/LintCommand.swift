import AASADevice
import AppSiteAssociation
import ArgumentParser
import OpenSSL
import Reactor

/// `aasa lint`: what is wrong in documents and sites.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        _superCommandName: "aasa",
        abstract: "Find what is wrong in a document or a whole site.",
        discussion: """
            Checks association documents (JSON or signed), entitlements, and the siblings \
            assetlinks.json, webauthn, passkey-endpoints and security.txt; a host's folder as a \
            whole; builds (.ipa, .app, .xcarchive) with their signatures and profiles. .aasa.json, here or in a folder above, changes the severity of rules.

            Exit status: 0 nothing at or above --fail-on, 1 findings, 3 a path cannot be read.

              aasa lint site --format github
              aasa lint apple-app-site-association --host example.com
              aasa lint App.entitlements site --app 9JA89QQLNQ.com.example.shop
              aasa lint App.ipa site
              curl -s https://example.com/.well-known/apple-app-site-association | aasa lint -
            """)

    @Argument(
        help: ArgumentHelp(
            "Files, folders, hosts, sites, or - for standard input.", valueName: "path"))
    var paths: [String] = []

    @Option(help: "Output format.")
    var format: LintReport.Format = .text

    @Option(
        help: ArgumentHelp(
            "The least severity that fails. (default: that of .aasa.json, or error)",
            valueName: "severity"))
    var failOn: Severity?

    @Option(
        help: ArgumentHelp("Do not report this code; repeatable.", valueName: "code"))
    var ignore: [String] = []

    @Option(
        help: ArgumentHelp("The host of association files outside a site.", valueName: "host"))
    var host: String?

    @Option(
        help: ArgumentHelp(
            "The app of the entitlements, to check against the documents.",
            valueName: "id"))
    var app: String?

    @OptionGroup var signer: SignerOptions

    @Option(
        help: ArgumentHelp(
            "The configuration. (default: .aasa.json, here or above)",
            valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Report only what is not in this file.", valueName: "file"))
    var baseline: String?

    @Option(
        help: ArgumentHelp("Write all findings to this baseline and stop.", valueName: "file"))
    var writeBaseline: String?

    @Flag(help: "Show repeated findings in full.")
    var all = false

    @Flag(inversion: .prefixedNo, help: "Use colours. (default: on a terminal)")
    var color: Bool?

    @Option(help: ArgumentHelp("Explain a code and stop.", valueName: "code"))
    var explain: String?

    @Flag(help: "List every rule and stop.")
    var rules = false

    @Flag(help: "Apply safe fixes in place and report everything else.")
    var fix = false

    @Flag(help: "Show what --fix would change, and write nothing.")
    var diff = false

    func validate() throws {
        if paths.isEmpty, explain == nil, !rules {
            throw ValidationError("name at least one file or folder, or - for standard input")
        }
        if paths.filter({ $0 == "-" }).count > 1 {
            throw ValidationError("standard input can be read only once: name - one time")
        }
        if fix, !diff, paths.contains("-") {
            throw ValidationError(
                "standard input cannot be mended in place: name the file, or use --diff")
        }
        if let host { _ = try HostArgument.name(host, "--host") }
        for code in ignore where !CodeCatalog.isKnown(code) {
            throw ValidationError(Self.unknown(code))
        }
    }

    func run() throws {
        if let code = explain { return try explainRule(code) }
        if rules { return listRules() }
        let project = try LintProject.load(config: config)
        try signer.checkAuthorities()
        if let writeBaseline { try LintProject.checkBaseline(at: writeBaseline) }
        let host = try host.map { try HostArgument.name($0, "--host") }
        let assumptions = LintInput.Assumptions(
            host: host, app: app, now: ClientOptions.now, cacert: signer.authority,
            ignored: Set(ignore))
        var input = LintInput(paths, assumptions)
        if fix || diff {
            let fixing = LintFix(showsOnly: diff, ignored: Set(ignore), project: project)
            let count = try fixing.run(input.fixable)
            if diff, !input.unreadable.isEmpty {
                for error in input.unreadable { Terminal.note(lines: error.text) }
                throw ExitStatus.couldNotRun
            }
            if diff, count > 0 { throw ExitStatus.findings }
            if diff { return }
            // What is left, at its new places.
            if count > 0 { input = LintInput(paths, assumptions) }
        }
        let outcome = project.apply(to: input.findings)
        for error in input.unreadable { Terminal.note(lines: error.text) }
        if let writeBaseline {
            try FileReplacement.replace(
                writeBaseline, with: LintBaseline.file(of: outcome.findings))
            let count = Self.counted(outcome.findings.count, "finding")
            Terminal.note("\(count) written to \(writeBaseline)")
            if !input.unreadable.isEmpty { throw ExitStatus.couldNotRun }
            return
        }
        var findings = outcome.findings
        if let baseline {
            let result = try LintProject.baseline(baseline).apply(to: findings)
            findings = result.new
            Terminal.note(
                "\(Self.counted(result.known, "known finding")) of \(baseline) not shown"
                    + (result.gone == 0
                        ? "" : "; \(result.gone) are gone: write it again to forget them"))
        }
        if outcome.ignored > 0 {
            Terminal.note(
                "\(Self.counted(outcome.ignored, "finding")) switched off by \(project.name)")
        }
        let report = LintReport(findings: findings, documents: input.count)
        write(report, failures: input.unreadable.map(\.text))
        if !input.unreadable.isEmpty { throw ExitStatus.couldNotRun }
        if report.has(failOn ?? project.configuration.failOn ?? .error) {
            throw ExitStatus.findings
        }
    }

    private static func counted(_ count: Int, _ thing: String) -> String {
        count == 1 ? "1 \(thing)" : "\(count) \(thing)s"
    }

    private func write(_ report: LintReport, failures: [String]) {
        switch format {
        case .text:
            let text = report.text(color: color ?? Terminal.wantsColor(.output), whole: all)
            Terminal.writeExactly(Array(text.utf8))
        case .json: Terminal.write(report.json)
        case .sarif:
            Terminal.write(report.sarif(version: Version.number, failures: failures))
        case .github:
            Terminal.writeExactly(Array(report.github.utf8))
            Terminal.note(report.summary)
        }
    }

    // MARK: The catalogue

    private static func unknown(_ code: String) -> String {
        let hint = CodeCatalog.suggestion(for: code).map { "; did you mean \($0)?" } ?? ""
        return "there is no rule \"\(code)\"\(hint) (aasa lint --rules lists them)"
    }

    private func listRules() {
        for family in RuleCatalog.families {
            Terminal.print("\(family.name)")
            for rule in family.rules {
                let severity = rule.severity.rawValue.padded(to: 8)
                Terminal.print("  \(severity)\(rule.code): \(rule.title)")
            }
        }
        Terminal.print("builds")
        for rule in BuildCatalog.all {
            let severity = rule.severity.rawValue.padded(to: 8)
            Terminal.print("  \(severity)\(rule.code): \(rule.what)")
        }
    }

    private func explainRule(_ code: String) throws {
        guard let rule = RuleCatalog.rule(code) else {
            guard let entry = CodeCatalog.entry(code) else {
                throw CommandError(Self.unknown(code), status: .usage)
            }
            return Terminal.print(lines: entry.text)
        }
        var lines = [
            "\(rule.code) (\(rule.severity.rawValue)): \(rule.title)", "",
            rule.explanation, "", "Remedy: \(rule.remedy)",
            "Standing: \(Self.words(rule.standing)) (\(rule.source))",
            "Page: \(RuleSource.page(of: rule))",
        ]
        // Examples of file formats that are no text would only disturb the terminal.
        for (name, example) in [("Bad", rule.bad), ("Good", rule.good)] {
            guard Self.isPrintable(example) else { continue }
            lines += ["", "\(name): \(example.file)", Self.indented(example.text)]
        }
        for line in lines { Terminal.print(lines: line) }
    }

    private static func words(_ standing: LintConfidence) -> String {
        switch standing {
        case .documented: "documented"
        case .appleTool: "shown by Apple's own tool"
        case .observed: "observed in public"
        case .reported: "reported by third parties, not promised by Apple"
        case .advice: "good practice"
        }
    }

    private static func isPrintable(_ example: LintExample) -> Bool {
        example.bytes.count <= 2_000 && example.padding == 0
            && example.bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D }
            && !example.text.unicodeScalars.contains("\u{FFFD}")
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.isEmpty ? "" : "    \($0)"
        }.joined(separator: "\n")
    }
}
