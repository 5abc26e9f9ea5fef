/// One form of a URL's parts: as written or decoded, each unchanged or folded.
final class URLText {
    let path: ComparedText
    let query: ComparedText
    let fragment: ComparedText
    /// The items of the query by name, in the order of the URL.
    private(set) var items: [ExactText: [ComparedText]] = [:]
    /// What a missing item counts as.
    private let nothing: ComparedText
    /// Results of the query objects of `defaults`, which many rules share, by their place.
    private var known: [UnsafeRawPointer: RuleEvaluation.Query] = [:]

    /// - Parameters: as in a component: `percentEncoded` compares with the URL as written.
    init(_ url: URLParts, caseSensitive: Bool, percentEncoded: Bool, _ steps: Steps) {
        func symbols(_ bytes: ArraySlice<UInt8>) -> [PatternSymbol] {
            PatternSymbol.literals(
                of: String(
                    decoding: percentEncoded ? Self.encoded(bytes) : Self.decoded(bytes),
                    as: UTF8.self),
                folds: !caseSensitive)
        }
        func text(_ bytes: ArraySlice<UInt8>) -> ComparedText {
            ComparedText(symbols(bytes), steps)
        }
        steps.spend(url.bytes.count)
        path = ComparedText(Pattern.path(symbols(url.bytes[url.path])), steps)
        query = text(url.bytes[url.query ?? 0..<0])
        fragment = text(url.bytes[url.fragment ?? 0..<0])
        nothing = ComparedText([], steps)
        guard let range = url.query else { return }
        let parts = url.bytes[range].split(
            separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        for item in parts {
            let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            let name = ExactText(text(item[..<equals]).string)
            items[name, default: []].append(text(item[equals...].dropFirst()))
        }
    }

    /// Every occurrence of an item has to match; a missing one, or one without `=`, counts as empty
    /// (swcutil).
    func evaluate(_ items: [Rule.Item]) -> RuleEvaluation.Query {
        if let address = items.address, let known = known[address] { return known }
        let query = RuleEvaluation.Query(
            items.map { item in
                let values = self.items[item.key] ?? []
                let missed = (values.isEmpty ? [nothing] : values).first {
                    !$0.matches(item.pattern)
                }
                return RuleEvaluation.Part(
                    place: .queryItem(item.name), pattern: item.pattern,
                    value: missed ?? values.first ?? nothing, isMatch: missed == nil,
                    occurrences: values.count)
            })
        if let address = items.address { known[address] = query }
        return query
    }

    /// Characters that a URL has only percent-encoded become so, as Foundation does.
    private static func encoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.flatMap { URLParts.mayStand($0) ? [$0] : Array($0.percentEncoded.utf8) }
    }

    /// Percent-decodes; a `%` without two hexadecimal digits is literal.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let high = Character(Unicode.Scalar(bytes[index + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(bytes[index + 2])).hexDigitValue
            {
                text.append(UInt8(high << 4 | low))
                index += 3
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        return text
    }
}

/// The forms of one URL, each created on demand.
final class URLForms {
    let steps: Steps
    private let url: URLParts
    private var texts: [URLText?] = [nil, nil, nil, nil]

    init(_ url: URLParts, _ steps: Steps) {
        self.url = url
        self.steps = steps
    }

    /// The form that a rule is compared with.
    func text(for rule: Rule) -> URLText {
        let form = (rule.caseSensitive ? 0 : 1) + (rule.percentEncoded ? 0 : 2)
        if let text = texts[form] { return text }
        let text = URLText(
            url, caseSensitive: rule.caseSensitive, percentEncoded: rule.percentEncoded, steps)
        texts[form] = text
        return text
    }
}
