import Logging
import Reactor

/// Watches folders with inotify if possible. Without inotify (limits, old file systems) polling
/// continues alone, which is logged once.
///
/// The named folders may be links, or lie behind a link (`/srv/app/current/site`, where a release
/// swaps `current`). inotify then watches the old release, in which nothing changes any more. So
/// the folders that hold those links are watched as well. So is the deepest folder on the way to
/// one that is missing: that is where it, or the next one on the way, appears. Other changes there
/// are events as well: the reader of an event checks whether it matters.
struct FolderWatch: ~Copyable {
    private var watcher: FileWatcher?
    private let roots: [String]
    private let log: Logger

    init(isOn: Bool, roots: [String], log: Logger) {
        self.roots = roots
        self.log = log
        guard isOn else { return }
        do throws(SystemError) {
            watcher = try FileWatcher()
        } catch {
            giveUp(error)
        }
    }

    /// A path has few components that can appear one after the other.
    private static let looksMaximum = 16

    /// Watches these folders, and the way to the roots. Looks again after each change of the
    /// watches: what appeared before it was watched made no event.
    mutating func watch(_ folders: Set<String>) {
        guard watcher?.descriptor != nil else { return }
        var watched: Set<String> = []
        for _ in 0..<Self.looksMaximum {
            let wanted = Self.listable(folders.union(Self.folders(onTheWayTo: roots)))
            if wanted == watched { return }
            do throws(SystemError) {
                try watcher?.watch(wanted)
            } catch {
                giveUp(error)
            }
            watched = wanted
        }
    }

    private mutating func giveUp(_ error: SystemError) {
        log.warning("folders are polled instead of watched: \(error.description)")
        watcher = nil
    }

    private static func folders(onTheWayTo roots: [String]) -> Set<String> {
        var folders: Set<String> = []
        for root in roots {
            let way = Files.way(to: root)
            folders.formUnion(way.foldersOfLinks)
            if !way.isWhole { folders.insert(way.folder) }
        }
        return folders
    }

    /// What this user may not list (`--user` gave root up) cannot be watched: it alone is polled.
    private static func listable(_ folders: Set<String>) -> Set<String> {
        folders.filter { (try? Files.checkListable($0)) != nil }
    }

    /// Waits for an event, the wake-up or the time.
    ///
    /// - Returns: whether something changed in or beside the folders.
    mutating func wait(beside wakeup: Int32, until deadline: MonotonicInstant) -> Bool {
        let isReady = Waiting.wait(
            [.init(wakeup), .init(watcher?.descriptor ?? -1)], until: deadline)
        return isReady[1] && watcher?.drain() == true
    }
}
