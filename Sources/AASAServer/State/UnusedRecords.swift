/// Records, or pairs of them, that are whole and that this process cannot use: a later OpenSSL does
/// not take the chain, a later check refuses the document. They may be the only copy of a key, so
/// they are kept beside what is served, on disk and for a successor, until something good takes
/// their place.
struct UnusedRecords: Sendable {
    private var records: [StateRecord] = []

    /// - Parameter record: a record of which at least a part is not used.
    mutating func add(_ record: StateRecord) { records.append(record) }

    /// The records to keep: those of what is served, and what they lack.
    ///
    /// What has something good in its place is forgotten. So is a host that is no longer served; a
    /// key is not.
    mutating func joined(to served: [StateRecord]) -> [StateRecord] {
        if records.isEmpty { return served }
        var joined = served
        var places: [String: Int] = [:]
        for (index, record) in served.enumerated() { places[Self.place(record)] = index }
        records = records.compactMap { unused in
            guard let index = places[Self.place(unused)] else {
                guard unused.kind == .certificates else { return nil }
                joined.append(unused)
                return unused
            }
            guard unused.kind == .certificates else {
                if joined[index].hasDocument { return nil }
                joined[index] = unused
                return unused
            }
            let keys = Set(joined[index].pairs.compactMap { $0.text("key.name") })
            var rest = StateRecord(unused.kind, unused.name)
            for pair in unused.pairs where pair.text("key.name").map(keys.contains) != true {
                joined[index].add(pair: pair)
                rest.add(pair: pair)
            }
            return rest.fields.isEmpty ? nil : rest
        }
        return joined
    }

    private static func place(_ record: StateRecord) -> String {
        "\(record.kind.rawValue)/\(record.name)"
    }
}
