/// Maps a server name (SNI) to a host: exact names first, then `*.` names, which match exactly one
/// label (RFC 6125 section 6.4.3). The time does not depend on the number of hosts, and nothing is
/// allocated.
package struct ServerNameSelection: Sendable {
    private struct Entry: Sendable {
        /// Lower case; without `*.` for a wildcard.
        let name: [UInt8]
        let isWildcard: Bool
        let host: Int
    }

    private let entries: [Entry]
    /// A hash table with open addressing: indices into `entries`, or -1. Its size is a power of
    /// two, at least twice the number of entries. The operator chooses the names, so a plain hash
    /// is enough: a peer can only look up.
    private let slots: [Int32]

    /// - Parameter names: each name with its host. Of equal names the first wins.
    package init(_ names: [(name: String, host: Int)]) {
        var entries: [Entry] = []
        var size = 8
        while size < names.count * 2 { size *= 2 }
        var slots = [Int32](repeating: -1, count: size)
        for (name, host) in names {
            let wildcard = name.utf8.starts(with: "*.".utf8)
            let bytes = name.utf8.dropFirst(wildcard ? 2 : 0).map(ServerNameSelection.lower)
            if bytes.isEmpty { continue }
            let entry = Entry(name: bytes, isWildcard: wildcard, host: host)
            var slot = bytes.withUnsafeBytes {
                ServerNameSelection.hash($0, wildcard) & (size - 1)
            }
            var isNew = true
            while slots[slot] >= 0 {
                let other = entries[Int(slots[slot])]
                if other.isWildcard == wildcard && other.name == bytes {
                    isNew = false
                    break
                }
                slot = (slot + 1) & (size - 1)
            }
            if isNew {
                slots[slot] = Int32(entries.count)
                entries.append(entry)
            }
        }
        self.entries = entries
        self.slots = slots
    }

    /// The host of a name; `nil` if there is none. One trailing dot is ignored.
    package func host(of name: UnsafeRawBufferPointer) -> Int? {
        var name = name
        if name.last == UInt8(ascii: ".") {
            name = UnsafeRawBufferPointer(rebasing: name.dropLast())
        }
        // A DNS name has at most 253 characters (RFC 1035 section 2.3.4).
        if name.isEmpty || name.count > 253 { return nil }
        if let host = find(name, wildcard: false) { return host }
        guard let dot = name.firstIndex(of: UInt8(ascii: ".")), dot > 0 else { return nil }
        return find(UnsafeRawBufferPointer(rebasing: name[(dot + 1)...]), wildcard: true)
    }

    /// The same for a string.
    package func host(of name: String) -> Int? {
        var name = name
        return name.withUTF8 { host(of: UnsafeRawBufferPointer($0)) }
    }

    private func find(_ name: UnsafeRawBufferPointer, wildcard: Bool) -> Int? {
        var slot = ServerNameSelection.hash(name, wildcard) & (slots.count - 1)
        while slots[slot] >= 0 {
            let index = Int(slots[slot])
            if entries[index].isWildcard == wildcard,
                ServerNameSelection.equal(name, entries[index].name)
            {
                return entries[index].host
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private static func equal(_ name: UnsafeRawBufferPointer, _ lowered: [UInt8]) -> Bool {
        guard name.count == lowered.count else { return false }
        return lowered.withUnsafeBytes { lowered in
            var index = 0
            // Nearly every client sends lower case: compare whole words first.
            while index &+ 8 <= name.count,
                name.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    == lowered.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            {
                index &+= 8
            }
            while index < name.count {
                if lower(name[index]) != lowered[index] { return false }
                index &+= 1
            }
            return true
        }
    }

    /// FNV-1a over words of eight bytes, without the bit that distinguishes letter case.
    ///
    /// It also makes some other bytes equal (`_` and DEL): equal hashes are followed by a
    /// comparison.
    private static func hash(_ name: UnsafeRawBufferPointer, _ wildcard: Bool) -> Int {
        var hash: UInt64 = wildcard ? 0xcbf2_9ce4_8422_2300 : 0xcbf2_9ce4_8422_2325
        var index = 0
        while index &+ 8 <= name.count {
            let word = name.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            hash = (hash ^ (word | 0x2020_2020_2020_2020)) &* 0x100_0000_01b3
            // Multiplication carries upwards only, but the slot is taken from the low bits.
            hash ^= hash >> 32
            index &+= 8
        }
        while index < name.count {
            hash = (hash ^ UInt64(name[index] | 0x20)) &* 0x100_0000_01b3
            index &+= 1
        }
        return Int(truncatingIfNeeded: hash ^ (hash >> 32))
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
