/// What was meant by the keys of an object that its format does not have.
///
/// An object may have 100,000 of them, so each is looked up and compared once.
struct UnknownKeys {
    private let members: [JSONMember]
    /// All keys of the object.
    let written: Set<String>
    /// By the position of the member.
    private var slips: [Int: SchemaSlip] = [:]

    init(_ members: [JSONMember], of object: SchemaObject) {
        self.members = members
        written = Set(members.map(\.key))
        let missing = object.needs.filter { written.isDisjoint(with: $0.keys) }
            .flatMap(\.keys)
        var corrections: [String: String?] = [:]
        for (position, member) in members.enumerated() where object[member.key] == nil {
            // What is written under its right key as well is meant for something else.
            if let slip = object.reading(of: member), !written.contains(slip.key) {
                slips[position] = slip
                continue
            }
            var correction: String?
            if member.key.utf8.count <= WordList.longest {
                correction = corrections[member.key] ?? object.correction(of: member.key)
                corrections[member.key] = .some(correction)
            }
            slips[position] =
                correction.flatMap { object.spelling($0, for: member.value) }
                // Under any name, a value tells which of the missing members it is.
                ?? missing.first { object[$0]?.node.recognizes(member.value) == true }
                .map { SchemaSlip(key: $0, remedy: "Write \"\($0)\".") }
        }
    }

    /// What the key of the member at this position was meant for; nil if for nothing of the object.
    subscript(position: Int) -> SchemaSlip? { slips[position] }

    /// Whether some member misspells one of these keys, or holds it and is reported itself.
    func mean(_ keys: [String]) -> Bool {
        slips.contains { position, slip in
            keys.contains { $0 == slip.key || members[position].value[$0] != nil }
        }
    }
}

/// What a key that an object does not have was meant for.
struct SchemaSlip {
    /// The key that was meant.
    let key: String
    /// What to write, where the value is another one as well; nil: only the name is the mistake.
    var remedy: String?
}

extension SchemaObject {
    /// `appId` may mean one or many: the type of the value decides.
    fileprivate func spelling(_ meant: String, for value: JSONValue) -> SchemaSlip? {
        guard let found = self[meant] else { return nil }
        let other =
            value.array == nil ? members.first { $0.list?.key == meant }?.key : found.list?.key
        return SchemaSlip(key: other ?? meant)
    }
}
