/// An object of a format: its members, which of them it needs, and how other keys are read.
public final class SchemaObject: Sendable {
    /// The name of its definition; nil: a schema describes it where it is used.
    let name: String?
    /// Where a key of it stands, for messages: `in an entry`. Nil: in the member that holds it.
    let place: String?
    /// Where its keys belong, in more words.
    let home: String?
    /// What a member of it is.
    let noun: String
    let members: [SchemaMember]
    let needs: [SchemaNeed]
    /// Whether other members are allowed.
    let isOpen: Bool
    /// Whether null, [] or {} stands for an object without members.
    let mayBeNothing: Bool
    /// The codes of findings about keys: misspelt, not documented (nil: no finding).
    let codes: (misspelt: String, unknown: String?)?
    /// Names that people use for a member, in lower case and without separators.
    let synonyms: [String: String]
    /// Names that people use for the opposite of a member. To replace one by the member, its value
    /// must be inverted as well.
    let opposites: [String: String]

    private let words: WordList
    private let positions: [String: Int]

    /// - Parameter notes: what a schema says in `aasa`.
    init(
        _ name: String?, _ members: [SchemaMember], needs: [SchemaNeed], isOpen: Bool = false,
        _ notes: JSONValue? = nil
    ) {
        func text(_ key: String) -> String? { notes?[key]?.string }
        func table(_ key: String) -> [String: String] {
            Dictionary(
                (notes?[key]?.members ?? []).map { ($0.key, $0.value.string ?? "") },
                uniquingKeysWith: { first, _ in first })
        }
        self.name = name ?? text("name")
        place = text("place")
        home = text("home") ?? place
        noun = text("noun") ?? "a member"
        self.members = members
        self.needs = needs
        self.isOpen = isOpen
        mayBeNothing = notes?["mayBeNothing"]?.bool ?? false
        codes = text("misspelt").map { ($0, text("unknown")) }
        synonyms = table("synonyms")
        opposites = table("opposites")
        words = WordList(
            members.filter { [.documented, .repeated].contains($0.standing) }.map(\.key))
        positions = Dictionary(
            members.enumerated().map { ($0.element.key, $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Reads the schema of an object.
    convenience init(_ schema: JSONValue, named name: String?, in definitions: JSONValue) {
        let properties = schema["properties"]
        let members = (properties?.members ?? []).map { member in
            SchemaMember(
                member.key, SchemaNode(member.value, in: definitions),
                member.value["description"]?.string ?? "", member.value["aasa"])
        }
        let required = (schema["required"]?.strings ?? []).map { SchemaNeed([$0], properties) }
        let rules = (schema["allOf"]?.array ?? []).map { rule in
            let then = rule["then"] ?? rule
            let condition = rule["if"]?["properties"]?.members?.first
            return SchemaNeed(
                (then["anyOf"]?.array ?? [then]).flatMap { $0["required"]?.strings ?? [] },
                properties,
                when: condition.map { ($0.key, $0.value["const"]?.string ?? "") })
        }
        self.init(
            name, members, needs: required + rules,
            isOpen: schema["additionalProperties"]?.bool ?? true, schema["aasa"])
    }

    /// The member with this key.
    ///
    /// Keys that are too long are not looked up: a document may have 60,000 whose hash costs more
    /// than all else.
    subscript(key: String) -> SchemaMember? {
        key.utf8.count <= WordList.longest ? positions[key].map { members[$0] } : nil
    }

    /// The key that an unknown one resembles.
    func correction(of key: String) -> String? { words.correction(of: key) }

    /// What an unknown key says in other words, or in the place of another one.
    func reading(of member: JSONMember) -> SchemaSlip? {
        if let slip = AssociationFormat.reading(of: member, in: self) { return slip }
        // Longer than any other word for a member.
        guard !synonyms.isEmpty, member.key.utf8.count <= WordList.longest else { return nil }
        let folded = member.key.lowercased().filter { !"_- ".contains($0) }
        if let meant = synonyms[folded] { return SchemaSlip(key: meant) }
        guard let opposite = opposites[folded] else { return nil }
        let value = member.value.bool.map { $0 ? "false" : "true" } ?? "the opposite value"
        return SchemaSlip(key: opposite, remedy: "Write \"\(opposite)\": \(value).")
    }
}

/// One of these members has to be there, in any object or where another member has some value.
public struct SchemaNeed: Sendable, ExpressibleByArrayLiteral {
    package let keys: [String]
    /// The code of the finding.
    let code: String?
    /// What follows the object's name in the message.
    let message: String?
    /// The member and the value with which the need begins; nil: always.
    let condition: (key: String, value: String)?

    /// - Parameter members: their schemas; the first of the keys has the notes.
    init(
        _ keys: [String], _ members: JSONValue?,
        when condition: (key: String, value: String)? = nil
    ) {
        let notes = keys.first.flatMap { members?[$0]?["aasa"] }
        self.keys = keys
        code = notes?["missing"]?.string
        message = notes?["lacks"]?.string
        self.condition = condition
    }

    func applies(to members: [JSONMember]) -> Bool {
        condition.map { condition in
            members.contains { $0.key == condition.key && $0.value.string == condition.value }
        } ?? true
    }

    /// One of these keys.
    public init(arrayLiteral keys: String...) { self.init(keys, nil) }
}
