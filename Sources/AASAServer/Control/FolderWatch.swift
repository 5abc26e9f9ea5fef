import Glibc
import Logging
import Reactor

/// inotify as far as it goes: where it cannot be had (limits, old file systems), polling goes on
/// alone, which is said once.
///
/// The folders named may be links, or lie behind one (`/srv/app/current/site`, where a release
/// swaps `current`). What is watched then is the old release, in which nothing changes any more; so
/// the folders that hold those links are watched as well, for the links alone.
struct FolderWatch: ~Copyable {
    private var watcher: FileWatcher?
    private var links: FileWatcher?
    private let roots: [String]
    /// Where the roots lead to.
    private var targets: [UInt64?]
    private let log: Logger

    init(isOn: Bool, roots: [String], log: Logger) {
        self.roots = roots
        self.log = log
        targets = Self.targets(of: roots)
        guard isOn else { return }
        do throws(SystemError) {
            watcher = try FileWatcher()
            links = try FileWatcher()
        } catch {
            log.warning("folders are polled only: \(error.description)")
        }
    }

    mutating func watch(_ folders: Set<String>) {
        do throws(SystemError) {
            try watcher?.watch(folders)
            try links?.watch(roots.reduce(into: []) { $0.formUnion(Files.foldersOfLinks(in: $1)) })
        } catch {
            log.warning("folders are polled only: \(error.description)")
            watcher = nil
            links = nil
        }
    }

    /// Waits for a change, the wake-up or the time.
    /// - Returns: whether something changed.
    mutating func wait(beside wakeup: Int32, until deadline: MonotonicInstant) -> Bool {
        let left = max(0, (deadline - .now()).inNanoseconds / 1_000_000 + 1)
        var waiting = [pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0)]
        // poll(2) passes over a negative descriptor.
        for descriptor in [watcher?.descriptor, links?.descriptor] {
            waiting.append(pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0))
        }
        _ = Glibc.poll(&waiting, nfds_t(waiting.count), Int32(clamping: left))
        var changed = false
        if waiting[1].revents != 0 { changed = watcher?.drain() ?? false }
        if waiting[2].revents != 0, links?.drain() == true {
            let now = Self.targets(of: roots)
            changed = changed || now != targets
            targets = now
        }
        return changed
    }

    private static func targets(of roots: [String]) -> [UInt64?] {
        roots.map { Files.status($0)?.inode }
    }
}
