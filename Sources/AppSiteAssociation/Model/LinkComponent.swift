/// A rule: patterns that must all match, and the effect of a match.
///
/// A member that is nil was not set (or was not usable): its value comes from the defaults of the
/// detail, then those of `applinks`, then the built-in value. `defaults` objects have the same
/// members, because they are templates: `/`, `?` and `exclude` in them apply to every component
/// that does not set them.
///
/// Apple: *Components*, *Query*, *Defaults*.
public struct LinkComponent: Sendable {
    /// The members (Apple, *applinks.Details.Components*).
    public enum Key: String, Sendable, CaseIterable {
        case path = "/"
        case query = "?"
        case fragment = "#"
        case exclude
        case caseSensitive
        case percentEncoded
        case comment
    }

    /// Position within `components` as written, counted from 0; 0 for defaults.
    public let index: Int
    /// The object.
    public let range: Range<Int>
    /// The members as written.
    let members: [JSONMember]

    /// `/`: pattern for the path. Built-in: `*`.
    public var path: Located<String>? { members.last("/")?.value.text }
    /// `?`: pattern for the query. Built-in: `*`.
    public var query: JSONValue? { members.last("?")?.value }
    /// `#`: pattern for the fragment. Built-in: `*`.
    public var fragment: Located<String>? { members.last("#")?.value.text }
    /// `exclude`: a match excludes the URL from the app and ends the search. Built-in: false.
    public var exclude: Bool? { members.last("exclude")?.value.bool }
    /// `caseSensitive`, iOS 13.5. Built-in: true.
    public var caseSensitive: Bool? { members.last("caseSensitive")?.value.bool }
    /// `percentEncoded`, iOS 14. Built-in: true.
    public var percentEncoded: Bool? { members.last("percentEncoded")?.value.bool }

    /// Empty defaults.
    public static let empty = LinkComponent([], 0..<0)

    /// The members that are patterns.
    static let patternKeys = ["/", "?", "#"]

    /// The members with a pattern, of whatever type.
    var patterns: [JSONMember] { members.filter { Self.patternKeys.contains($0.key) } }

    /// Whether it has a member for path, query or fragment.
    public var hasPattern: Bool { !patterns.isEmpty }

    init(_ members: [JSONMember], _ range: Range<Int>, index: Int = 0) {
        self.members = members
        self.range = range
        self.index = index
    }

    /// The objects among the elements of `components`.
    static func list(_ values: [JSONValue]) -> [LinkComponent] {
        values.enumerated().compactMap { index, value in
            value.members.map { LinkComponent($0, value.range, index: index) }
        }
    }

    /// `defaults` of an object; empty where they are missing or no object.
    init(defaultsIn members: [JSONMember]) {
        let value = members.last("defaults")?.value
        self = value?.members.map { LinkComponent($0, value?.range ?? 0..<0) } ?? .empty
    }
}

/// The members of a rule that are true or false, with its defaults.
public struct RuleFlags: Sendable, Hashable {
    /// Whether a match excludes the URL.
    public internal(set) var excludes = false
    /// Whether letter case counts.
    public private(set) var caseSensitive = true
    /// Whether the URL is compared as written, without percent-decoding.
    public private(set) var percentEncoded = true

    /// What holds without a member.
    static let builtIn = RuleFlags()

    private init() {}

    init(_ component: LinkComponent, on outer: RuleFlags) {
        excludes = component.exclude ?? outer.excludes
        caseSensitive = component.caseSensitive ?? outer.caseSensitive
        percentEncoded = component.percentEncoded ?? outer.percentEncoded
    }

    /// All of them, as a component writes them.
    public var members: [(String, JSONValue)] {
        [
            ("exclude", .flag(excludes)), ("caseSensitive", .flag(caseSensitive)),
            ("percentEncoded", .flag(percentEncoded)),
        ]
    }

    /// Those that are not built in.
    public var settings: [(String, JSONValue)] {
        zip(members, Self.builtIn.members).filter { $0.1.bool != $1.1.bool }.map(\.0)
    }
}
