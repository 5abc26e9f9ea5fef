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
        let isReady = Waiting.wait(
            [.init(wakeup), .init(watcher?.descriptor ?? -1), .init(links?.descriptor ?? -1)],
            until: deadline)
        var changed = false
        if isReady[1] { changed = watcher?.drain() ?? false }
        if isReady[2], links?.drain() == true {
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
