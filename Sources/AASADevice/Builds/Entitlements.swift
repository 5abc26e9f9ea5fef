import AppSiteAssociation

/// What entitlements, profiles and the two forms of a signature are compared by.
extension JSONValue {
    /// The strings of an array, or the one that stands in place of an array.
    var entries: [String] { string.map { [$0] } ?? strings }

    /// The keys whose values differ, or that only one of two objects has; sorted.
    func differences(from other: JSONValue) -> [String] {
        let keys = Set(((members ?? []) + (other.members ?? [])).map(\.key))
        return keys.filter { key in
            guard let left = self[key], let right = other[key] else { return true }
            return !left.means(right)
        }.sorted()
    }

    /// The parts of an app's entitlement that a profile's value does not allow; empty if it allows
    /// the entitlement.
    ///
    /// A profile's string may end with `*`, and an element of its array allows a single string.
    func refused(by allowed: JSONValue) -> [String] {
        switch kind {
        case .bool(let isOn): return !isOn || allowed.bool == true ? [] : ["true"]
        case .string(let text):
            return allowed.entries.contains { Self.covers($0, text) } ? [] : [text]
        case .array(let elements): return elements.flatMap { $0.refused(by: allowed) }
        case .object: return means(allowed) ? [] : ["another dictionary"]
        case .number(let text): return means(allowed) ? [] : [text]
        case .null: return means(allowed) ? [] : ["another value"]
        }
    }

    private static func covers(_ pattern: String, _ text: String) -> Bool {
        pattern.hasSuffix("*") ? text.hasPrefix(pattern.dropLast()) : pattern == text
    }
}
