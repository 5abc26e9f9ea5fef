/// A rule of universal links that is to be written: the members of a component, in order.
public struct RuleDraft: Sendable {
    /// What a component can say (Apple, *applinks.Details.Components*).
    public enum Key: String, Sendable, CaseIterable {
        case path = "/"
        case query = "?"
        case fragment = "#"
        case exclude
        case caseSensitive
        case percentEncoded
        case comment
    }

    /// The members as they will be written.
    public private(set) var members: [JSONMember]

    /// A rule that says nothing yet, and would match every URL.
    public init() { members = [] }

    /// A rule for a path; `NOT ` before the pattern makes an exclusion of it, as in `paths`.
    public init(path pattern: String) {
        members = []
        let entry = PathEntry(pattern)
        self[.path] = .text(entry.pattern)
        if entry.excludes { self[.exclude] = .flag(true) }
    }

    /// A rule as it stands in a document; nil when the value is no object.
    public init?(component: JSONValue) {
        guard let members = component.members else { return nil }
        self.members = members
    }

    /// A member; setting nil takes it out.
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

    /// The same as a string of `paths`; nil where a path alone cannot say it.
    public var pathText: String? {
        let known: Set = ["/", "exclude", "comment"]
        guard members.allSatisfy({ known.contains($0.key) }), let path = self[.path]?.string else {
            return nil
        }
        return (self[.exclude]?.bool == true ? "NOT " : "") + path
    }
}

extension RuleDraft: CustomStringConvertible {
    /// The component on one line.
    public var description: String { String(decoding: JSONWriter.minified(value), as: UTF8.self) }
}
