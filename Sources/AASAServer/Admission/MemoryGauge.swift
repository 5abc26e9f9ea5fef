import Reactor

/// How much of the memory that this process may use is in use. There are several shares: resident
/// memory plus the machine's TCP buffers against the machine's memory, and the use of its control
/// group (and of each group above it) against the limit of that group. The highest share counts.
///
/// TCP buffers count because a crowd of slow readers fills the kernel's buffers, not ours. A look
/// reads a few files, about 20 µs each, once per second, and more often where little is free.
package struct MemoryGauge {
    /// Bytes of memory of the machine; never 0.
    let limit: Int
    /// From this many pages on the kernel shrinks the buffers of all connections
    /// (`net.ipv4.tcp_mem`, the second figure; as a rule a sixteenth of the machine's memory).
    private let tcpPagesMaximum: Int
    private let groups: [MemoryGroup]
    private let resident: () -> Int
    private let read: (String) -> String?

    /// - Parameters:
    ///   - machine: bytes of memory of the machine; 0: unknown.
    ///   - resident: bytes that this process has; a simulation says how many.
    ///   - read: the text of a file; nil where there is none.
    package init(
        machine: Int = CurrentProcess.machineBytes,
        resident: @escaping () -> Int = { CurrentProcess.residentBytes },
        // memory.stat of a kernel of 2026 has about 2 KB.
        read: @escaping (String) -> String? = { path in
            (try? Files.read(path, limit: 64 << 10)).map { String(decoding: $0, as: UTF8.self) }
        }
    ) {
        limit = machine > 0 ? machine : .max
        // systemd's ProcSubset=pid hides this file.
        tcpPagesMaximum =
            read("/proc/sys/net/ipv4/tcp_mem").flatMap { Self.number(at: 1, in: $0) }
            ?? max(1, limit / 16 / CurrentProcess.pageBytes)
        groups = MemoryGroup.own(membership: read("/proc/self/cgroup") ?? "", read: read)
        self.resident = resident
        self.read = read
    }

    /// The shares of one look.
    package struct Look {
        /// Share of the memory that this process may use.
        package var memory: Double
        /// Share of the memory that TCP buffers may use before the kernel shrinks all of them.
        package var tcpBuffers: Double
        /// Bytes until the nearest limit; negative beyond it.
        package var freeBytes: Double

        /// Handshakes of one worker that may begin until the next look: half of what is free. A
        /// client that waits holds a few kilobytes, and ten times as much once its handshake has
        /// begun; behind a long ClientHello, up to twice that.
        ///
        /// - Parameter share: of the memory, from which none may begin.
        package func handshakes(ofBytes bytes: Int, upTo share: Double, workers: Int) -> Int {
            if memory >= share { return 0 }
            return max(1, Int(min(1e9, freeBytes / 2 / Double(bytes * workers))))
        }

        /// What new connections take at most: 14,000 handshakes a second of 37 KB each (HTTP/2).
        static let growthBytesPerSecond = 512e6
        /// A look of 100 µs is half a percent of it.
        static let intervalMinimum = 0.02
        static let intervalMaximum = 1.0

        /// Seconds until the next look: half of what is free cannot be gone by then. The kernel
        /// kills a process at its limit, whatever the process would have done a second later.
        package var interval: Double {
            min(
                Self.intervalMaximum,
                max(Self.intervalMinimum, freeBytes / 2 / Self.growthBytesPerSecond))
        }
    }

    /// The shares in use; 0 if the kernel does not report them.
    func look() -> Look {
        // /proc/net is a link that ProcSubset=pid hides; the folder of the process stays visible.
        let tcp = read("/proc/self/net/sockstat").flatMap { Self.tcpPages(in: $0) } ?? 0
        let used = Double(resident()) + Double(tcp) * Double(CurrentProcess.pageBytes)
        var look = Look(
            memory: used / Double(limit),
            tcpBuffers: Double(tcp) / Double(max(1, tcpPagesMaximum)),
            freeBytes: Double(limit) - used)
        for group in groups {
            let share = group.share(read: read)
            look.memory = max(look.memory, share)
            look.freeBytes = min(look.freeBytes, Double(group.limit) * (1 - share))
        }
        return look
    }

    /// The `mem` figure of sockstat's TCP line, in pages.
    static func tcpPages(in text: String) -> Int? {
        // Octets, not characters, which cost ten times as much: this is read every second.
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
}
