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
        let old = CompiledAssociation(before)
        let new = CompiledAssociation(after)
        let values = [before, after].map { self.values(Variables($0.applinks)) }
        var known: Set<String> = []
        var texts: [Set<String>] = [[], []]
        var samples: [Sample] = []
        var asked = 0
        let steps = Steps(stepsMaximum)
        var hasRoom: Bool { asked < samplesMaximum && !steps.isSpent }
        for change in changes where hasRoom {
            for (number, side) in [change.before, change.after].enumerated() {
                guard let side, hasRoom, texts[number].insert(side.text).inserted else { continue }
                for url in urls(side.text, values[number]) where known.insert(url).inserted {
                    asked += 1
                    let sample = sample(url, old, new, steps)
                    if steps.isSpent { break }
                    if sample.before != sample.after { samples.append(sample) }
                }
            }
        }
        return samples
    }

    /// Evaluates one URL with both documents.
    public static func sample(
        _ url: String, _ before: CompiledAssociation, _ after: CompiledAssociation
    ) -> Sample {
        sample(url, before, after, Steps())
    }

    private static func sample(
        _ url: String, _ before: CompiledAssociation, _ after: CompiledAssociation, _ steps: Steps
    ) -> Sample {
        func first(_ association: CompiledAssociation) -> String? {
            guard let parts = URLParts(url) else { return nil }
            return association.decide(parts, domain: nil, steps) { $1 == .match }.byEntry.first?.app
        }
        return Sample(url: url, before: first(before), after: first(after))
    }

    /// What wildcards and variables become in a sample.
    struct Fill {
        /// For `*`.
        var run = "x"
        /// For `?`.
        var character = "x"
        /// For the whole query, if any query will do.
        var query = "x=1"
        var variables: [ExactText: String] = [:]
    }

    /// One value for each variable of a document: the one of this number, counted round.
    private static func values(_ variables: Variables, number: Int = 0) -> [ExactText: String] {
        Dictionary(
            variables.definitions.compactMap { name, values in
                values.isEmpty ? nil : (ExactText(name), values[number % values.count])
            }, uniquingKeysWith: { first, _ in first })
    }

    /// A URL that rules with a path of their own do not match.
    static let unrelated = "/zz/7.q?zz=1#zz"

    /// Maximum of URLs in ``probes(_:)``.
    static let probesMaximum = 16

    /// URLs for a rule that have as little in common as it allows: other text for the wildcards,
    /// another value for each variable. A rule that has neither gives one.
    static func probes(_ rule: Rule) -> [String] {
        var known: Set<String> = []
        return (0..<probesMaximum).compactMap { number in
            let isEven = number.isMultiple(of: 2)
            let fill = Fill(
                run: isEven ? "x" : "Qz-7/k.2", character: isEven ? "x" : "7",
                query: isEven ? "x=1" : "Qz=k2",
                variables: (isEven ? [:] : otherBuiltIn)
                    .merging(values(rule.path.variables, number: number)) { $1 })
            var items: [(String, String?)] = []
            var query: String?
            switch rule.query {
            case .text(let pattern): query = pattern.source
            case .items(let members): items = members.map { ($0.name, $0.pattern.source) }
            case nil: break
            }
            let text = url(rule.path.source, query, items, rule.fragment?.source, fill)
            return text.flatMap { known.insert($0).inserted ? $0 : nil }
        }
    }

    /// - Parameter text: a rule as JSON, with all defaults; what else changes is not an object.
    private static func urls(_ text: String, _ values: [ExactText: String]) -> [String] {
        guard text.hasPrefix("{"), let rule = try? JSONReader.read(text: text).root else {
            return []
        }
        var items: [(String, String?)] = []
        if case .object(let members) = rule["?"]?.kind {
            items = members.map { ("\($0.key)", $0.value.string) }
        }
        let url = url(
            rule["/"]?.string, rule["?"]?.string, items, rule["#"]?.string,
            Fill(variables: values))
        return url.map { [$0] } ?? []
    }

    /// A URL that matches patterns for path, query, items of the query and fragment; nil if they
    /// make none.
    private static func url(
        _ path: String?, _ query: String?, _ items: [(name: String, pattern: String?)],
        _ fragment: String?, _ fill: Fill
    ) -> String? {
        let path = sample(path ?? "*", fill.run, fill)
        var rest = ""
        if let query {
            rest += "?" + sample(query, fill.query, fill)
        } else if !items.isEmpty {
            rest +=
                "?"
                + items.map { "\($0.name)=\(sample($0.pattern ?? "*", fill.run, fill))" }
                .joined(separator: "&")
        }
        if let fragment { rest += "#" + sample(fragment, fill.run, fill) }
        let url = (path.hasPrefix("/") ? path : "/" + path) + rest
        return URLParts(url) == nil ? nil : url
    }

    /// A text that matches a pattern.
    private static func sample(_ pattern: String, _ run: String, _ fill: Fill) -> String {
        PatternPiece.all(in: pattern).map { piece in
            let text: Substring =
                switch piece {
                case .text(let text): text
                case .variable(let name):
                    (fill.variables[ExactText(name)] ?? builtIn[ExactText(name)] ?? "")[...]
                }
            var output = ""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "*": output += run
                case "?": output += fill.character
                default: output.unicodeScalars.append(scalar)
                }
            }
            return output
        }.joined()
    }

    private static let builtIn: [ExactText: String] = [
        "alpha": "a", "upper": "A", "lower": "a", "alnum": "a", "digit": "1", "xdigit": "a",
        "region": "US", "lang": "en",
    ]

    private static let otherBuiltIn: [ExactText: String] = [
        "alpha": "Q", "upper": "Q", "lower": "q", "alnum": "7", "digit": "7", "xdigit": "7",
        "region": "CH", "lang": "de",
    ]
}
