import Logging
import Reactor

/// Watches folders with inotify if possible. Without inotify (limits, old file systems) polling
/// continues alone, which is logged once.
///
/// The named folders may be links, or lie behind a link (`/srv/app/current/site`, where a release
/// swaps `current`). inotify then watches the old release, in which nothing changes any more. So
/// the folders that hold those links are watched as well, for the links alone.
struct FolderWatch: ~Copyable {
    private var watcher: FileWatcher?
    private var links: FileWatcher?
    private let roots: [String]
    /// The inodes of the roots.
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
