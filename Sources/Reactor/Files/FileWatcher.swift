import Glibc

/// Reports changes in a set of directories (inotify(7)).
///
/// It watches directories, not files: an atomic rename and Kubernetes' symlink swap replace the
/// file, and a watch on the old one would never fire again. It does not say what changed: the
/// caller reads everything again.
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

    /// Sets the watched directories. Missing ones are skipped, because a change of their parent
    /// will be reported; other errors are thrown.
    package mutating func watch(_ directories: Set<String>) throws(SystemError) {
        let before = Set(watches.values)
        watches = watches.filter { directories.contains($0.key) }
        // First, as the kernel's limit may be near.
        let kept = Set(watches.values)
        end(before.subtracting(kept))
        // A path that leads to another directory now has another watch: what is left behind would
        // be watched indefinitely.
        defer { end(kept.subtracting(watches.values)) }
        let mask =
            UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)
            | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
            | UInt32(IN_ATTRIB)
            | UInt32(IN_ONLYDIR)
        for path in directories {
            do throws(SystemError) {
                // A path that was deleted and recreated has a new inode: adding it again renews the
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

    /// Two paths may lead to one directory, and then have one watch: only those without a path end.
    private func end(_ watches: Set<Int32>) {
        for watch in watches { inotify_rm_watch(file.raw, watch) }
    }

    /// Reads all pending events.
    ///
    /// - Returns: whether there was one (an overflow of the kernel's queue counts as a change, the
    ///   end of a watch does not).
    package func drain() -> Bool {
        var changed = false
        withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 8) { buffer in
            while case let count = read(file.raw, buffer.baseAddress, buffer.count), count > 0 {
                if Self.holdsChange(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
                    changed = true
                }
            }
        }
        return changed
    }

    /// Whether one of the events is more than the end of a watch. Where the kernel ends a watch by
    /// itself, it tells the reason as well.
    private static func holdsChange(_ events: UnsafeRawBufferPointer) -> Bool {
        let headSize = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + headSize <= events.count {
            let event = events.load(fromByteOffset: offset, as: inotify_event.self)
            if event.mask & UInt32(IN_IGNORED) == 0 { return true }
            offset += headSize + Int(event.len)
        }
        return false
    }
}
