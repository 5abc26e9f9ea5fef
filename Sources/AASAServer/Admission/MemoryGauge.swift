import Glibc

/// How much of the memory this process may have is in use: its resident memory and the machine's
/// TCP buffers against the cgroup's limit, or the machine's memory where there is none.
///
/// TCP buffers count because a crowd of slow readers fills them and not us. Reading costs two
/// files, about 20 µs; once per second.
struct MemoryGauge {
    /// Bytes; never 0.
    let limit: Int
    private let pageBytes: Int

    init() {
        pageBytes = max(4096, Int(sysconf(Int32(_SC_PAGESIZE))))
        let machine = Int(sysconf(Int32(_SC_PHYS_PAGES))) * pageBytes
        var limit = machine > 0 ? machine : .max
        for file in [
            "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        ] {
            // "max", or a number beyond all memory, means no limit.
            if let text = Self.read(file), let value = Int(text.prefix { $0.isNumber }), value > 0 {
                limit = min(limit, value)
            }
        }
        self.limit = limit
    }

    /// For tests: a limit of their own.
    init(limit: Int) {
        self.limit = limit
        pageBytes = 4096
    }

    /// The share in use, 0 when the kernel does not say.
    func share() -> Double {
        let resident = Self.read("/proc/self/statm").flatMap { Self.number(at: 1, in: $0) } ?? 0
        let tcp = Self.read("/proc/net/sockstat").flatMap { Self.tcpPages(in: $0) } ?? 0
        return Double(resident + tcp) * Double(pageBytes) / Double(limit)
    }

    /// The `mem` figure of sockstat's TCP line, in pages.
    static func tcpPages(in text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix("TCP:") {
            let words = line.split(separator: " ")
            guard let at = words.firstIndex(of: "mem"), at + 1 < words.count else { return nil }
            return Int(words[at + 1])
        }
        return nil
    }

    static func number(at index: Int, in text: String) -> Int? {
        let words = text.split { $0 == " " || $0 == "\n" }
        return index < words.count ? Int(words[index]) : nil
    }

    private static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 2048, alignment: 1) { buffer in
            let count = Glibc.read(file, buffer.baseAddress, buffer.count)
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
        }
    }
}
