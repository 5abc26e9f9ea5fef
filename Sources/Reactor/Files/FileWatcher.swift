import Glibc

/// Tells when something in a set of directories changes (inotify(7)).
///
/// Directories are watched, not files: an atomic rename and Kubernetes' symlink swap replace the
/// file, and a watch on the old one would never fire again. What changed is not told apart: whoever
/// watches reads everything again.
package struct FileWatcher: ~Copyable {
    private let file: FileDescriptor
    private var watches: [String: Int32] = [:]

    package init() throws(SystemError) {
        file = FileDescriptor(
            owning: try Syscall.call("inotify_init1", .inotifyInit) {
                inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
            })
    }

    /// Register this for reading with the loop's ``Poller``.
    package var descriptor: Int32 { file.raw }

    /// How many directories are watched.
    package var count: Int { watches.count }

    /// Watches exactly `directories` from now on. One that is not there (any more) is left out,
    /// because the change of its parent will bring the caller back; other errors are thrown.
    package mutating func watch(_ directories: Set<String>) throws(SystemError) {
        for (path, watch) in watches where !directories.contains(path) {
            inotify_rm_watch(file.raw, watch)
            watches[path] = nil
        }
        let mask =
            UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)
            | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
            | UInt32(IN_ATTRIB)
            | UInt32(IN_ONLYDIR)
        for path in directories {
            do throws(SystemError) {
                // A path that was removed and made again has a new inode: adding again renews the
                // watch.
                watches[path] = try Syscall.call("inotify_add_watch", .inotifyAddWatch) {
                    inotify_add_watch(file.raw, path, mask)
                }
            } catch {
                watches[path] = nil
                if error.number != ENOENT && error.number != ENOTDIR { throw error.about(path) }
            }
        }
    }

    /// Reads all pending events.
    ///
    /// - Returns: whether there was one (an overflow of the kernel's queue counts: something
    ///   changed).
    package func drain() -> Bool {
        var changed = false
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 8) { buffer in
            while read(file.raw, buffer.baseAddress, buffer.count) > 0 { changed = true }
        }
        return changed
    }
}
