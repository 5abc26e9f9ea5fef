/// The members of a document by their places, found in one pass for all of its fixes.
final class FixPlaces {
    let root: JSONValue

    /// A member, and the object that holds it.
    struct Place {
        let object: Int
        let value: JSONValue
    }

    /// By the bytes of their keys.
    private var members: [Range<Int>: Place] = [:]
    /// The values of members, by their bytes.
    private var values: [Range<Int>: JSONValue] = [:]
    /// The keys of each object.
    private var keys: [Set<String>] = []

    init(_ root: JSONValue) {
        self.root = root
        var waiting = [root]
        while let value = waiting.popLast() {
            switch value.kind {
            case .array(let values): waiting += values
            case .object(let members):
                for member in members {
                    self.members[member.keyRange] = Place(object: keys.count, value: member.value)
                    values[member.value.range] = member.value
                }
                keys.append(Set(members.map(\.key)))
                waiting += members.map(\.value)
            case .null, .bool, .number, .string: break
            }
        }
    }

    /// The value of a member with this range.
    func value(_ range: Range<Int>) -> JSONValue? { values[range] }

    /// The member whose key has this range.
    func member(_ key: Range<Int>) -> Place? { members[key] }

    /// Gives a key to a member.
    ///
    /// - Returns: false if one beside it has the key, or got it in the same pass.
    func takes(_ key: String, beside place: Place) -> Bool {
        keys[place.object].insert(key).inserted
    }
}
