/// Determines which parts of a URL a rule does not match, and the likely intention.
struct MissExplainer {
    let text: URLText
    let url: URLParts
    let work: ExplanationWork

    /// Why each unmatched part does not match.
    func failures(_ settings: RuleSettings, _ parts: CoveredParts) -> [PartFailure] {
        var failures: [PartFailure] = []
        if !parts.path { check(.path, settings.path, pathValue, settings, &failures) }
        switch settings.query {
        case .pattern(let pattern) where !parts.query:
            check(.query, pattern, queryValue, settings, &failures)
        case .items(let members):
            for (member, isCovered) in zip(members, parts.items) where !isCovered {
                check(member, settings, &failures)
            }
        case .pattern, .dropped, nil: break
        }
        if let fragment = settings.fragment, !parts.fragment {
            check(.fragment, fragment, fragmentValue, settings, &failures)
        }
        return failures
    }

    private func check(
        _ item: QueryItemPattern, _ settings: RuleSettings, _ failures: inout [PartFailure]
    ) {
        let found = items(of: item, settings)
        let part = PartFailure.Part.queryItem(item.name.value)
        if found.isEmpty {
            let before = failures.count
            check(part, item.pattern.value, "", settings, &failures)
            if failures.count > before, let last = failures.popLast() {
                failures.append(
                    PartFailure(
                        part: part, pattern: last.pattern, value: "",
                        hint: "the URL has no item \"\(item.name.value)\", which counts as empty"))
            }
        }
        for candidate in found {
            let before = failures.count
            check(part, item.pattern.value, string(candidate.value), settings, &failures)
            if failures.count > before {
                if found.count > 1, let last = failures.popLast() {
                    failures.append(
                        PartFailure(
                            part: part, pattern: last.pattern, value: last.value,
                            hint: "every occurrence of a repeated item has to match"))
                }
                return
            }
        }
    }

    private func check(
        _ part: PartFailure.Part, _ pattern: String, _ value: String, _ settings: RuleSettings,
        _ failures: inout [PartFailure]
    ) {
        let place = part == .path ? Pattern.Place.path : .text
        // A long pattern may be that of the defaults of ten thousand rules.
        guard !work.isSpent, case let names = VariableReference.names(in: pattern),
            work.pays(for: pattern, names, value)
        else {
            failures.append(PartFailure(part: part, pattern: pattern, value: value, hint: nil))
            return
        }
        func compiled(_ caseSensitive: Bool, leavingOut name: ExactText? = nil) -> Pattern {
            let text = name.map { pattern.replacing("$(\($0.text))", with: "*") } ?? pattern
            return Pattern(
                text, place: place, caseSensitive: caseSensitive,
                variables: work.definitions(of: names))
        }
        let exact = compiled(settings.caseSensitive)
        // The value is already folded if the rule folds.
        if exact.matches(value) { return }
        failures.append(
            PartFailure(
                part: part, pattern: pattern, value: value,
                hint: hint(part, pattern, value, exact, compiled(false), settings)
                    ?? variableHint(names, value) { compiled(false, leavingOut: $0) }))
    }

    /// Whether a variable lacks a value for the text in its place.
    private func variableHint(
        _ names: [ExactText], _ value: String, _ without: (ExactText) -> Pattern
    ) -> String? {
        for name in names.prefix(ExplanationWork.variablesMaximum) {
            guard without(name).matches(value) else { continue }
            guard let variable = work.variable(name) else {
                return
                    "the built-in variable $(\(name.text)) does not cover what stands in its place"
            }
            let values = variable.values.prefix(5).map { "\"\($0.value)\"" }
            let more = variable.values.count > 5 ? " and \(variable.values.count - 5) more" : ""
            return "the variable $(\(name.text)) has no value for what stands in its place: "
                + values.joined(separator: ", ") + more
        }
        return nil
    }

    private func hint(
        _ part: PartFailure.Part, _ pattern: String, _ value: String, _ exact: Pattern,
        _ folded: Pattern, _ settings: RuleSettings
    ) -> String? {
        if exact.matchesNothing { return "a variable of the pattern is not defined" }
        if folded.matches(value) {
            return "only the case differs: \"caseSensitive\": false would match"
        }
        if part == .path, pattern.utf8.contains(UInt8(ascii: "#")) {
            return "a path never holds \"#\": the fragment has a pattern of its own, \"#\""
        }
        if settings.percentEncoded, pattern.utf8.contains(where: { !URLParts.mayStand($0) }) {
            return "the pattern holds characters that a URL has only percent-encoded: "
                + "\"percentEncoded\": false compares with the decoded URL"
        }
        if part == .path, exact.matches(value + "/x") {
            return "the pattern wants something behind this path"
        }
        return nil
    }

    var pathValue: String { work.path(text.path.core) }
    var queryValue: String { string(text.query) }
    var fragmentValue: String { string(text.fragment) }

    /// The first value of a query item; empty if it is missing.
    func value(of item: QueryItemPattern, _ settings: RuleSettings) -> String {
        items(of: item, settings).first.map { string($0.value) } ?? ""
    }

    private func items(of item: QueryItemPattern, _ settings: RuleSettings) -> [QueryItemText] {
        var name = settings.caseSensitive ? item.name.value : item.name.value.lowercased()
        let places = name.withUTF8 { bytes in
            bytes.baseAddress.map { text.places(of: PatternText(base: $0, count: bytes.count)) }
        }
        return (places ?? text.items.indices).map { text.items[$0] }.filter {
            ExactText(string($0.name)) == ExactText(name)
        }
    }

    private func string(_ text: PatternText) -> String { work.string(text) }
}

/// The variables of a document by name, and the remaining budget for hints.
///
/// A hint compiles a pattern several times, with all values of its variables. A document of 128 KB
/// can require this at each of a thousand rules, with a thousand values each: the work is limited,
/// and failures beyond the limit are reported without a hint.
final class ExplanationWork {
    /// A pattern with more variables than this gets no hint.
    static let variablesMaximum = 8
    /// Bytes of patterns, of values and of the URL; some 50 instructions each.
    private static let bytesMaximum = 1 << 20

    private var left = bytesMaximum
    private let variables: [SubstitutionVariable]
    private lazy var places = Dictionary(
        variables.indices.map { (ExactText(variables[$0].name.value), $0) },
        uniquingKeysWith: { $1 })
    private var sizes: [ExactText: Int] = [:]
    /// What stands in the URL, once for all rules that are compared with it.
    private var strings: [TextPlace: String] = [:]
    private var paths: [TextPlace: String] = [:]

    private struct TextPlace: Hashable {
        let base: UnsafePointer<UInt8>
        let count: Int
    }

    init(_ variables: [SubstitutionVariable]) { self.variables = variables }

    /// The definition that applies: the last of a name.
    func variable(_ name: ExactText) -> SubstitutionVariable? { places[name].map { variables[$0] } }

    func definitions(of names: [ExactText]) -> [(String, [String])] {
        names.compactMap { name in
            variable(name).map { ($0.name.value, $0.values.map(\.value)) }
        }
    }

    /// The text of a part of the URL; long ones are made once.
    func string(_ text: PatternText) -> String {
        func made() -> String {
            String(
                decoding: UnsafeBufferPointer(start: text.base, count: text.count), as: UTF8.self)
        }
        guard text.count >= MatchScratch.Comparison.textMinimum else { return made() }
        let place = TextPlace(base: text.base, count: text.count)
        if let known = strings[place] { return known }
        let string = made()
        strings[place] = string
        return string
    }

    /// The same with the slash that a path begins with.
    func path(_ text: PatternText) -> String {
        guard text.count >= MatchScratch.Comparison.textMinimum else { return "/" + string(text) }
        let place = TextPlace(base: text.base, count: text.count)
        if let known = paths[place] { return known }
        let path = "/" + string(text)
        paths[place] = path
        return path
    }

    var isSpent: Bool { left <= 0 }

    /// Whether a hint for this pattern is still paid for.
    func pays(for pattern: String, _ names: [ExactText], _ value: String) -> Bool {
        if left <= 0 { return false }
        let values = names.reduce(0) { $0 + size(of: $1) }
        let once = pattern.utf8.count + values + value.utf8.count
        left -= once * (2 + min(names.count, Self.variablesMaximum))
        return left > 0
    }

    private func size(of name: ExactText) -> Int {
        if let known = sizes[name] { return known }
        let size = variable(name)?.values.reduce(0) { $0 + $1.value.utf8.count + 16 } ?? 0
        sizes[name] = size
        return size
    }
}
