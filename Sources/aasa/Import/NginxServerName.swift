/// Which of several servers nginx would choose for a host.
enum NginxServerName {
    /// In nginx's order, worst first: a server without a name, or for all names; a name with a
    /// wildcard at its end, then at its start, longer ones before shorter; the name itself. Regular
    /// expressions are not evaluated.
    ///
    /// Source: nginx.org/en/docs/http/server_names.html
    struct Rank: Comparable {
        let kind: Int
        let length: Int

        static func < (left: Rank, right: Rank) -> Bool {
            (left.kind, left.length) < (right.kind, right.length)
        }
    }

    /// The rank of a server by the words of its `server_name`; nil where it is for other hosts.
    static func rank(_ names: [String], _ host: String) -> Rank? {
        if names.isEmpty { return Rank(kind: 0, length: 0) }
        return names.compactMap { rank($0.lowercased(), host) }.max()
    }

    private static func rank(_ name: String, _ host: String) -> Rank? {
        // `.example.com` is `example.com` and `*.example.com`.
        if name == host || name == "." + host { return Rank(kind: 3, length: name.count) }
        let start = name.hasPrefix("*.") ? name.dropFirst() : name[...]
        if start.hasPrefix("."), start.count > 1, host.hasSuffix(start) {
            return Rank(kind: 2, length: start.count)
        }
        if name.hasSuffix(".*"), name.count > 2, host.hasPrefix(name.dropLast()) {
            return Rank(kind: 1, length: name.count)
        }
        return name == "_" || name == "\"\"" || name.isEmpty ? Rank(kind: 0, length: 0) : nil
    }
}
