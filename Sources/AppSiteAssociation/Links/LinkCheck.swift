/// Runs link tests against a document.
///
/// A test of an app passes if the app opens the URL on a device with all apps of the document: one
/// of its rules matches, and no earlier app of another team matches as well. Builds of one app (one
/// team, or one bundle identifier under several prefixes) do not compete: no person installs all of
/// them.
public struct LinkCheck: Sendable {
    /// The result of one test.
    public struct Outcome: Sendable {
        /// The test.
        public let expectation: LinkExpectation
        /// The matching apps in the order of the document, which is their priority.
        public private(set) var opening: [AppDecision] = []
        /// Why the test failed, as one sentence without a full stop; nil if it passed.
        public private(set) var reason: String?
        /// The responsible rule in the document.
        public private(set) var rule: RuleReference?

        /// Whether the document behaves as expected.
        public var isPassed: Bool { reason == nil }
    }

    private let association: CompiledAssociation
    private let hosts: [String]

    /// The steps for the tests of one file, about a second: a test evaluates every rule and app of
    /// the document. It allows 7,000 tests with 3,000 rules of 1,000 apps, the most in a document
    /// of 128 KB.
    static let stepsMaximum = 100_000_000

    /// - Parameters:
    ///   - association: the document to test.
    ///   - hosts: the host names of the document; empty for any host.
    public init(_ association: CompiledAssociation, hosts: [String] = []) {
        self.association = association
        self.hosts = hosts.map { $0.lowercased() }
    }

    /// Runs tests in order.
    ///
    /// The work is limited: hundreds of thousands of tests with thousands of rules would take
    /// minutes.
    /// - Returns: one outcome per test; fewer if the limit was reached: the rest were not run.
    public func outcomes(of tests: [LinkExpectation]) -> [Outcome] {
        outcomes(of: tests, Steps(Self.stepsMaximum))
    }

    func outcomes(of tests: [LinkExpectation], _ steps: Steps) -> [Outcome] {
        var outcomes: [Outcome] = []
        for test in tests {
            steps.spend(association.appTable.count)
            let outcome = outcome(of: test, steps)
            // What was compared without steps does not count.
            if steps.isSpent { break }
            outcomes.append(outcome)
        }
        return outcomes
    }

    /// The message if the limit was reached; nil if all tests were run.
    public static func notRun(
        _ tests: [LinkExpectation], after outcomes: [Outcome], in source: SourceText
    ) -> Diagnostic? {
        guard outcomes.count < tests.count else { return nil }
        return Diagnostic(
            code: "links-too-many", severity: .error,
            message: "\(tests.count - outcomes.count) of \(tests.count) tests were not run: "
                + "the product of tests and rules exceeds the limit for one file",
            remedy: "split the file, or remove tests", source: source,
            range: tests[outcomes.count].range)
    }

    private func outcome(of test: LinkExpectation, _ steps: Steps) -> Outcome {
        guard let url = URLParts(test.url) else {
            return Outcome(expectation: test, reason: "\"\(test.url)\" is no URL")
        }
        let domain = hosts.isEmpty ? nil : hosts.first { url.belongs(to: $0) } ?? hosts[0]
        if let obstacle = url.obstacle(to: domain) {
            return Outcome(
                expectation: test, reason: test.apps.isEmpty ? nil : obstacle)
        }
        let answers = association.decide(url, domain: domain, steps) { app, decision in
            decision == .match || test.apps.contains(app)
        }
        let opening = answers.filter { $0.decision == .match }.byEntry
        let (reason, rule) = Self.failure(of: test, answers, opening)
        return Outcome(expectation: test, opening: opening, reason: reason, rule: rule)
    }

    /// Why a test fails, and by which rule; nil if it passes.
    private static func failure(
        of test: LinkExpectation, _ answers: [AppDecision], _ opening: [AppDecision]
    ) -> (reason: String?, rule: RuleReference?) {
        let first = opening.first
        if test.apps.isEmpty { return (first.map { "it opens \($0.app)" }, first?.rule) }
        for app in test.apps {
            guard let place = opening.firstIndex(where: { $0.app == app }) else {
                let decision = answers.first { $0.app == app }
                return (
                    reason(app, decision) + (first.map { "; it opens \($0.app)" } ?? ""),
                    decision?.rule ?? first?.rule
                )
            }
            if let rival = opening[..<place].first(where: { areRivals($0.app, app) }) {
                return (
                    "\(rival.app) of another team opens it: its entry is before that of \(app)",
                    rival.rule
                )
            }
        }
        return (nil, nil)
    }

    private static func reason(_ app: String, _ decision: AppDecision?) -> String {
        switch decision?.decision {
        case nil: "\(app) is not in the document's applinks"
        case .exclude: "a rule of \(app) excludes it"
        case .some(.none), .match: "no rule of \(app) matches it"
        }
    }

    /// Whether apps are of different teams and are not builds of one bundle.
    package static func areRivals(_ left: String, _ right: String) -> Bool {
        let parts = [left, right].map { app in
            (team: app.prefix { $0 != "." }, bundle: app.drop { $0 != "." })
        }
        return parts[0].team != parts[1].team && parts[0].bundle != parts[1].bundle
    }
}
