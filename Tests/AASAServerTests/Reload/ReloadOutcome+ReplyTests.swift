import AppSiteAssociation
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ReloadOutcomeReplyTests {
    private func outcome(_ change: (inout LoadReport) -> Void = { _ in }) -> ControlReply {
        var report = LoadReport()
        report.generation = 7
        report.hostCount = 2
        report.duration = .microseconds(12_900)
        change(&report)
        return ReloadOutcome(load: .success(report)).reply
    }

    private func finding(_ severity: Severity, remedy: String? = "mend it") -> Diagnostic {
        let source = SourceText(name: "a.example/teams/A.json", text: "{\n}")
        return Diagnostic(
            code: "x", severity: severity, message: "no comma", remedy: remedy, source: source,
            range: 2..<3)
    }

    @Test func aReloadIsSummedUpInOneLine() {
        let same = outcome()
        #expect(same.outcome == .good && same.problems.isEmpty)
        expectEqual(same.lines, ["reloaded: 2 hosts, nothing changed, generation 7, 12 ms"])
        let changed = outcome {
            $0.hostCount = 1
            $0.changes = [
                HostChange(host: "a.example", lines: ["alias added: b", "alias added: c"])
            ]
        }
        expectEqual(
            changed.lines,
            [
                "a.example: alias added: b", "a.example: alias added: c",
                "reloaded: 1 host, 1 changed, generation 7, 12 ms",
            ])
    }

    @Test func whatIsRefusedIsListedWithPlaceAndRemedy() {
        let reply = outcome {
            $0.certificates = [
                CertificateFinding(
                    folder: "a", place: "p", isError: true, cause: "chain.pem ended",
                    remedy: "renew it"),
                CertificateFinding(
                    folder: "a", place: "p", isError: false, cause: "a warning", remedy: "r"),
            ]
            $0.findings = [
                ("a.example", [finding(.warning), finding(.error)]),
                (
                    "b.example",
                    [
                        Diagnostic(
                            code: "y", severity: .error, message: "unreadable", file: "b.example")
                    ]
                ),
            ]
            $0.kept = [("a.example", "kept since then because of that")]
        }
        expectEqual(reply.outcome, .findings)
        expectEqual(reply.lines.last?.hasPrefix("reload incomplete: 2 hosts"), true)
        expectEqual(
            reply.problems,
            [
                "error: chain.pem ended", "  fix: renew it",
                "error: a.example/teams/A.json:2:1: no comma", "  fix: mend it",
                "error: b.example: unreadable", "a.example: kept since then because of that",
            ])
    }

    /// What is kept is never cut off by what is wrong: it says what clients get.
    @Test func aLongListIsCut() {
        let most = LoadReport.findingsMaximum
        let many = Array(repeating: finding(.error, remedy: nil), count: 2 * most)
        let kept = (0...most).map { ("h\($0)", "kept") }
        let whole = outcome {
            $0.findings = [("", many)]
            $0.kept = kept
        }
        expectEqual(whole.problems.count, 2 * most + most)
        #expect(!whole.problems.contains("and more: run aasa lint"))
        expectEqual(whole.problems.last, "h\(most - 1): kept")
        let cut = outcome {
            $0.findings = [("", many), ("", [finding(.error, remedy: nil)])]
            $0.kept = kept
        }
        expectEqual(cut.problems.count, 2 * most + 1 + most)
        expectEqual(cut.problems[2 * most], "and more: run aasa lint")
    }

    @Test func aReloadThatBuiltNothingIsRefused() {
        let problem = Problem(place: "site", cause: "gone", remedy: "put it back")
        let outcome = ReloadOutcome(load: .failure(problem))
        expectEqual(outcome.reply.outcome, .refused)
        expectEqual(
            outcome.reply.problems,
            [
                "site: gone; aasa keeps serving what it served before", "fix: put it back",
            ])
    }
}
