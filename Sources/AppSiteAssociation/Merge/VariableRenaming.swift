/// Renames variables in all patterns of a fragment, leaving the rest unchanged.
struct VariableRenaming {
    /// The renamed patterns by the places where they begin.
    private let patterns: [Int: String]

    init(_ links: AppLinks?, _ renames: [ExactText: String]) {
        var patterns: [Int: String] = [:]
        if !renames.isEmpty {
            links?.forEachPattern {
                patterns[$0.range.lowerBound] = Pattern.renaming($0.value, renames)
            }
        }
        self.patterns = patterns
    }

    /// A part of the fragment with the new names.
    func renamed(_ value: JSONValue) -> JSONValue {
        if patterns.isEmpty { return value }
        let kind: JSONValue.Kind
        switch value.kind {
        case .null, .bool, .number: return value
        case .string(let text): kind = .string(patterns[value.range.lowerBound] ?? text)
        case .array(let list): kind = .array(list.map(renamed))
        case .object(let members):
            kind = .object(
                members.map {
                    JSONMember(key: $0.key, keyRange: $0.keyRange, value: renamed($0.value))
                })
        }
        return JSONValue(kind, range: value.range)
    }
}
