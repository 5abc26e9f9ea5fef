/// A rule: patterns that must all match, and the effect of a match.
///
/// A member that is nil was not set (or was not usable): its value comes from the defaults of the
/// detail, then those of `applinks`, then the built-in value. `defaults` objects have the same
/// members, because they are templates: `/`, `?` and `exclude` in them apply to every component
/// that does not set them.
///
/// Apple: *Components*, *Query*, *Defaults*.
public struct LinkComponent: Sendable {
    /// `/`: pattern for the path. Built-in: `*`.
    public let path: Located<String>?
    /// `exclude`: a match excludes the URL from the app and ends the search. Built-in: false.
    public let exclude: Located<Bool>?
    /// `caseSensitive`, iOS 13.5. Built-in: true.
    public let caseSensitive: Located<Bool>?
    /// `percentEncoded`, iOS 14. Built-in: true.
    public let percentEncoded: Located<Bool>?
    private let rare: Rare?
    private let number: UInt32
    private let place: Located<Void>

    /// Rare members are stored separately: a rule takes 80 bytes instead of 240, so that the rules
    /// of a large document need no new memory pages (measured: half the time to parse 1,024 rules).
    private final class Rare: Sendable {
        let query: Located<QueryPattern>?
        let fragment: Located<String>?
        let comment: Located<String>?
        let unknownMembers: [JSONMember]

        init(
            query: Located<QueryPattern>?, fragment: Located<String>?, comment: Located<String>?,
            unknownMembers: [JSONMember]
        ) {
            self.query = query
            self.fragment = fragment
            self.comment = comment
            self.unknownMembers = unknownMembers
        }
    }

    /// Position within `components` as written, counted from 0; 0 for defaults.
    public var index: Int { Int(number) }
    /// `?`: pattern for the query. Built-in: `*`.
    public var query: Located<QueryPattern>? { rare?.query }
    /// `#`: pattern for the fragment. Built-in: `*`.
    public var fragment: Located<String>? { rare?.fragment }
    /// `comment`: ignored by the system.
    public var comment: Located<String>? { rare?.comment }
    /// Every other member. The system ignores them, so a misspelt key is a missing constraint.
    public var unknownMembers: [JSONMember] { rare?.unknownMembers ?? [] }
    /// The object.
    public var range: Range<Int> { place.range }

    /// Empty defaults.
    public static let empty = LinkComponent()

    /// Whether it constrains path, query or fragment.
    public var hasPattern: Bool { path != nil || query != nil || fragment != nil }

    private init() {
        path = nil
        exclude = nil
        caseSensitive = nil
        percentEncoded = nil
        rare = nil
        number = 0
        place = Located((), range: 0..<0)
    }

    /// The objects among the elements of `components`.
    static func list(_ values: [JSONValue], _ shape: inout ShapeReader) -> [LinkComponent] {
        var list: [LinkComponent] = []
        list.reserveCapacity(values.count)
        for index in values.indices {
            if let component = LinkComponent(values[index], index: index, &shape) {
                list.append(component)
            }
        }
        return list
    }

    init?(_ value: JSONValue, index: Int, _ shape: inout ShapeReader) {
        guard let members = shape.object(value, .componentNotObject, "an entry of \"components\"")
        else { return nil }
        self.init(members, value.range, index, &shape)
    }

    init(defaults member: JSONMember, _ shape: inout ShapeReader) {
        guard let members = shape.object(member.value, .defaultsNotObject, "\"defaults\"") else {
            self = .empty
            return
        }
        self.init(members, member.value.range, 0, &shape)
    }

    private init(
        _ members: [JSONMember], _ range: Range<Int>, _ index: Int, _ shape: inout ShapeReader
    ) {
        var path: Located<String>?
        var query: Located<QueryPattern>?
        var fragment: Located<String>?
        var exclude: Located<Bool>?
        var caseSensitive: Located<Bool>?
        var percentEncoded: Located<Bool>?
        var comment: Located<String>?
        var unknown: [JSONMember] = []
        for member in members {
            switch member.key {
            case "/": path = shape.string(member, .patternNotString)
            case "?":
                query = Located(QueryPattern(member, &shape), range: member.value.range)
            case "#": fragment = shape.string(member, .patternNotString)
            case "exclude": exclude = shape.flag(member)
            case "caseSensitive": caseSensitive = shape.flag(member)
            case "percentEncoded": percentEncoded = shape.flag(member)
            case "comment": comment = shape.string(member, .commentNotString)
            default: unknown.append(member)
            }
        }
        self.path = path
        self.exclude = exclude
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
        let hasRare = query != nil || fragment != nil || comment != nil || !unknown.isEmpty
        rare =
            hasRare
            ? Rare(query: query, fragment: fragment, comment: comment, unknownMembers: unknown)
            : nil
        number = UInt32(truncatingIfNeeded: index)
        place = Located((), range: range)
    }
}

/// `defaults`, at the level of `applinks` or of one detail: a template for components.
public typealias RuleDefaults = LinkComponent

/// The value of `?`.
public enum QueryPattern: Sendable, Hashable {
    /// A string: matched against the whole query.
    case pattern(String)
    /// An object: only the named items are matched, each with its own pattern.
    case items([QueryItemPattern])
    /// Neither, or an object with a value that is not a string: the system drops the whole
    /// constraint, so the rule matches any query (shown by Apple's own tool).
    case dropped
}

/// One item of a query object.
public struct QueryItemPattern: Sendable, Hashable {
    /// The item's name.
    public let name: Located<String>
    /// The pattern of its value.
    public let pattern: Located<String>
}

extension QueryPattern {
    init(_ member: JSONMember, _ shape: inout ShapeReader) {
        switch member.value.kind {
        case .string(let pattern):
            self = .pattern(pattern)
        case .object(let members):
            var items: [QueryItemPattern] = []
            var places: [ExactText: Int] = [:]
            var dropped = false
            for member in members {
                guard case .string(let pattern) = member.value.kind else {
                    dropped = true
                    shape.report(
                        .queryValueNotString, member.value.range,
                        "the pattern of query item \"\(member.key)\" is \(member.value.kindName); "
                            + "one value "
                            + "that is no string makes the system drop the whole \"?\" constraint",
                        "write it as a string in double quotes")
                    continue
                }
                let item = QueryItemPattern(
                    name: Located(member.key, range: member.keyRange),
                    pattern: Located(pattern, range: member.value.range))
                // The last of equal names counts, as in a dictionary.
                let name = ExactText(member.key)
                if let earlier = places.updateValue(items.count, forKey: name) {
                    items[earlier] = item
                    places[name] = earlier
                } else {
                    items.append(item)
                }
            }
            self = dropped ? .dropped : .items(items)
        case .null, .bool, .number, .array:
            shape.report(
                .queryWrongType, member.value.range,
                "\"?\" is \(member.value.kindName); the system drops it, and the rule matches any "
                    + "query",
                "write a string, or an object of strings")
            self = .dropped
        }
    }
}
