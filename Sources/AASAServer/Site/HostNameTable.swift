import OpenSSL

/// Host name → number, for the `Host` field and the `:authority` of every request. Uses the same
/// table as server names (SNI), after removing the port and what else HTTP allows around a name. No
/// allocation and no lower-casing copy.
package struct HostNameTable: Sendable {
    private let names: ServerNameSelection

    /// `pairs`: names and their values. If a name occurs twice, the first value counts.
    package init(_ pairs: [(name: String, value: Int)]) {
        names = ServerNameSelection(pairs.map { (name: $0.name, host: $0.value) })
    }

    /// The value of the host in `authority` (`HOST`, `HOST:PORT`, any letter case, one trailing dot
    /// allowed as in a fully qualified name).
    package func find(_ authority: UnsafeRawBufferPointer) -> Int? {
        names.host(of: Self.withoutPort(authority))
    }

    /// An IPv6 literal keeps its brackets; it names no host here.
    private static func withoutPort(
        _ authority: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        if authority.first == UInt8(ascii: "[") { return authority }
        var index = authority.count
        while index > 0, (48...57).contains(authority[index - 1]) { index -= 1 }
        guard index > 0, authority[index - 1] == UInt8(ascii: ":") else { return authority }
        return UnsafeRawBufferPointer(rebasing: authority[..<(index - 1)])
    }
}
