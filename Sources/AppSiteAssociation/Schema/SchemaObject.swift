/// An object of a format: its members, which of them it needs, and how other keys are read.
public struct SchemaObject: Sendable {
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
    /// Words that people use for a key, and keys with another meaning than they have.
    let readings: @Sendable (JSONMember) -> SchemaSlip?

    private let words: WordList
    private let positions: [String: Int]

    init(
        _ name: String?, place: String? = nil, home: String? = nil,
        noun: String = "a member", _ members: [SchemaMember], needs: [SchemaNeed] = [],
        isOpen: Bool = false, mayBeNothing: Bool = false,
        codes: (misspelt: String, unknown: String?)? = nil,
        readings: @escaping @Sendable (JSONMember) -> SchemaSlip? = { _ in nil }
    ) {
        self.name = name
        self.place = place
        self.home = home ?? place
        self.noun = noun
        self.members = members
        self.needs = needs
        self.isOpen = isOpen
        self.mayBeNothing = mayBeNothing
        self.codes = codes
        self.readings = readings
        words = WordList(
            members.filter { [.documented, .repeated].contains($0.standing) }.map(\.key))
        positions = Dictionary(
            members.enumerated().map { ($0.element.key, $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The member with this key.
    subscript(key: String) -> SchemaMember? { positions[key].map { members[$0] } }

    /// The key that an unknown one resembles.
    func correction(of key: String) -> String? { words.correction(of: key) }

    /// The keywords of the schema.
    var keywords: [(String, JSONValue)] {
        var keywords: [(String, JSONValue)] = [
            ("type", .text("object")),
            ("properties", .object(members.map { ($0.key, $0.json) })),
        ]
        let always = needs.filter { $0.keys.count == 1 && $0.condition == nil }.flatMap(\.keys)
        if !always.isEmpty { keywords.append(("required", .list(always.map { .text($0) }))) }
        let others = needs.filter { $0.keys.count > 1 || $0.condition != nil }.map(\.json)
        if !others.isEmpty { keywords.append(("allOf", .list(others))) }
        if !isOpen { keywords.append(("additionalProperties", .flag(false))) }
        return keywords
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

    init(
        _ keys: [String], _ code: String? = nil, _ message: String? = nil,
        when condition: (key: String, value: String)? = nil
    ) {
        self.keys = keys
        self.code = code
        self.message = message
        self.condition = condition
    }

    func applies(to members: [JSONMember]) -> Bool {
        condition.map { condition in
            members.contains { $0.key == condition.key && $0.value.string == condition.value }
        } ?? true
    }

    /// The keyword of the schema.
    fileprivate var json: JSONValue {
        func required(_ key: String) -> JSONValue {
            .object([("required", .list([.text(key)]))])
        }
        let need: JSONValue =
            keys.count == 1 ? required(keys[0]) : .object([("anyOf", .list(keys.map(required)))])
        guard let condition else { return need }
        let value = JSONValue.object([
            (condition.key, .object([("const", .text(condition.value))]))
        ])
        let met: JSONValue = .object([
            ("properties", value), ("required", .list([.text(condition.key)])),
        ])
        return .object([("if", met), ("then", need)])
    }

    /// One of these keys.
    public init(arrayLiteral keys: String...) { self.init(keys) }
}
