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

    /// Every sample evaluates all rules twice; nobody reads more than a hundred.
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
        let values = [self.values(before.applinks), self.values(after.applinks)]
        var known: Set<String> = []
        var texts: [Set<String>] = [[], []]
        var samples: [Sample] = []
        var asked = 0
        let scratch = MatchScratch()
        var hasRoom: Bool { asked < samplesMaximum && scratch.steps < stepsMaximum }
        for change in changes where hasRoom {
            for (number, side) in [change.before, change.after].enumerated() {
                guard let side, hasRoom, texts[number].insert(side.text).inserted else { continue }
                for url in urls(side.text, values[number]) where known.insert(url).inserted {
                    asked += 1
                    let sample = Sample(
                        url: url, before: first(url, old, scratch), after: first(url, new, scratch))
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
        let scratch = MatchScratch()
        return Sample(
            url: url, before: first(url, before, scratch), after: first(url, after, scratch))
    }

    private static func first(
        _ url: String, _ association: CompiledAssociation, _ scratch: MatchScratch
    ) -> String? {
        guard let parts = URLParts(url) else { return nil }
        return association.decide(parts, scratch: scratch).filter { $0.decision == .match }
            .byEntry.first?.app
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
    private static func values(_ links: AppLinks?, number: Int = 0) -> [ExactText: String] {
        Dictionary(
            (links?.substitutionVariables ?? []).compactMap { variable in
                variable.values.isEmpty
                    ? nil
                    : (
                        ExactText(variable.name.value),
                        variable.values[number % variable.values.count].value
                    )
            }, uniquingKeysWith: { $1 })
    }

    /// Maximum of URLs in ``probes(_:_:)``.
    static let probesMaximum = 16

    /// URLs for a rule that have as little in common as it allows: other text for the wildcards,
    /// another value for each variable. A rule that has neither gives one.
    static func probes(_ rule: RuleSettings, _ links: AppLinks?) -> [String] {
        var known: Set<String> = []
        return (0..<probesMaximum).compactMap { number in
            let isEven = number.isMultiple(of: 2)
            let fill = Fill(
                run: isEven ? "x" : "Qz-7/k.2", character: isEven ? "x" : "7",
                query: isEven ? "x=1" : "Qz=k2",
                variables: (isEven ? [:] : otherBuiltIn)
                    .merging(values(links, number: number)) { $1 })
            var items: [(String, String?)] = []
            var query: String?
            switch rule.query {
            case .pattern(let pattern): query = pattern
            case .items(let members): items = members.map { ($0.name.value, $0.pattern.value) }
            case .dropped, nil: break
            }
            let text = url(rule.path, query, items, rule.fragment, fill)
            return text.flatMap { known.insert($0).inserted ? $0 : nil }
        }
    }

    /// - Parameter text: a rule as JSON, with all defaults.
    private static func urls(_ text: String, _ values: [ExactText: String]) -> [String] {
        guard let rule = try? JSONReader.read(text: text).root, rule.members != nil else {
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
        let bytes = Array(pattern.utf8)
        var text = ""
        var copied = 0
        func wild(_ piece: ArraySlice<UInt8>) -> String {
            var output = ""
            for scalar in String(decoding: piece, as: UTF8.self).unicodeScalars {
                switch scalar {
                case "*": output += run
                case "?": output += fill.character
                default: output.unicodeScalars.append(scalar)
                }
            }
            return output
        }
        for reference in VariableReference.all(in: bytes) {
            text += wild(bytes[copied..<reference.range.lowerBound])
            let value = fill.variables[reference.name] ?? builtIn[reference.name] ?? ""
            text += wild(Array(value.utf8)[...])
            copied = reference.range.upperBound
        }
        return text + wild(bytes[copied...])
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
