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
        return association.decide(parts, scratch: scratch).first { $0.decision == .match }?.app
    }

    /// One value for each variable of a document.
    private static func values(_ links: AppLinks?) -> [String: String] {
        Dictionary(
            (links?.substitutionVariables ?? []).compactMap { variable in
                variable.values.first.map { (variable.name.value, $0.value) }
            }, uniquingKeysWith: { $1 })
    }

    /// - Parameter text: a rule as JSON, with all defaults.
    private static func urls(_ text: String, _ values: [String: String]) -> [String] {
        guard let rule = try? JSONReader.read(text: text).root, rule.members != nil else {
            return []
        }
        func sample(_ pattern: String?, _ run: String) -> String {
            Self.sample(pattern ?? "*", run, values)
        }
        let path = sample(rule["/"]?.string, "x")
        var rest = ""
        switch rule["?"]?.kind {
        case .string(let pattern): rest += "?" + sample(pattern, "x=1")
        case .object(let items):
            rest +=
                "?"
                + items.map { "\($0.key)=\(sample($0.value.string, "x"))" }.joined(separator: "&")
        case .null, .bool, .number, .array, nil: break
        }
        if let fragment = rule["#"]?.string { rest += "#" + sample(fragment, "x") }
        let url = (path.hasPrefix("/") ? path : "/" + path) + rest
        // A URL below a pattern without a wildcard shows how wide other rules are.
        return URLParts(url) == nil ? [] : [url]
    }

    /// A text that matches a pattern.
    private static func sample(
        _ pattern: String, _ run: String, _ values: [String: String]
    ) -> String {
        let bytes = Array(pattern.utf8)
        var text = ""
        var copied = 0
        func wild(_ piece: ArraySlice<UInt8>) -> String {
            var output = ""
            for scalar in String(decoding: piece, as: UTF8.self).unicodeScalars {
                switch scalar {
                case "*": output += run
                case "?": output += "x"
                default: output.unicodeScalars.append(scalar)
                }
            }
            return output
        }
        for reference in VariableReference.all(in: bytes) {
            text += wild(bytes[copied..<reference.range.lowerBound])
            let value = values[reference.name] ?? builtIn[reference.name] ?? ""
            text += wild(Array(value.utf8)[...])
            copied = reference.range.upperBound
        }
        return text + wild(bytes[copied...])
    }

    private static let builtIn = [
        "alpha": "a", "upper": "A", "lower": "a", "alnum": "a", "digit": "1", "xdigit": "a",
        "region": "US", "lang": "en",
    ]
}
