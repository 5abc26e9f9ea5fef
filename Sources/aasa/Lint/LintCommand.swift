import AppSiteAssociation
import ArgumentParser
import OpenSSL
import Reactor

/// `aasa lint`: what is wrong in documents and sites.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Find problems in a document, a whole site or an app's build.",
        discussion: """
            Checks association documents (JSON or signed), entitlements, builds (.ipa, .app, \
            .xcarchive), and the siblings assetlinks.json, webauthn, passkey-endpoints and security.txt. \
            .aasa.json, in the working directory or above it, changes the severity of rules. A build is \
            compared with the .entitlements file beside it, or with the one that you name.

            Exit status: 0 nothing at or above --fail-on, 1 findings, 3 a path cannot be read.

              aasa lint site --format github
              aasa lint apple-app-site-association --host example.com
              aasa lint Shop.ipa Shop.entitlements site
            """)

    @Argument(
        help: .value("path", "Files, folders, hosts, sites, or - for standard input."))
    var paths: [String] = []

    @Option(help: "Output format.")
    var format: LintReport.Format = .text

    @Option(
        help: .value(
            "severity", "The lowest severity that fails. (default: that of .aasa.json, or error)"))
    var failOn: Severity?

    @Option(
        help: .value("code", "Do not report this code; repeatable."))
    var ignore: [String] = []

    @Option(
        help: .value("host", "The host of association files outside a site."))
    var host: String?

    @Option(
        help: .value("id", "Report identifiers that look like this app's but differ from it."))
    var app: String?

    @OptionGroup var signer: SignerOptions

    @Option(
        help: .value("file", "The configuration. (default: .aasa.json, here or above)"))
    var config: String?

    @Option(
        help: .value("file", "Report only what is not in this file."))
    var baseline: String?

    @Option(
        help: .value("file", "Write all findings to this baseline and exit."))
    var writeBaseline: String?

    @Flag(help: "Show repeated findings in full.")
    var all = false

    @Flag(inversion: .prefixedNo, help: "Whether to use colours. (default: on a terminal)")
    var color: Bool?

    @Option(help: .value("code", "Explain a code and exit."))
    var explain: String?

    @Flag(help: "List the codes of all commands and exit.")
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
                "standard input cannot be fixed in place: name the file, or use --diff")
        }
        if let host { _ = try HostArgument.name(host, "--host") }
        for code in ignore where !CodeCatalog.isKnown(code) {
            throw ValidationError(CodeCatalog.unknown(code))
        }
    }

    func run() throws {
        if let code = explain { return try CodeCatalog.explain(code) }
        if rules { return CodeCatalog.list() }
        let project = try LintProject.load(config: config)
        try signer.checkAuthorities()
        if let writeBaseline { try LintProject.checkBaseline(at: writeBaseline) }
        let host = try host.map { try HostArgument.name($0, "--host") }
        let assumptions = LintInput.Assumptions(
            host: host, app: app, now: WallClock.seconds, cacert: signer.authority,
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
                writeBaseline,
                with: LintBaseline.file(
                    of: outcome.findings, naming: LintProject.names(in: writeBaseline)))
            let count = counted(outcome.findings.count, "finding")
            Terminal.note("\(count) written to \(writeBaseline)")
            if !input.unreadable.isEmpty { throw ExitStatus.couldNotRun }
            return
        }
        var findings = outcome.findings
        if let baseline {
            let result = try LintProject.baseline(baseline).apply(
                to: findings, naming: LintProject.names(in: baseline))
            findings = result.new
            Terminal.note(
                "\(counted(result.known, "known finding")) of \(baseline) not shown"
                    + (result.gone == 0
                        ? "" : "; \(result.gone) gone: write it again to forget them"))
        }
        if outcome.ignored > 0 {
            Terminal.note(
                "\(counted(outcome.ignored, "finding")) switched off by \(project.name)")
        }
        let report = LintReport(findings: findings, documents: input.count)
        write(report, failures: input.unreadable.map(\.text))
        if !input.unreadable.isEmpty { throw ExitStatus.couldNotRun }
        if report.has(failOn ?? project.configuration.failOn ?? .error) {
            throw ExitStatus.findings
        }
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
}
