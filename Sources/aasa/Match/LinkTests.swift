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
            let (outcomes, problems) = run(links.source, check)
            findings += problems
            guard let document else { continue }
            findings += outcomes.compactMap { finding($0, links.source, document) }
        }
        return findings
    }

    /// Runs the tests of a file.
    ///
    /// - Parameter check: nil: there is no document, and the file is only read.
    /// - Returns: also what is no test, and that some were not run.
    static func run(
        _ source: SourceText, _ check: LinkCheck?
    ) -> (outcomes: [LinkCheck.Outcome], problems: [Diagnostic]) {
        let (tests, problems) = LinkExpectationReader.read(source)
        guard let outcomes = check?.outcomes(of: tests) else { return ([], problems) }
        let rest = LinkCheck.notRun(tests, after: outcomes, in: source)
        return (outcomes, problems + [rest].compactMap { $0 })
    }

    static func names(of host: HostSource) -> [String] {
        [host.name] + host.settings.aliases.map(\.value)
    }

    private static func finding(
        _ outcome: LinkCheck.Outcome, _ source: SourceText, _ document: HostDocument
    ) -> Diagnostic? {
        guard let reason = outcome.reason else { return nil }
        let test = outcome.expectation
        return Diagnostic(
            code: "link-test-failed", severity: .error,
            message: "\(test.url) has to open \(test.wanted), but \(reason)",
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

extension LinkExpectation {
    /// What is to open the URL, in words.
    var wanted: String { apps.isEmpty ? "no app" : apps.joined(separator: " and ") }
}

extension LinkCheck {
    init(_ document: AssociationInput) {
        self.init(CompiledAssociation(document.file), hosts: document.names)
    }
}
