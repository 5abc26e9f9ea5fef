import AppSiteAssociation
import Reactor

/// The lease of a folder: a small file that its holder updates regularly. Another process takes the
/// lease if the file stays unchanged for long enough by its own clock. So neither a crash nor a
/// changed clock blocks renewals. A dead holder on this machine is not waited for.
final class FolderLease: Sendable {
    private struct Seen {
        var content: [UInt8]
        var since: MonotonicSeconds
    }

    private let path: String
    private let holder = FolderLease.identity()
    private let seen = Lock<Seen?>(nil)
    private let last = Lock<[UInt8]?>(nil)

    init(path: String) { self.path = path }

    /// Call with the lock of the store.
    func take(now: MonotonicSeconds) throws(Problem) -> LeaseOutcome {
        let content = try StoreFiles.read(path)
        let value = StoreFiles.json(content, name: path)
        if let content, let other = otherHolder(in: value) {
            let since = seen.withLock { seen -> MonotonicSeconds in
                if let known = seen, known.content == content { return known.since }
                seen = Seen(content: content, since: now)
                return now
            }
            if now - since < LeaseTerms.seconds { return .taken(other) }
        }
        let isNew = last.withLock { $0 == nil || $0 != content }
        let beat = (value?["beat"]?.integer ?? 0) &+ 1
        let next = JSONWriter.minified(
            .object([("holder", .text(holder)), ("beat", .integer(Int(beat)))]))
        try StoreFiles.replace(path, with: next)
        last.withLock { $0 = next }
        return .ours(isNew: isNew)
    }

    /// The other holder of the lease, unless it is known to be dead: a process that was paused for
    /// longer than its lease notices this way. Call with the lock of the store.
    func taker() throws(Problem) -> String? {
        otherHolder(in: StoreFiles.json(try StoreFiles.read(path), name: path))
    }

    private func otherHolder(in value: JSONValue?) -> String? {
        guard let other = value?["holder"]?.string, other != holder, !Self.isGone(other) else {
            return nil
        }
        return other
    }

    /// Call with the lock of the store.
    func give() {
        let content = (try? StoreFiles.read(path)) ?? nil
        let isOurs = last.withLock { $0 != nil && $0 == content }
        guard isOurs else { return }
        let value = StoreFiles.json(content, name: path)
        let free = JSONWriter.minified(
            .object([("beat", .integer(Int(value?["beat"]?.integer ?? 0)))]))
        if (try? StoreFiles.replace(path, with: free)) != nil { last.withLock { $0 = free } }
    }

    /// Machine, boot, PID namespace, process and its start time: unique per process.
    private static func identity() -> String {
        let pid = CurrentProcess.id
        return "\(place()) \(pid) \(startTime(pid) ?? "0")"
    }

    private static func place() -> String {
        let boot = text("/proc/sys/kernel/random/boot_id") ?? "?"
        let space = Files.linkTarget("/proc/self/ns/pid") ?? "?"
        return "\(boot) \(space)"
    }

    private static func text(_ path: String) -> String? {
        guard let bytes = (try? StoreFiles.read(path)) ?? nil else { return nil }
        return String(decoding: bytes.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
    }

    /// Field 22 of /proc/PID/stat, after the name in brackets; nil if there is no such process.
    private static func startTime(_ pid: Int32) -> String? {
        guard let bytes = (try? StoreFiles.read("/proc/\(pid)/stat")) ?? nil else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let bracket = text.lastIndex(of: ")") else { return nil }
        let fields = text[bracket...].split(separator: " ")
        return fields.count > 20 ? String(fields[20]) : nil
    }

    /// Whether a holder was a process of this machine that has ended.
    static func isGone(_ holder: String) -> Bool {
        let parts = holder.split(separator: " ")
        guard parts.count == 4, "\(parts[0]) \(parts[1])" == place(), let pid = Int32(parts[2])
        else { return false }
        return startTime(pid).map { $0 != parts[3] } ?? true
    }
}
