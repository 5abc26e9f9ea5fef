/// The naive matcher that the real one is compared with: tries every way, character by character,
/// in the words of the documentation and nothing else.
struct ReferenceMatcher {
    var variables: [(name: String, values: [String])] = []
    var caseSensitive = true

    private enum Element {
        case character(Unicode.Scalar)
        case anyOne
        case anyRun
        case oneOf(Set<Unicode.Scalar>)
        case alternatives([[Element]])
    }

    func matches(_ pattern: String, _ text: String) -> Bool {
        matches(elements(fold(pattern, except: true))[...], Array(fold(text).unicodeScalars)[...])
    }

    /// A path, in the words of the facts: slashes at the start are optional, at the end without
    /// meaning, and a final `/*` may be missing altogether.
    func matchesPath(_ pattern: String, _ text: String) -> Bool {
        let pattern = Self.trimmed(pattern)
        let text = Self.trimmed(text)
        if matches(pattern, text) { return true }
        var base = pattern[...]
        while base.hasSuffix("*") { base = base.dropLast() }
        guard base.count < pattern.count, base.hasSuffix("/") else { return false }
        return matches(String(base.dropLast()), text)
    }

    private static func trimmed(_ path: String) -> String {
        var path = path[...]
        while path.hasSuffix("/") { path = path.dropLast() }
        while path.hasPrefix("/") { path = path.dropFirst() }
        return String(path)
    }

    private func fold(_ text: String, except variables: Bool = false) -> String {
        guard !caseSensitive else { return text }
        guard variables else { return text.lowercased() }
        // Names of variables are case-sensitive.
        var result = ""
        var rest = text[...]
        while let start = rest.range(ofName: ()) {
            result += rest[..<start.lowerBound].lowercased() + rest[start]
            rest = rest[start.upperBound...]
        }
        return result + rest.lowercased()
    }

    private func elements(_ pattern: String, nested: Bool = false) -> [Element] {
        var result: [Element] = []
        var rest = pattern[...]
        while let first = rest.unicodeScalars.first {
            if !nested, let name = rest.range(ofName: ()), name.lowerBound == rest.startIndex {
                result.append(variable(String(rest[name].dropFirst(2).dropLast())))
                rest = rest[name.upperBound...]
                continue
            }
            switch first {
            case "*": result.append(.anyRun)
            case "?": result.append(.anyOne)
            default: result.append(.character(first))
            }
            rest = Substring(rest.unicodeScalars.dropFirst())
        }
        return result
    }

    private func variable(_ name: String) -> Element {
        if let own = variables.first(where: { $0.name == name }) {
            return .alternatives(
                own.values.map {
                    elements(caseSensitive ? $0 : $0.lowercased(), nested: true)
                })
        }
        let classes: [String: String] = [
            "alpha": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
            "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "lower": "abcdefghijklmnopqrstuvwxyz",
            "alnum": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            "digit": "0123456789", "xdigit": "0123456789abcdefABCDEF",
        ]
        guard let members = classes[name] else { return .alternatives([]) }
        return .oneOf(Set((caseSensitive ? members : members.lowercased()).unicodeScalars))
    }

    private func matches(_ pattern: ArraySlice<Element>, _ text: ArraySlice<Unicode.Scalar>) -> Bool
    {
        guard let element = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch element {
        case .anyRun:
            return (0...text.count).contains { matches(rest, text.dropFirst($0)) }
        case .anyOne: return !text.isEmpty && matches(rest, text.dropFirst())
        case .character(let wanted):
            return text.first == wanted && matches(rest, text.dropFirst())
        case .oneOf(let members):
            return text.first.map(members.contains) == true && matches(rest, text.dropFirst())
        case .alternatives(let alternatives):
            return alternatives.contains { matches(($0 + rest)[...], text) }
        }
    }
}

extension Substring {
    /// The first `$(name)`.
    fileprivate func range(ofName: ()) -> Range<Index>? {
        var search = startIndex
        while let dollar = self[search...].firstIndex(of: "$") {
            let after = index(after: dollar)
            if self[after...].hasPrefix("("), let end = self[after...].firstIndex(of: ")") {
                let name = self[index(after: after)..<end]
                if !name.contains("$"), !name.contains("(") { return dollar..<index(after: end) }
            }
            search = after
        }
        return nil
    }
}
