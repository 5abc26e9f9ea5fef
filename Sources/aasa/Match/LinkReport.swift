import AppSiteAssociation

/// What became of link tests, for `aasa match --expect`.
struct LinkReport {
    let outcomes: [LinkCheck.Outcome]
    /// The document that was asked.
    let document: AssociationInput

    var failed: Int { outcomes.filter { !$0.isPassed }.count }

    /// One line per test that fails, and the count.
    var text: String {
        let lines = outcomes.filter { !$0.isPassed }.map { outcome in
            let test = outcome.expectation
            return "FAIL  \(test.url)  expected \(test.wanted): \(outcome.reason ?? "")"
                + (position(outcome).map { "  (\($0))" } ?? "")
        }
        let count = outcomes.count
        return InertText.joined(lines + ["\(count - failed) of \(counted(count, "test")) passed"])
    }

    private func position(_ outcome: LinkCheck.Outcome) -> String? {
        outcome.rule.map { document.place(of: $0.range).text }
    }

    /// `{"passed": …, "failed": …, "links": [{"url": …, "expected": […], "opens": […], …}]}`
    var json: JSONValue {
        let links = outcomes.map { outcome in
            let test = outcome.expectation
            return JSONValue.object([
                ("url", .text(test.url)), ("expected", .list(test.apps.map { .text($0) })),
                ("opens", .list(outcome.opening.map { .text($0.app) })),
                ("passed", .flag(outcome.isPassed)), ("reason", .text(outcome.reason)),
                ("place", .text(position(outcome))),
            ])
        }
        return .object([
            ("passed", .integer(outcomes.count - failed)), ("failed", .integer(failed)),
            ("links", .list(links)),
        ])
    }
}
