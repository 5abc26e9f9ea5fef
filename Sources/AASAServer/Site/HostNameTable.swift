/// Host name → number, for the `Host` field and the `:authority` of every request: one hash over
/// the bytes as they came, one comparison, no allocation and no lower-casing copy. The cost does
/// not depend on the number of hosts.
///
/// Open addressing with linear probing over a power-of-two table at most half full; names are kept
/// in one array, lower-case.
package struct HostNameTable: Sendable {
    private struct Entry: Sendable {
        var start: UInt32
        /// 0: the slot is free (no host name is empty).
        var count: UInt32
        var hash: UInt32
        var value: Int32
    }

    private var entries: [Entry]
    private var names: [UInt8] = []
    private let mask: Int

    /// `pairs`: lower-case names and what each stands for. Of a name given twice the first holds.
    package init(_ pairs: [(name: String, value: Int)]) {
        var size = 8
        while size < pairs.count * 2 { size *= 2 }
        mask = size - 1
        entries = Array(repeating: Entry(start: 0, count: 0, hash: 0, value: 0), count: size)
        for (name, value) in pairs {
            let bytes = Array(name.utf8)
            bytes.withUnsafeBytes { insert($0, value: Int32(truncatingIfNeeded: value)) }
        }
    }

    private mutating func insert(_ name: UnsafeRawBufferPointer, value: Int32) {
        if name.isEmpty || find(name) != nil { return }
        let hash = Self.hash(name)
        var slot = Int(hash) & mask
        while entries[slot].count != 0 { slot = (slot + 1) & mask }
        entries[slot] = Entry(
            start: UInt32(names.count), count: UInt32(name.count), hash: hash, value: value)
        names.append(contentsOf: name)
    }

    /// The value of the host in `authority` (`HOST`, `HOST:PORT`, any letter case, one trailing dot
    /// allowed as in a fully qualified name).
    package func find(_ authority: UnsafeRawBufferPointer) -> Int? {
        let name = Self.hostPart(of: authority)
        if name.isEmpty { return nil }
        let hash = Self.hash(name)
        var slot = Int(hash) & mask
        while entries[slot].count != 0 {
            let entry = entries[slot]
            if entry.hash == hash, equals(name, entry) { return Int(entry.value) }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Without port and trailing dot. An IPv6 literal keeps its brackets; it names no host here.
    static func hostPart(of authority: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = authority.count
        if authority.first != UInt8(ascii: "[") {
            var index = end
            while index > 0, (48...57).contains(authority[index - 1]) { index -= 1 }
            if index > 0, authority[index - 1] == UInt8(ascii: ":") { end = index - 1 }
        }
        if end > 0, authority[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: authority[..<end])
    }

    private func equals(_ name: UnsafeRawBufferPointer, _ entry: Entry) -> Bool {
        guard name.count == Int(entry.count) else { return false }
        let start = Int(entry.start)
        for index in 0..<name.count where Self.lower(name[index]) != names[start + index] {
            return false
        }
        return true
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (65...90).contains(byte) ? byte | 0x20 : byte
    }

    /// FNV-1a over the lower-cased bytes. The table holds the operator's own names only, so a peer
    /// that knows the function gains nothing but a comparison that fails.
    private static func hash(_ name: UnsafeRawBufferPointer) -> UInt32 {
        var hash: UInt32 = 2_166_136_261
        for byte in name { hash = (hash ^ UInt32(lower(byte))) &* 16_777_619 }
        return hash
    }
}
