/// Merges members without regard to their meaning: lists of apps, future services, unknown members.
///
/// Equal values become one, arrays are concatenated without repeated elements, objects are merged
/// member by member; everything else is a conflict that names both places.
struct GenericMerge {
    struct Value {
        let value: JSONValue
        let owner: Int
    }

    /// The members of several objects.
    struct Members {
        /// In order of appearance.
        private(set) var keys: [String] = []
        /// By key, in the order of the objects.
        private var values: [String: [Value]] = [:]

        /// - Parameter objects: of which each counts as written, so that a key that stands in it
        ///   twice has two values.
        init(_ objects: [(members: [JSONMember], owner: Int)]) {
            for object in objects {
                for member in object.members {
                    if values[member.key] == nil { keys.append(member.key) }
                    values[member.key, default: []].append(
                        Value(value: member.value, owner: object.owner))
                }
            }
        }

        /// - Parameter objects: one of each fragment; nil for those without it.
        init(ofEach objects: [JSONValue?]) {
            self.init(objects.enumerated().map { ($1?.members ?? [], $0) })
        }

        subscript(key: String) -> [Value] { values[key] ?? [] }
    }

    let fragments: [Fragment]
    private(set) var conflicts: [Diagnostic] = []

    /// - Parameter path: the name of the member in messages, such as `applinks.relativeOrder`.
    mutating func merge(_ values: [Value], path: String) -> OwnedNode {
        guard let first = values.first else { return .object([]) }
        if values.count == 1 { return .value(first.value, owner: first.owner, source: first.owner) }
        if values.dropFirst().allSatisfy({ $0.value.means(first.value) }) {
            return .value(first.value, owner: nil, source: first.owner)
        }
        let objects = values.compactMap { value in value.value.members.map { ($0, value.owner) } }
        if objects.count == values.count { return merge(Members(objects), path: path) }
        let arrays = values.compactMap { value in value.value.array.map { ($0, value.owner) } }
        if arrays.count == values.count { return merge(arrays) }
        if let other = values.first(where: { !$0.value.means(first.value) }) {
            conflict(path, first, other)
        }
        return .value(first.value, owner: first.owner, source: first.owner)
    }

    private mutating func merge(_ members: Members, path: String) -> OwnedNode {
        .object(
            members.keys.map {
                OwnedNode.Member(key: $0, node: merge(members[$0], path: "\(path).\($0)"))
            })
    }

    private func merge(_ arrays: [(elements: [JSONValue], owner: Int)]) -> OwnedNode {
        var nodes: [OwnedNode] = []
        // By text: comparing all pairs would take minutes for lists of 100,000.
        var known: Set<[UInt8]> = []
        for array in arrays {
            for element in array.elements {
                guard known.insert(JSONWriter.minified(element)).inserted else { continue }
                nodes.append(.value(element, owner: array.owner, source: array.owner))
            }
        }
        return .array(nodes)
    }

    private mutating func conflict(_ path: String, _ first: Value, _ second: Value) {
        let source = fragments[second.owner].file.source
        let other = fragments[first.owner]
        conflicts.append(
            Diagnostic(
                code: "merge-conflict", severity: .error,
                message: "\(path) has a different value in the fragment of team \(other.team)",
                remedy: "Agree on one value, or remove the member from one fragment.",
                source: source,
                range: second.value.range,
                related: [
                    Diagnostic.Related(
                        message: "the value of team \(other.team)", source: other.file.source,
                        range: first.value.range)
                ]))
    }
}
