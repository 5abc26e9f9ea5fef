import AppSiteAssociation
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct LoadReportLogTests {
    private let log: FileLog
    private let source = SourceText(name: "a.example/teams/A.json", text: "{\n}")

    init() throws {
        log = try FileLog()
    }

    private func finding(
        _ severity: Severity, _ message: String = "no comma", remedy: String? = "mend it",
        related: [Diagnostic.Related] = []
    ) -> Diagnostic {
        Diagnostic(
            code: "json-x", severity: severity, message: message, remedy: remedy, source: source,
            range: 2..<3, related: related)
    }

    private func report(
        _ findings: [Diagnostic], certificates: [CertificateFinding] = []
    ) -> LoadReport {
        var report = LoadReport()
        report.generation = 4
        report.hostCount = 1
        report.findings = [("a.example", findings)]
        report.certificates = certificates
        report.changes = [HostChange(host: "a.example", lines: ["alias added: b"])]
        report.kept = [("a.example", "kept since then")]
        report.duration = .milliseconds(5)
        return report
    }

    private func certificate(_ isError: Bool) -> CertificateFinding {
        CertificateFinding(
            folder: "a", place: "p", isError: isError, cause: "chain.pem ended",
            remedy: "renew it")
    }

    @Test func everyFindingIsToldWithItsPlaceAndItsLevel() {
        let other = Diagnostic.Related(message: "first here", source: source, range: 0..<1)
        let report = report(
            [
                finding(.error, related: [other]), finding(.warning, remedy: nil),
                finding(.note, "not told"),
            ], certificates: [certificate(true), certificate(false)])
        report.logFindings(to: log.logger)
        expectEqual(
            log.lines,
            [
                "error   chain.pem ended  fix=\"renew it\"",
                "warning chain.pem ended  fix=\"renew it\"",
                "error   a.example/teams/A.json:2:1: no comma  code=json-x fix=\"mend it\" "
                    + "host=a.example see=a.example/teams/A.json:1:1",
                "warning a.example/teams/A.json:2:1: no comma  code=json-x host=a.example",
            ])
    }

    @Test func aFileAsAWholeHasNoLine() {
        var report = LoadReport()
        report.findings = [
            (
                "",
                [
                    Diagnostic(
                        code: "y", severity: .error, message: "unreadable", file: "x",
                        related: [.init(message: "there", file: "z")])
                ]
            )
        ]
        report.logFindings(to: log.logger)
        expectEqual(log.lines, ["error   x: unreadable  code=y see=z"])
    }

    /// Certificates and findings count together; infos do not.
    @Test func beyondABoundFindingsAreCounted() {
        let most = LoadReport.findingsMaximum
        let certificates = [certificate(false)]
        let warnings = Array(repeating: finding(.warning), count: most - 1)
        report(warnings + [finding(.note)], certificates: certificates)
            .logFindings(to: log.logger)
        expectEqual(log.lines.count, most)
        report(warnings + [finding(.error), finding(.error)], certificates: certificates)
            .logFindings(to: log.logger)
        expectEqual(log.lines.count, 2 * most + 1)
        expectEqual(log.lines.last, "error   and 2 more findings: run aasa lint")
    }

    @Test func beyondABoundKeptHostsAreCounted() {
        let most = LoadReport.findingsMaximum
        var report = LoadReport()
        report.kept = (0..<most).map { ("h\($0)", "kept") }
        report.logAll(to: log.logger)
        expectEqual(log.lines.count, most)
        expectEqual(log.lines.last, "error   kept  host=h\(most - 1)")
        report.kept += [("x", "kept"), ("y", "kept")]
        report.logAll(to: log.logger)
        expectEqual(log.lines.count, 2 * most + 1)
        expectEqual(log.lines.last, "error   and 2 more last good versions")
    }

    @Test func aLoadIsToldWhole() {
        report([finding(.error)]).logReload(to: log.logger, .order)
        expectEqual(log.lines.count, 4)
        expectEqual(log.lines[2], "error   kept since then  host=a.example")
        expectEqual(
            log.lines[3],
            "notice  reloaded; some files on disk cannot be used, and their last "
                + "good versions stay in service  cause=order "
                + "changed=1 generation=4 hosts=1 ms=5")
        report([finding(.warning)]).logReload(to: log.logger, .change)
        expectEqual(log.lines.last?.hasPrefix("notice  reloaded  cause=change "), true)
    }

    @Test func aFailureIsAnError() {
        Problem(place: "site", cause: "gone", remedy: "put it back")
            .logReload(to: log.logger, .change)
        expectEqual(
            log.lines,
            [
                "error   site: gone; aasa keeps serving what it served before  cause=change "
                    + "fix=\"put it back\""
            ])
    }

    @Test func theFirstErrorIsACertificateBeforeAFile() {
        #expect(report([finding(.warning)]).errors.first?.text == nil)
        expectEqual(
            report([finding(.warning), finding(.error)], certificates: [certificate(false)])
                .errors.first?.text, "a.example/teams/A.json:2:1: no comma")
        expectEqual(
            report([finding(.error)], certificates: [certificate(false), certificate(true)])
                .errors.first?.text, "chain.pem ended")
        var whole = LoadReport()
        whole.findings = [
            ("", [Diagnostic(code: "y", severity: .error, message: "no", file: "x")])
        ]
        expectEqual(whole.errors.first?.text, "x: no")
    }
}
