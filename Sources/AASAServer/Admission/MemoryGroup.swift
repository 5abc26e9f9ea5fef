/// A control group with a memory limit that applies to this process (cgroups(7)).
///
/// Only memory that the kernel cannot reclaim counts: anonymous and shared memory, socket buffers
/// and the kernel's own. The page cache of the site's files does not count, because the kernel
/// frees it before it kills a process.
struct MemoryGroup: Equatable {
    /// Where the group's files lie.
    let folder: String
    /// Bytes.
    let limit: Int
    /// Whether this is cgroup v1, whose files have other names.
    let isFirstVersion: Bool

    /// The groups with a limit, from the process' own up to the root.
    ///
    /// - Parameters:
    ///   - membership: `/proc/self/cgroup`.
    ///   - read: the text of a file; nil where there is none.
    static func own(membership: String, read: (String) -> String?) -> [MemoryGroup] {
        var groups: [MemoryGroup] = []
        for line in membership.split(separator: "\n") {
            // `0::/system.slice/aasa.service`, or `9:memory:/docker/4f…` of the first version.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isFirst = parts[1].split(separator: ",").contains("memory")
            guard isFirst || (parts[0] == "0" && parts[1].isEmpty) else { continue }
            let mount = isFirst ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup"
            for path in ancestors(of: String(parts[2])) {
                let folder = mount + path
                let file = isFirst ? "memory.limit_in_bytes" : "memory.max"
                // "max" is no number; cgroup v1 writes a number larger than any memory.
                guard let text = read("\(folder)/\(file)"),
                    let limit = Int(text.prefix { $0.isNumber }), limit > 0, limit < 1 << 60
                else { continue }
                groups.append(MemoryGroup(folder: folder, limit: limit, isFirstVersion: isFirst))
            }
        }
        return groups
    }

    /// `/a/b` → `/a/b`, `/a`, and the empty path for the root. In a container the path may be that
    /// of the host, which is not mounted: then only the root is found, which is the container's own
    /// group.
    private static func ancestors(of path: String) -> [String] {
        let parts = path.split(separator: "/")
        return (0...parts.count).reversed().map { count in
            parts[..<count].map { "/" + $0 }.joined()
        }
    }

    /// The share of the limit in use; 0 if the kernel does not report it.
    func share(read: (String) -> String?) -> Double {
        guard let text = read("\(folder)/memory.stat") else { return 0 }
        var figures: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2 { figures[words[0]] = Int(words[1]) }
        }
        func sum(_ names: Substring...) -> Int { names.reduce(0) { $0 + (figures[$1] ?? 0) } }
        let used: Int
        if isFirstVersion {
            // The kernel's own memory is not split into what it can reclaim and what not.
            let kernel = ["memory.kmem.usage_in_bytes", "memory.kmem.tcp.usage_in_bytes"].map {
                read("\(folder)/\($0)").flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
            }
            used = sum("total_rss", "total_shmem") + kernel.reduce(0, +)
        } else {
            used = sum("anon", "shmem", "sock", "kernel_stack", "pagetables", "slab_unreclaimable")
        }
        return Double(used) / Double(limit)
    }
}
