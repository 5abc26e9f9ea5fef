/// Runs tests for links against a document.
///
/// A test of an app is passed when the app opens the URL on a device on which all apps of the
/// document are installed: one of its rules matches, and no app of another team that stands before
/// it matches as well. Builds of one app (one team, or one bundle identifier under several
/// prefixes) do not take URLs from one another: nobody installs all of them.
public struct LinkCheck: Sendable {
    /// What became of one test.
    public struct Outcome: Sendable {
        /// The test.
        public let expectation: LinkExpectation
        /// Whether the document does what the test wants.
        public let isPassed: Bool
        /// The apps that match, in the order of the document, which is their priority.
        public let opening: [AppDecision]
        /// What is wrong, as one sentence without a final full stop; nil when it is passed.
        public let reason: String?
        /// The rule that is to blame, in the document.
        public let rule: RuleReference?
    }

    private let association: CompiledAssociation
    private let hosts: [String]

    /// - Parameters:
    ///   - association: the document whose answers are compared.
    ///   - hosts: names under which the document is served; none: any host will do.
    public init(_ association: CompiledAssociation, hosts: [String] = []) {
        self.association = association
        self.hosts = hosts.map { $0.lowercased() }
    }

    /// Decides one test.
    public func outcome(of test: LinkExpectation) -> Outcome {
        guard let url = URLParts(test.url) else {
            return failed(test, [], "\"\(test.url)\" is no URL", nil)
        }
        let domain = hosts.isEmpty ? nil : hosts.first { url.belongs(to: $0) } ?? hosts[0]
        if let domain, let obstacle = url.obstacle(to: domain), obstacle.isDecisive {
            return test.apps.isEmpty
                ? Outcome(
                    expectation: test, isPassed: true, opening: [], reason: nil, rule: nil)
                : failed(test, [], obstacle.description, nil)
        }
        let all = association.decide(url, domain: domain)
        let opening = all.filter { $0.decision == .match }
        guard let first = opening.first else {
            guard let app = test.apps.first else {
                return Outcome(
                    expectation: test, isPassed: true, opening: [], reason: nil, rule: nil)
            }
            let decision = all.first { $0.app == app }
            return failed(test, opening, Self.reason(app, decision), decision?.rule)
        }
        if test.apps.isEmpty {
            return failed(test, opening, "it opens \(first.app)", first.rule)
        }
        for app in test.apps {
            guard let place = opening.firstIndex(where: { $0.app == app }) else {
                let decision = all.first { $0.app == app }
                return failed(
                    test, opening,
                    Self.reason(app, decision) + "; it opens \(first.app)",
                    decision?.rule ?? first.rule)
            }
            if let rival = opening[..<place].first(where: { Self.areRivals($0.app, app) }) {
                return failed(
                    test, opening,
                    "\(rival.app) of another team takes it: its entry stands before that of "
                        + app, rival.rule)
            }
        }
        return Outcome(
            expectation: test, isPassed: true, opening: opening, reason: nil, rule: nil)
    }

    private func failed(
        _ test: LinkExpectation, _ opening: [AppDecision], _ reason: String, _ rule: RuleReference?
    ) -> Outcome {
        Outcome(
            expectation: test, isPassed: false, opening: opening, reason: reason, rule: rule)
    }

    private static func reason(_ app: String, _ decision: AppDecision?) -> String {
        switch decision?.decision {
        case nil: "\(app) is not in the document's applinks"
        case .exclude: "a rule of \(app) excludes it"
        case .some(.none), .match: "no rule of \(app) matches it"
        }
    }

    /// Apps of different teams, except two builds of one bundle.
    static func areRivals(_ left: String, _ right: String) -> Bool {
        let parts = [left, right].map { app in
            (team: app.prefix { $0 != "." }, bundle: app.drop { $0 != "." })
        }
        return parts[0].team != parts[1].team && parts[0].bundle != parts[1].bundle
    }
}
