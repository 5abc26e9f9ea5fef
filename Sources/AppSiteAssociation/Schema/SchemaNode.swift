/// What stands at one place of a JSON format.
///
/// A format is described once: `FormatCheck` reports what differs from it, ``document(title:)``
/// writes the JSON Schema (draft 7, which editors support), and `FormatPage` the reference.
public indirect enum SchemaNode: Sendable {
    /// - Parameter pattern: a regular expression (ECMA 262) for the whole string.
    case string(pattern: String? = nil)
    /// - Parameter retired: words that are still accepted, and proposed in no message.
    case choice([String], retired: [String] = [])
    case boolean
    case integer
    case list(of: SchemaNode, isSet: Bool = false)
    case object(SchemaObject)
    /// An object whose users choose the names of its members.
    case table(of: SchemaNode, names: String? = nil)
    /// One of these types; their keywords are independent.
    case either(SchemaNode, SchemaNode)
    case anything

    /// An object with these members; others are rejected unless `isOpen`.
    public static func object(
        _ members: [SchemaMember], needs: [SchemaNeed] = [], isOpen: Bool = false
    ) -> SchemaNode {
        .object(SchemaObject(nil, members, needs: needs, isOpen: isOpen))
    }

    /// Whether a value has the type.
    func accepts(_ value: JSONValue) -> Bool {
        switch (self, value.kind) {
        case (.string, .string), (.boolean, .bool), (.integer, .number), (.list, .array),
            (.object, .object), (.table, .object), (.anything, _):
            true
        case (.choice(let words, let retired), .string(let word)): (words + retired).contains(word)
        case (.either(let first, let second), _): first.accepts(value) || second.accepts(value)
        default: false
        }
    }

    /// Whether a value can hardly be anything else, whatever its key says: it holds an app, or an
    /// object with known keys and all that it needs.
    func recognizes(_ value: JSONValue) -> Bool {
        switch (self, value.kind) {
        case (.string(AppIdentifier.expression), .string(let text)): AppIdentifier(text) != nil
        case (.list(let element, _), .array(let values)):
            !values.isEmpty && values.allSatisfy(element.recognizes)
        case (.list(let element, _), _): element.recognizes(value)
        case (.object(let object), .object(let members)):
            members.contains { object[$0.key]?.standing == .documented }
                && object.needs.allSatisfy { need in
                    members.contains { need.keys.contains($0.key) }
                }
        case (.either(let first, _), _): first.recognizes(value)
        default: false
        }
    }

    /// The type in words.
    var typeName: String {
        switch self {
        case .string: "a string"
        case .choice(let words, _): "one of " + words.joined(separator: ", ")
        case .boolean: "true or false"
        case .integer: "a number"
        case .list: "an array"
        case .object, .table: "an object"
        case .either(let first, let second): "\(first.typeName) or \(second.typeName)"
        case .anything: "any value"
        }
    }

    /// The nodes directly below.
    var children: [SchemaNode] {
        switch self {
        case .string, .choice, .boolean, .integer, .anything: []
        case .list(let element, _), .table(let element, _): [element]
        case .object(let object): object.members.map(\.node)
        case .either(let first, let second): [first, second]
        }
    }

    /// The objects at this place and below that have a name, each once, outer ones first.
    var namedObjects: [SchemaObject] {
        var found: [SchemaObject] = []
        var waiting = [self]
        while !waiting.isEmpty {
            let node = waiting.removeFirst()
            if case .object(let object) = node, let name = object.name {
                if found.contains(where: { $0.name == name }) { continue }
                found.append(object)
            }
            waiting += node.children
        }
        return found
    }

    // MARK: - JSON Schema

    /// The keywords of the schema; a named object is a reference to its definition.
    fileprivate var keywords: [(String, JSONValue)] {
        switch self {
        case .string(let pattern):
            return [("type", .text("string"))] + (pattern.map { [("pattern", .text($0))] } ?? [])
        case .choice(let words, _): return [("enum", .list(words.map { .text($0) }))]
        case .boolean: return [("type", .text("boolean"))]
        case .integer: return [("type", .text("integer"))]
        case .list(let element, let isSet):
            return [("type", .text("array")), ("items", element.json)]
                + (isSet ? [("uniqueItems", .flag(true))] : [])
        case .object(let object):
            return object.name.map { [("$ref", .text("#/definitions/\($0)"))] } ?? object.keywords
        case .table(let element, let names):
            return [("type", .text("object")), ("additionalProperties", element.json)]
                + (names.map { [("propertyNames", .object([("pattern", .text($0))]))] } ?? [])
        case .either(let first, let second):
            var keywords: [(String, JSONValue)] = []
            var types: [JSONValue] = []
            for (key, value) in first.keywords + second.keywords {
                if key == "type" { types.append(value) } else { keywords.append((key, value)) }
            }
            return [("type", .list(types))] + keywords
        case .anything: return []
        }
    }

    var json: JSONValue { .object(keywords) }

    /// A complete schema.
    ///
    /// - Parameter title: displayed by editors.
    public func document(title: String) -> JSONValue {
        var keywords: [(String, JSONValue)] = [
            ("$schema", .text("http://json-schema.org/draft-07/schema#")),
            ("title", .text(title)),
        ]
        var objects = namedObjects
        if case .object(let object) = self {
            keywords += object.keywords
            objects.removeAll { $0.name == object.name }
        } else {
            keywords += self.keywords
        }
        let definitions = objects.map { ($0.name ?? "", JSONValue.object($0.keywords)) }
        if !definitions.isEmpty { keywords.append(("definitions", .object(definitions))) }
        return .object(keywords)
    }
}

/// A member of an object: its key, its type, and its description.
public struct SchemaMember: Sendable {
    /// The key.
    public let key: String
    /// The type of its value.
    public let node: SchemaNode
    /// One sentence, shown by editors.
    public let text: String
    /// The first system that reads it.
    let since: String?
    /// The codes of findings about another type: of the value, of its elements, of theirs.
    let wrong: [String]
    /// What a value of another type leads to, for messages.
    let consequence: String?
    /// Where one value is meant and a list is written: the key for a list, and the code for it.
    let list: (key: String, code: String)?
    /// What it is to readers of the document.
    let standing: Standing

    /// What a member is to readers of a document.
    package enum Standing: Sendable {
        /// Documented for one place: it is misplaced at any other.
        case documented
        /// Documented for several places.
        case repeated
        /// Read by some system, but not documented.
        case undocumented
        /// For people; no system reads it.
        case comment
    }

    /// Creates an optional member.
    package init(
        _ key: String, _ node: SchemaNode, _ text: String, since: String? = nil,
        wrong: [String] = [], consequence: String? = nil,
        list: (key: String, code: String)? = nil, standing: Standing = .documented
    ) {
        self.key = key
        self.node = node
        self.text = text
        self.since = since
        self.wrong = wrong
        self.consequence = consequence
        self.list = list
        self.standing = standing
    }

    /// The sentence, and since when.
    var description: String { text + (since.map { " Since \($0)." } ?? "") }

    var json: JSONValue {
        if case .object(let object) = node, object.name != nil {
            // Draft 7 ignores all keywords beside a reference.
            return .object([
                ("description", .text(description)), ("allOf", .list([node.json])),
            ])
        }
        return .object([("description", .text(description))] + node.keywords)
    }
}
