import Logging
import Reactor

/// Watches folders with inotify if possible. Without inotify (limits, old file systems) polling
/// continues alone, which is logged once.
///
/// The named folders may be links, or lie behind a link (`/srv/app/current/site`, where a release
/// swaps `current`). inotify then watches the old release, in which nothing changes any more. So
/// the folders that hold those links are watched as well, for the links alone. So is the deepest
/// folder on the way to one that is missing: that is where it, or the next one on the way, appears.
struct FolderWatch: ~Copyable {
    private var watcher: FileWatcher?
    private var ways: FileWatcher?
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
            ways = try FileWatcher()
        } catch {
            log.warning("folders are polled instead of watched: \(error.description)")
        }
    }

    mutating func watch(_ folders: Set<String>) {
        do throws(SystemError) {
            try watcher?.watch(Self.listable(folders))
            try watchWays()
        } catch {
            giveUp(error)
        }
    }

    private mutating func giveUp(_ error: SystemError) {
        log.warning("folders are polled instead of watched: \(error.description)")
        watcher = nil
        ways = nil
    }

    /// A path has few components that can appear one after the other.
    private static let looksMaximum = 16

    /// Looks again after each change of the watches: what appeared before it was watched made no
    /// event.
    private mutating func watchWays() throws(SystemError) {
        var watched: Set<String> = []
        for _ in 0..<Self.looksMaximum {
            let wanted = Self.folders(onTheWayTo: roots)
            if wanted == watched { return }
            try ways?.watch(wanted)
            watched = wanted
        }
    }

    private static func folders(onTheWayTo roots: [String]) -> Set<String> {
        var folders: Set<String> = []
        for root in roots {
            let way = Files.way(to: root)
            folders.formUnion(way.foldersOfLinks)
            if !way.isWhole { folders.insert(way.folder) }
        }
        return listable(folders)
    }

    /// What this user may not list (`--user` gave root up) cannot be watched: it alone is polled.
    private static func listable(_ folders: Set<String>) -> Set<String> {
        folders.filter { (try? Files.checkListable($0)) != nil }
    }

    /// Waits for a change, the wake-up or the time.
    /// - Returns: whether something changed.
    mutating func wait(beside wakeup: Int32, until deadline: MonotonicInstant) -> Bool {
        let isReady = Waiting.wait(
            [.init(wakeup), .init(watcher?.descriptor ?? -1), .init(ways?.descriptor ?? -1)],
            until: deadline)
        var changed = false
        if isReady[1] { changed = watcher?.drain() ?? false }
        if isReady[2], ways?.drain() == true {
            do throws(SystemError) {
                try watchWays()
            } catch {
                giveUp(error)
            }
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
