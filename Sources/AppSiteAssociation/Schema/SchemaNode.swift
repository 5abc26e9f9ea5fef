/// What stands at one place of a JSON format.
///
/// A format is described once, by its JSON Schema (draft 7, which editors support) with notes for
/// the linter. `FormatCheck` reports what differs from it, and `FormatPage` writes the reference.
public indirect enum SchemaNode: Sendable {
    /// - Parameter pattern: a regular expression (ECMA 262) for the whole string.
    case string(pattern: String? = nil)
    /// - Parameter retired: words that are still accepted, and proposed in no message.
    case choice([String], retired: [String] = [])
    case boolean
    case integer
    case list(of: SchemaNode)
    case object(SchemaObject)
    /// An object whose users choose the names of its members.
    case table(of: SchemaNode)
    /// One of these types; their keywords are independent.
    case either(SchemaNode, SchemaNode)
    case anything

    /// An object with these members and no others.
    public static func object(_ members: [SchemaMember], needs: [SchemaNeed] = []) -> SchemaNode {
        .object(SchemaObject(nil, members, needs: needs))
    }

    /// Reads a schema, as far as our formats have keywords.
    ///
    /// - Parameter definitions: the objects that references name.
    init(_ schema: JSONValue, in definitions: JSONValue) {
        // Draft 7 ignores all keywords beside a reference: a member with a description has it in
        // `allOf`.
        let reference = schema["allOf"]?.array?.first?["$ref"] ?? schema["$ref"]
        if let name = reference?.string?.split(separator: "/").last.map(String.init) {
            self = .object(SchemaObject(definitions[name] ?? [:], named: name, in: definitions))
            return
        }
        if let words = schema["enum"] {
            self = .choice(words.strings, retired: schema["aasa"]?["retired"]?.strings ?? [])
            return
        }
        func node(_ keyword: String) -> SchemaNode {
            SchemaNode(schema[keyword] ?? [:], in: definitions)
        }
        let types = schema["type"].map { $0.array ?? [$0] } ?? []
        let nodes = types.map { type -> SchemaNode in
            switch type.string {
            case "string": .string(pattern: schema["pattern"]?.string)
            case "boolean": .boolean
            case "array": .list(of: node("items"))
            case "object" where schema["properties"] == nil:
                .table(of: node("additionalProperties"))
            case "object": .object(SchemaObject(schema, named: nil, in: definitions))
            default: .anything
            }
        }
        self = nodes.count > 1 ? .either(nodes[0], nodes[1]) : nodes.first ?? .anything
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
        case (.list(let element), .array(let values)):
            !values.isEmpty && values.allSatisfy(element.recognizes)
        case (.list(let element), _): element.recognizes(value)
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
        case .list(let element), .table(let element): [element]
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
}

/// A member of an object: its key, its type, and its description.
public struct SchemaMember: Sendable {
    /// The key.
    public let key: String
    /// The type of its value.
    public let node: SchemaNode
    /// What it is for, and since when; shown by editors.
    public let text: String
    /// The codes of findings about another type: of the value, of its elements, of theirs.
    let wrong: [String]
    /// What a value of another type leads to, for messages.
    let consequence: String?
    /// Where one value is meant and a list is written: the key for a list, and the code for it.
    let list: (key: String, code: String)?
    /// What it is to readers of the document.
    let standing: Standing

    /// What a member is to readers of a document.
    package enum Standing: String, Sendable {
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
    ///
    /// - Parameter notes: what a schema says in `aasa`.
    package init(
        _ key: String, _ node: SchemaNode, _ text: String, _ notes: JSONValue? = nil
    ) {
        self.key = key
        self.node = node
        self.text = text
        wrong = notes?["wrong"]?.strings ?? []
        consequence = notes?["consequence"]?.string
        list = notes?["list"].map { ($0["key"]?.string ?? "", $0["code"]?.string ?? "") }
        standing = notes?["standing"]?.string.flatMap(Standing.init) ?? .documented
    }
}
