/// Certificates, or pairs of them, that are whole and that this process cannot use, because a
/// later OpenSSL does not take the chain. They may be the only copy of a key, so they are kept
/// beside what is served, on disk and for a successor, until something good takes their place.
struct UnusedRecords: Sendable {
    private var records: [StateRecord] = []

    /// - Parameter record: a record of which at least a part is not used. Only certificates are
    ///   kept: the bytes of a host are kept whether they can be used or not.
    mutating func add(_ record: StateRecord) {
        if record.kind == .certificates { records.append(record) }
    }

    /// The records to keep: those of what is served, and what they lack. What has something good in
    /// its place is forgotten.
    mutating func joined(to served: [StateRecord]) -> [StateRecord] {
        if records.isEmpty { return served }
        var joined = served
        records = records.compactMap { unused in
            let index = joined.firstIndex { $0.kind == unused.kind && $0.name == unused.name }
            guard let index else {
                joined.append(unused)
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
}
