/// Maps a server name (SNI) to a host: exact names first, then `*.` names, which match exactly one
/// label (RFC 6125 section 6.4.3). Nothing is allocated: 10,000 hosts take 14 comparisons.
package struct ServerNameSelection: Sendable {
    private struct Entry: Sendable {
        /// Lower case; a wildcard without its `*`, so that it begins with a dot.
        let name: [UInt8]
        let host: Int
    }

    /// Sorted by name.
    private let entries: [Entry]

    /// - Parameter names: each name with its host. Of equal names the first wins.
    package init(_ names: [(name: String, host: Int)]) {
        let keys = names.map { name, host in
            (name.utf8.dropFirst(name.hasPrefix("*.") ? 1 : 0).map(Self.lower), host)
        }
        entries = Dictionary(keys, uniquingKeysWith: { first, _ in first })
            .map { Entry(name: $0.key, host: $0.value) }
            .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// The host of a name; `nil` if there is none. One trailing dot is ignored.
    package func host(of name: UnsafeRawBufferPointer) -> Int? {
        let dot = UInt8(ascii: ".")
        let name = name.last == dot ? UnsafeRawBufferPointer(rebasing: name.dropLast()) : name
        // A DNS name has at most 253 characters (RFC 1035 section 2.3.4), and no empty label.
        if name.isEmpty || name.count > 253 || name.first == dot { return nil }
        if let host = find(name) { return host }
        return name.firstIndex(of: dot).flatMap {
            find(UnsafeRawBufferPointer(rebasing: name[$0...]))
        }
    }

    private func find(_ name: UnsafeRawBufferPointer) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            let order = Self.order(name, entries[middle].name)
            if order == 0 { return entries[middle].host }
            if order < 0 { high = middle } else { low = middle + 1 }
        }
        return nil
    }

    /// Below 0 if the name comes before the other one, which is in lower case; 0 if they are equal.
    private static func order(_ name: UnsafeRawBufferPointer, _ other: [UInt8]) -> Int {
        for (a, b) in zip(name, other) where lower(a) != b { return Int(lower(a)) - Int(b) }
        return name.count - other.count
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
