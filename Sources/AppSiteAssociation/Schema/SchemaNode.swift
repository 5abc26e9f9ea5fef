/// The subset of JSON Schema (draft 7, which editors support) that our documents need.
///
/// A table of members is written once: the linter takes the known keys from it, the schema their
/// types and descriptions.
public indirect enum SchemaNode: Sendable {
    /// - Parameter pattern: a regular expression (ECMA 262) for the whole string.
    case string(pattern: String? = nil)
    case choice([String])
    case boolean
    case integer
    case list(of: SchemaNode, isSet: Bool = false)
    /// An object with these members; others are rejected unless `isOpen`.
    case object([SchemaMember], needs: [[String]] = [], isOpen: Bool = false)
    /// An object whose users choose the names of its members.
    case table(of: SchemaNode, names: String? = nil)
    /// One of these types; their keywords are independent.
    case either(SchemaNode, SchemaNode)
    /// A reference to a named definition in the schema.
    case definition(String)
    case anything

    /// The keywords of the schema.
    var members: [(String, JSONValue)] {
        switch self {
        case .string(let pattern):
            return [("type", .text("string"))] + (pattern.map { [("pattern", .text($0))] } ?? [])
        case .choice(let words): return [("enum", .list(words.map { .text($0) }))]
        case .boolean: return [("type", .text("boolean"))]
        case .integer: return [("type", .text("integer"))]
        case .list(let element, let isSet):
            return [("type", .text("array")), ("items", element.json)]
                + (isSet ? [("uniqueItems", .flag(true))] : [])
        case .object(let members, let needs, let isOpen):
            var keywords: [(String, JSONValue)] = [
                ("type", .text("object")),
                ("properties", .object(members.map { ($0.key, $0.json) })),
            ]
            let always = needs.filter { $0.count == 1 }.flatMap { $0 }
            if !always.isEmpty { keywords.append(("required", .list(always.map { .text($0) }))) }
            let choices = needs.filter { $0.count > 1 }.map { choice in
                JSONValue.object([
                    (
                        "anyOf",
                        .list(choice.map { .object([("required", .list([.text($0)]))]) })
                    )
                ])
            }
            if !choices.isEmpty { keywords.append(("allOf", .list(choices))) }
            if !isOpen { keywords.append(("additionalProperties", .flag(false))) }
            return keywords
        case .table(let element, let names):
            return [("type", .text("object")), ("additionalProperties", element.json)]
                + (names.map { [("propertyNames", .object([("pattern", .text($0))]))] } ?? [])
        case .either(let first, let second):
            var keywords: [(String, JSONValue)] = []
            var types: [JSONValue] = []
            for (key, value) in first.members + second.members {
                if key == "type" { types.append(value) } else { keywords.append((key, value)) }
            }
            return [("type", .list(types))] + keywords
        case .definition(let name): return [("$ref", .text("#/definitions/\(name)"))]
        case .anything: return []
        }
    }

    var json: JSONValue { .object(members) }

    /// A complete schema.
    ///
    /// - Parameters:
    ///   - title: displayed by editors.
    ///   - definitions: the named definitions for ``definition(_:)``.
    public func document(
        title: String, definitions: [(String, SchemaNode)] = []
    ) -> JSONValue {
        var keywords: [(String, JSONValue)] = [
            ("$schema", .text("http://json-schema.org/draft-07/schema#")),
            ("title", .text(title)),
        ]
        keywords += members
        if !definitions.isEmpty {
            keywords.append(("definitions", .object(definitions.map { ($0.0, $0.1.json) })))
        }
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

    /// Creates an optional member.
    public init(_ key: String, _ node: SchemaNode, _ text: String) {
        self.key = key
        self.node = node
        self.text = text
    }

    var json: JSONValue {
        if case .definition = node {
            // Draft 7 ignores all keywords beside a reference.
            return .object([
                ("description", .text(text)), ("allOf", .list([node.json])),
            ])
        }
        return .object([("description", .text(text))] + node.members)
    }
}
