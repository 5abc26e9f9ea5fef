/// Where everything of a document stands, found in one pass for all of its fixes.
final class FixPlaces {
    let root: JSONValue

    /// An element or a member and the container that holds it.
    struct Place {
        let container: Int
        let index: Int
        let value: JSONValue
        let isMember: Bool
    }

    /// What a container holds: the bytes of each element, of a member with its key.
    private struct Container {
        let value: JSONValue
        let ranges: [Range<Int>]
    }

    private var containers: [Container] = []
    /// By the bytes of an element, of a member and of its key.
    private var places: [Range<Int>: Place] = [:]
    /// Members by the bytes of their values.
    private var values: [Range<Int>: Place] = [:]
    /// The keys of an object, by its container.
    private var keys: [Int: Set<String>] = [:]

    /// Whether defaults constrain the query.
    private(set) lazy var defaultsHoldQuery: Bool = RuleDraft.Key.query.hasDefault(in: root)

    init(_ root: JSONValue) {
        self.root = root
        var waiting = [root]
        while let value = waiting.popLast() {
            switch value.kind {
            case .array(let values):
                for (index, element) in values.enumerated() {
                    places[element.range] = place(element, index, isMember: false)
                }
                containers.append(Container(value: value, ranges: values.map(\.range)))
                waiting += values
            case .object(let members):
                for (index, member) in members.enumerated() {
                    let place = place(member.value, index, isMember: true)
                    places[member.range] = place
                    places[member.keyRange] = place
                    values[member.value.range] = place
                }
                containers.append(Container(value: value, ranges: members.map(\.range)))
                waiting += members.map(\.value)
            case .null, .bool, .number, .string: break
            }
        }
    }

    private func place(_ value: JSONValue, _ index: Int, isMember: Bool) -> Place {
        Place(container: containers.count, index: index, value: value, isMember: isMember)
    }

    /// The value of a member with this range.
    func value(_ range: Range<Int>) -> JSONValue? { values[range]?.value }

    /// The member whose key has this range.
    func member(_ key: Range<Int>) -> Place? {
        places[key].flatMap { $0.isMember ? $0 : nil }
    }

    /// Whether the object that holds a member has one of this key.
    func has(_ key: String, beside place: Place) -> Bool {
        if let known = keys[place.container] { return known.contains(key) }
        let all = Set((containers[place.container].value.members ?? []).map(\.key))
        keys[place.container] = all
        return all.contains(key)
    }

    /// Gives a key to a member.
    ///
    /// - Returns: false if one beside it has the key, or got it in the same pass.
    func takes(_ key: String, beside place: Place) -> Bool {
        if has(key, beside: place) { return false }
        keys[place.container]?.insert(key)
        return true
    }

    /// Takes the element with this range, or the member with this key, out of its container; the
    /// last of a container stays, since an empty one is another finding.
    ///
    /// - Parameter byValue: the range is that of a member's value.
    func removal(of range: Range<Int>, byValue: Bool = false) -> [TextEdit]? {
        guard let place = byValue ? values[range] : places[range] else { return nil }
        let container = containers[place.container]
        guard container.ranges.count > 1 else { return nil }
        return JSONLayout.removal(of: place.index, container.ranges)
    }
}
