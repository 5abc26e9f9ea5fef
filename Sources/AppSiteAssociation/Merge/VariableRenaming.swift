/// Renames variables in all patterns of JSON, leaving the rest unchanged.
struct VariableRenaming {
    private let renames: [ExactText: String]

    init(_ renames: [ExactText: String]) { self.renames = renames }

    /// The members of an entry of `details`.
    func detail(_ members: [JSONMember]) -> [JSONMember] {
        mapped(members) { key, value in
            switch (key, value.kind) {
            case ("components", .array(let list)):
                JSONValue(.array(list.map(rule)), range: value.range)
            case ("paths", .array(let list)):
                JSONValue(.array(list.map(pattern)), range: value.range)
            case ("defaults", _): rule(value)
            default: value
            }
        }
    }

    /// The members of a component, or of defaults.
    func component(_ members: [JSONMember]) -> [JSONMember] {
        mapped(members) { key, value in
            switch (key, value.kind) {
            case ("?", .object(let items)):
                JSONValue(.object(mapped(items) { pattern($1) }), range: value.range)
            case ("/", _), ("?", _), ("#", _): pattern(value)
            default: value
            }
        }
    }

    private func rule(_ value: JSONValue) -> JSONValue {
        value.members.map { JSONValue(.object(component($0)), range: value.range) } ?? value
    }

    private func pattern(_ value: JSONValue) -> JSONValue {
        value.string.map {
            JSONValue(.string(Pattern.renaming($0, renames)), range: value.range)
        } ?? value
    }

    private func mapped(
        _ members: [JSONMember], _ change: (String, JSONValue) -> JSONValue
    ) -> [JSONMember] {
        if renames.isEmpty { return members }
        return members.map {
            JSONMember(key: $0.key, keyRange: $0.keyRange, value: change($0.key, $0.value))
        }
    }
}
