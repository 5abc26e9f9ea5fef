import AASAServer
import AppSiteAssociation

/// The link tests that stand in a host's folder: `links.csv`, `links.json` and
/// `teams/TEAM.links.csv`.
enum LinkTests {
    /// One finding per test that fails, at its line; nothing where there is no document, since its
    /// own findings say why.
    ///
    /// - Parameter others: hosts of the same folder, whose names count as well.
    static func findings(of host: HostSource, and others: [HostSource] = []) -> [Diagnostic] {
        guard !host.links.isEmpty else { return [] }
        var findings: [Diagnostic] = []
        let document = DocumentBuilder.build(
            host.document, check: .readable, keepsOrigins: true
        ).document
        let check = document.map {
            LinkCheck(CompiledAssociation($0.file), hosts: names(of: host) + others.flatMap(names))
        }
        for links in host.links {
            let (tests, problems) = LinkExpectationReader.read(links.source)
            findings += problems
            guard let check, let document else { continue }
            let outcomes = check.outcomes(of: tests)
            if let rest = LinkCheck.notRun(tests, after: outcomes, in: links.source) {
                findings.append(rest)
            }
            for outcome in outcomes {
                if let finding = finding(outcome, links.source, document) {
                    findings.append(finding)
                }
            }
        }
        return findings
    }

    static func names(of host: HostSource) -> [String] {
        [host.name] + host.settings.aliases.map(\.value)
    }

    private static func finding(
        _ outcome: LinkCheck.Outcome, _ source: SourceText, _ document: HostDocument
    ) -> Diagnostic? {
        guard let reason = outcome.reason else { return nil }
        let test = outcome.expectation
        let wanted =
            test.apps.isEmpty ? "no app" : test.apps.joined(separator: " and ")
        return Diagnostic(
            code: "link-test-failed", severity: .error,
            message: "\(test.url) has to open \(wanted), but \(reason)",
            remedy: "change the rule, the order of the teams, or the test", source: source,
            range: test.range,
            related: outcome.rule.map { rule in
                let place = document.place(of: rule.range)
                return [
                    Diagnostic.Related(
                        message: "this rule decides", source: place.source, range: place.range)
                ]
            } ?? [])
    }
}
