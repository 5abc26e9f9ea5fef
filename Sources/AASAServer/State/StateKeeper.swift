package import Reactor

/// Keeps the last good state for the next process: in memory for a successor (`archive`), and on
/// disk if there is a state folder.
///
/// Nothing here ever stops a server: a folder that cannot be used is only reported.
package final class StateKeeper: Sendable {
    private struct Disk: ~Copyable {
        var folder: StateFolder?
        /// The folder belongs to a successor from now on.
        var isYielded = false
    }

    private struct Memory {
        var tree = KeptTree()
        var problem: Problem?
        var busyAttempts = 0
        var wasLost = false
    }

    /// At two tries a second: longer than any predecessor takes.
    static let busyAttemptsMaximum = 20

    /// `--state`; nil: nothing is kept on disk.
    package let path: String?
    private let owner: Files.Owner?
    private let disk = Lock(Disk())
    private let memory = Lock(Memory())

    /// - Parameter owner: the user who will write there, if not this one.
    package init(path: String?, owner: Files.Owner? = nil) {
        self.path = path
        self.owner = owner
    }

    /// Why the folder cannot be used, as of the last attempt; nil: all is well.
    package var problem: Problem? { memory.withLock { $0.problem } }

    /// What is kept in the folder, and its problems. Of one that another server has locked, too: it
    /// may drain, and what it has kept is whole. Nothing is written there before it is gone.
    package func read() -> (tree: KeptTree, problems: [Problem]) {
        guard let path else { return (KeptTree(), []) }
        return disk.withLock { disk in
            do throws(Problem) {
                try open(&disk)
                return disk.folder?.read() ?? (KeptTree(), [])
            } catch {
                memory.withLock { $0.problem = error }
                return (error.isBusy ? StateFolder.read(path).tree : KeptTree(), [error])
            }
        }
    }

    private func open(_ disk: inout Disk) throws(Problem) {
        guard disk.folder == nil, let path else { return }
        disk.folder = try StateFolder(path: path, owner: owner)
    }

    /// Remembers what is served now; writes nothing.
    package func remember(_ tree: KeptTree) { memory.withLock { $0.tree = tree } }

    /// Remembers what is served now, and writes what has changed.
    ///
    /// - Returns: what could not be written.
    package func keep(_ tree: KeptTree) -> Problem? {
        remember(tree)
        return write()
    }

    /// Whether the last write found no folder, or another one in its place. It is made again then,
    /// and written whole.
    package var wasLost: Bool { memory.withLock { $0.wasLost } }

    /// Writes what is remembered and not in the folder, or no longer there.
    ///
    /// - Returns: why not, or why nothing more could be written.
    @discardableResult
    package func write() -> Problem? {
        guard path != nil else { return nil }
        let tree = memory.withLock { $0.tree }
        var wasLost = false
        let problem: Problem? = disk.withLock { disk in
            if disk.isYielded { return nil }
            do throws(Problem) {
                if disk.folder?.isThere == false {
                    disk.folder = nil
                    wasLost = true
                }
                if disk.folder == nil {
                    try open(&disk)
                    // A predecessor left it, or a server that was started by mistake: what is there
                    // was never loaded here.
                    disk.folder?.keepWhatIsForeign()
                }
                try disk.folder?.write(tree)
                return nil
            } catch {
                return error
            }
        }
        memory.withLock { memory in
            memory.wasLost = wasLost
            memory.busyAttempts = problem?.isBusy == true ? memory.busyAttempts + 1 : 0
            // The folder is briefly busy until a predecessor releases it: no reason for an alarm.
            let isPassing =
                memory.busyAttempts > 0 && memory.busyAttempts < Self.busyAttemptsMaximum
            memory.problem = isPassing ? nil : problem
        }
        return problem
    }

    /// Leaves the folder to a successor.
    package func yield() {
        disk.withLock { disk in
            disk.folder = nil
            disk.isYielded = true
        }
    }

    /// Everything remembered, for a successor.
    package var archive: [UInt8] { KeptArchive.encode(memory.withLock { $0.tree }) }
}
