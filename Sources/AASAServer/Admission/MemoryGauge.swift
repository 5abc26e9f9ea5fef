import Reactor

/// How much of the memory this process may have is in use: its resident memory and the machine's
/// TCP buffers against the machine's memory, and what its control group (and each above it) uses
/// against that group's limit. The fuller one counts.
///
/// TCP buffers count because a crowd of slow readers fills them and not us. Reading costs a few
/// files, about 20 µs each; once per second.
struct MemoryGauge {
    /// Bytes of the machine; never 0.
    let limit: Int
    private let pageBytes: Int
    /// From so many pages on the kernel makes the buffers of all connections smaller
    /// (`net.ipv4.tcp_mem`, the second figure; as a rule a sixteenth of the machine's memory).
    private let tcpPagesMaximum: Int
    private let groups: [MemoryGroup]

    init() {
        pageBytes = CurrentProcess.pageBytes
        let machine = CurrentProcess.machineBytes
        limit = machine > 0 ? machine : .max
        // Hidden by ProcSubset=pid.
        tcpPagesMaximum =
            Self.read("/proc/sys/net/ipv4/tcp_mem").flatMap { Self.number(at: 1, in: $0) }
            ?? max(1, limit / 16 / CurrentProcess.pageBytes)
        groups = MemoryGroup.own(
            membership: Self.read("/proc/self/cgroup") ?? "", read: Self.read)
    }

    /// For tests: a limit of their own.
    init(limit: Int, groups: [MemoryGroup] = []) {
        self.limit = limit
        self.groups = groups
        pageBytes = 4096
        tcpPagesMaximum = max(1, limit / 16 / 4096)
    }

    /// What was seen at one look.
    struct Look {
        /// Of the memory this process may have.
        var memory: Double
        /// Of the memory that the kernel gives to the buffers of TCP before it makes all of them
        /// smaller.
        var tcpBuffers: Double
    }

    /// The shares in use, 0 when the kernel does not say.
    func look() -> Look {
        // Not /proc/net, a link that ProcSubset=pid hides; the folder of the process stays.
        let tcp = Self.read("/proc/self/net/sockstat").flatMap { Self.tcpPages(in: $0) } ?? 0
        let machine =
            (Double(CurrentProcess.residentBytes) + Double(tcp) * Double(pageBytes)) / Double(limit)
        return Look(
            memory: groups.reduce(machine) { max($0, $1.share(read: Self.read)) },
            tcpBuffers: Double(tcp) / Double(max(1, tcpPagesMaximum)))
    }

    /// The `mem` figure of sockstat's TCP line, in pages.
    static func tcpPages(in text: String) -> Int? {
        // By octets: characters cost ten times as much, and this is read every second.
        for line in text.utf8.split(separator: 0x0A) where line.starts(with: "TCP:".utf8) {
            let words = line.split(separator: 0x20)
            guard let at = words.firstIndex(where: { $0.elementsEqual("mem".utf8) }),
                at + 1 < words.count
            else { return nil }
            return Int(Substring(words[at + 1]))
        }
        return nil
    }

    static func number(at index: Int, in text: String) -> Int? {
        let words = text.utf8.split { $0 == 0x20 || $0 == 0x0A }
        return index < words.count ? Int(Substring(words[index])) : nil
    }

    private static func read(_ path: String) -> String? {
        // memory.stat of a kernel of 2026 has about 2 KB.
        (try? Files.read(path, limit: 64 << 10)).map { String(decoding: $0, as: UTF8.self) }
    }
}
