/// Sample URLs that show the effect of changed rules.
public enum LinkSamples {
    /// The result for one URL before and after.
    public struct Sample: Sendable, Hashable {
        /// The complete URL.
        public let url: String
        /// The first app that opens it; nil: the browser.
        public let before: String?
        /// The same afterwards.
        public let after: String?

        /// Creates a sample from a URL and the app that opens it before and after; nil: the
        /// browser.
        public init(url: String, before: String?, after: String?) {
            self.url = url
            self.before = before
            self.after = after
        }
    }

    /// Every sample evaluates all rules twice; a hundred are enough to read.
    public static let samplesMaximum = 100
    /// Maximum of comparisons for all samples: a hundred samples with 14,000 usual rules need half
    /// of them; they take about 50 ms. Then no further sample is made.
    static let stepsMaximum = 6_000_000

    /// One URL per changed rule, and a few similar ones, if their app changes.
    public static func changed(
        _ changes: [AssociationChange], _ before: AssociationFile, _ after: AssociationFile
    ) -> [Sample] {
        let associations = [CompiledAssociation(before), CompiledAssociation(after)]
        let rules = associations.map { association in
            Dictionary(
                association.entries.flatMap(\.rules).map { ($0.reference.range, $0) },
                uniquingKeysWith: { first, _ in first })
        }
        var known: Set<String> = []
        var texts: [Set<String>] = [[], []]
        var samples: [Sample] = []
        let steps = Steps(stepsMaximum)
        for change in changes {
            for (number, side) in [change.before, change.after].enumerated() {
                guard let side, known.count < samplesMaximum, !steps.isSpent,
                    texts[number].insert(side.text).inserted
                else { continue }
                // An entry without rules takes every URL.
                let everything = side.text == "{}" ? "/x" : nil
                let url = rules[number][side.range].flatMap { probe($0, 0) } ?? everything
                guard let url, known.insert(url).inserted else { continue }
                let sample = sample(url, associations[0], associations[1], steps)
                if !steps.isSpent, sample.before != sample.after { samples.append(sample) }
            }
        }
        return samples
    }

    /// Evaluates one URL with both documents.
    private static func sample(
        _ url: String, _ before: CompiledAssociation, _ after: CompiledAssociation, _ steps: Steps
    ) -> Sample {
        func first(_ association: CompiledAssociation) -> String? {
            guard let parts = URLParts(url) else { return nil }
            return association.decide(parts, domain: nil, steps) { $1 == .match }.byEntry.first?.app
        }
        return Sample(url: url, before: first(before), after: first(after))
    }

    /// A URL that rules with a path of their own do not match.
    static let unrelated = "/zz/7.q?zz=1#zz"

    /// Maximum of URLs in ``probes(_:)``.
    static let probesMaximum = 16

    /// URLs for a rule that have as little in common as it allows: other text for the wildcards,
    /// another value for each variable. A rule that has neither gives one.
    static func probes(_ rule: Rule) -> [String] {
        (0..<probesMaximum).compactMap { probe(rule, $0) }.unique(by: \.self)
    }

    /// A URL that a rule matches; nil if its patterns make none.
    /// - Parameter number: which text stands for wildcards and variables.
    private static func probe(_ rule: Rule, _ number: Int) -> String? {
        let isEven = number.isMultiple(of: 2)
        func text(_ pattern: Pattern, run: String) -> String {
            PatternPiece.all(in: pattern.source).map { piece in
                let text: Substring =
                    switch piece {
                    case .text(let text): text
                    case .variable(let name):
                        value(ExactText(name), number, pattern.variables)[...]
                    }
                return text.unicodeScalars.map { scalar in
                    switch scalar {
                    case "*": run
                    case "?": isEven ? "x" : "7"
                    default: String(scalar)
                    }
                }.joined()
            }.joined()
        }
        let run = isEven ? "x" : "Qz-7/k.2"
        let path = text(rule.path, run: run)
        var url = path.hasPrefix("/") ? path : "/" + path
        switch rule.query {
        case .text(let pattern): url += "?" + text(pattern, run: isEven ? "x=1" : "Qz=k2")
        case .items(let items) where !items.isEmpty:
            let pairs = items.map { "\($0.name)=\(text($0.pattern, run: run))" }
            url += "?" + pairs.joined(separator: "&")
        case .items, nil: break
        }
        if let fragment = rule.fragment { url += "#" + text(fragment, run: run) }
        return URLParts(url) == nil ? nil : url
    }

    /// The value of a variable in a URL of this number; empty if it has none.
    private static func value(_ name: ExactText, _ number: Int, _ variables: Variables) -> String {
        if let values = variables.definition(of: name)?.values, !values.isEmpty {
            return values[number % values.count]
        }
        return builtIn[name]?[number % 2] ?? ""
    }

    /// For the URLs with an even number, and for the others.
    private static let builtIn: [ExactText: [String]] = [
        "alpha": ["a", "Q"], "upper": ["A", "Q"], "lower": ["a", "q"], "alnum": ["a", "7"],
        "digit": ["1", "7"], "xdigit": ["a", "7"], "region": ["US", "CH"], "lang": ["en", "de"],
    ]
}
