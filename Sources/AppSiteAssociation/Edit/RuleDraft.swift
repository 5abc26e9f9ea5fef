/// A new rule of universal links: the members of a component, in order.
public struct RuleDraft: Sendable {
    /// A member of the rule.
    public typealias Key = LinkComponent.Key

    /// The members as they will be written.
    public private(set) var members: [JSONMember] = []

    /// An empty rule, which would match every URL.
    public init() {}

    /// A rule for a path; `NOT ` before the pattern makes it an exclusion, as in `paths`.
    public init(path pattern: String) {
        let entry = PathEntry(pattern)
        self[.path] = .text(entry.pattern)
        if entry.excludes { self[.exclude] = .flag(true) }
    }

    /// A rule from a document; nil if the value is not an object.
    public init?(component: JSONValue) {
        guard let members = component.members else { return nil }
        self.members = members
    }

    /// A member; setting nil removes it.
    public subscript(key: Key) -> JSONValue? {
        get { members.last { $0.key == key.rawValue }?.value }
        set {
            let place = members.lastIndex { $0.key == key.rawValue }
            switch (newValue, place) {
            case (let value?, let place?):
                members[place] = JSONMember(key: key.rawValue, value: value)
            case (let value?, nil): members.append(JSONMember(key: key.rawValue, value: value))
            case (nil, let place?): members.remove(at: place)
            case (nil, nil): break
            }
        }
    }

    /// The component.
    public var value: JSONValue { JSONValue(.object(members)) }

    /// The same as a string of `paths`; nil if the rule constrains more than the path.
    public var pathText: String? {
        let known: Set = ["/", "exclude", "comment"]
        let constrainsPath = members.allSatisfy { member in
            known.contains(member.key) && (member.key != "exclude" || member.value.bool != nil)
                || ["?", "#"].contains(member.key) && member.value.string == "*"
        }
        guard constrainsPath, let path = self[.path]?.string else { return nil }
        return (self[.exclude]?.bool == true ? "NOT " : "") + path
    }
}

extension LinkComponent.Key {
    /// Whether some defaults of a document, in either form of `details`, have this member.
    func hasDefault(in root: JSONValue) -> Bool {
        let applinks = root["applinks"]
        return ([applinks].compactMap { $0 } + (applinks?["details"]?.contents ?? [])).contains {
            $0["defaults"]?[rawValue] != nil
        }
    }
}

extension RuleDraft: CustomStringConvertible {
    /// The component on one line.
    public var description: String { String(decoding: JSONWriter.minified(value), as: UTF8.self) }
}
