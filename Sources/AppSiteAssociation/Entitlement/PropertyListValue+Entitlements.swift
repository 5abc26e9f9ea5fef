/// What entitlements, profiles and the two forms of a signature are compared by.
extension PropertyListValue {
    /// The value of a key of a dictionary; of a key that stands there twice, the last.
    package subscript(_ key: String) -> PropertyListValue? {
        guard case .dictionary(let entries) = kind else { return nil }
        return entries.last { $0.key.value == key }?.value
    }

    /// The keys of a dictionary, in document order.
    package var keys: [String] {
        guard case .dictionary(let entries) = kind else { return [] }
        return entries.map(\.key.value)
    }

    package var string: String? {
        if case .string(let text) = kind { return text }
        return nil
    }

    package var flag: Bool? {
        if case .bool(let flag) = kind { return flag }
        return nil
    }

    package var elements: [PropertyListValue]? {
        if case .array(let elements) = kind { return elements }
        return nil
    }

    /// The strings of an array, or the one that stands in place of an array.
    package var strings: [String] { elements?.compactMap(\.string) ?? string.map { [$0] } ?? [] }

    /// Whether two values mean the same: the order of keys does not count, nor how data and dates
    /// are written.
    package func isSame(as other: PropertyListValue) -> Bool {
        switch (kind, other.kind) {
        case (.string(let left), .string(let right)): return left == right
        case (.bool(let left), .bool(let right)): return left == right
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        case (.dictionary, .dictionary): return differences(from: other).isEmpty
        case (.other(let left, let text), .other(let right, let otherText)):
            return left == right && (left != "integer" || text == otherText)
        default: return false
        }
    }

    /// The keys whose values differ, or that only one of two dictionaries has; sorted.
    package func differences(from other: PropertyListValue) -> [String] {
        func table(_ value: PropertyListValue) -> [String: PropertyListValue] {
            guard case .dictionary(let entries) = value.kind else { return [:] }
            return Dictionary(entries.map { ($0.key.value, $0.value) }) { $1 }
        }
        let (mine, others) = (table(self), table(other))
        return Set(mine.keys).union(others.keys).filter { key in
            guard let left = mine[key], let right = others[key] else { return true }
            return !left.isSame(as: right)
        }.sorted()
    }

    /// The parts of an app's entitlement that a profile's value does not allow; empty if it allows
    /// the entitlement.
    ///
    /// A profile's string may end with `*`, and an element of its array allows a single string.
    package func refused(by allowed: PropertyListValue) -> [String] {
        switch kind {
        case .bool(let isOn): return !isOn || allowed.flag == true ? [] : ["true"]
        case .string(let text):
            return allowed.strings.contains { Self.covers($0, text) } ? [] : [text]
        case .array(let elements): return elements.flatMap { $0.refused(by: allowed) }
        case .dictionary: return isSame(as: allowed) ? [] : ["another dictionary"]
        case .other(_, let text): return isSame(as: allowed) ? [] : [text]
        }
    }

    private static func covers(_ pattern: String, _ text: String) -> Bool {
        pattern.hasSuffix("*") ? text.hasPrefix(pattern.dropLast()) : pattern == text
    }
}
