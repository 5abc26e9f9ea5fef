/// A rule compared with a URL, part by part.
struct RuleEvaluation {
    /// One pattern and the text that it is compared with.
    struct Part {
        let place: RuleTrace.Place
        let pattern: Pattern
        /// Of several items of one name, the first that does not match.
        let value: ComparedText
        let isMatch: Bool
        /// Items of the URL with the name.
        var occurrences = 1
    }

    /// The parts of a query; shared by the rules that inherit it.
    struct Query {
        let parts: [Part]
        let misses: Int
        let firstMiss: Part?

        init(_ parts: [Part]) {
            self.parts = parts
            misses = parts.count { !$0.isMatch }
            firstMiss = parts.first { !$0.isMatch }
        }
    }

    let path: Part
    let query: Query?
    let fragment: Part?

    var parts: [Part] { [path] + (query?.parts ?? []) + (fragment.map { [$0] } ?? []) }

    /// The first part that does not match.
    var firstMiss: Part? {
        path.isMatch ? query?.firstMiss ?? (isMatch ? nil : fragment) : path
    }

    /// The number of parts that do not match, besides the path.
    var furtherMisses: Int { (query?.misses ?? 0) + (fragment?.isMatch == false ? 1 : 0) }

    var isMatch: Bool { path.isMatch && furtherMisses == 0 }
}

extension Rule {
    /// Compares every part with a URL.
    func evaluate(_ url: URLForms) -> RuleEvaluation {
        let text = url.text(for: self)
        func part(_ place: RuleTrace.Place, _ pattern: Pattern, _ value: ComparedText)
            -> RuleEvaluation.Part
        {
            RuleEvaluation.Part(
                place: place, pattern: pattern, value: value, isMatch: value.matches(pattern))
        }
        let query: RuleEvaluation.Query? =
            switch self.query {
            case .text(let pattern): .init([part(.query, pattern, text.query)])
            case .items(let items): text.evaluate(items)
            case nil: nil
            }
        return RuleEvaluation(
            path: part(.path, path, text.path), query: query,
            fragment: fragment.map { part(.fragment, $0, text.fragment) })
    }

    /// Whether the rule decides about a URL.
    func matches(_ url: URLForms) -> Bool {
        // Nearly all rules are for other paths.
        url.text(for: self).path.matches(path) && evaluate(url).isMatch
    }
}
