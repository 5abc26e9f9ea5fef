import Glibc

/// Why a file or folder could not be read or written: action, path and reason.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// The value of `errno`.
        case system(Int32)
        /// A folder, device, FIFO or socket where a file is expected.
        case notRegular
        /// Bytes found (as far as counted) and bytes allowed.
        case tooLarge(size: Int, limit: Int)
        /// A folder with more entries than allowed.
        case tooManyEntries(limit: Int)
        /// A link leads out of the folder that must contain the file; its target.
        case outside(String)
    }

    /// `reading`, `writing`, `reading the folder`, …
    package let action: String
    package let path: String
    package let reason: Reason

    package init(_ action: String, _ path: String, _ reason: Reason) {
        self.action = action
        self.path = path
        self.reason = reason
    }

    init(_ action: String, _ path: String, _ error: SystemError) {
        self.init(action, path, .system(error.number))
    }

    package var description: String { "\(action) \(path): \(cause)" }

    /// The reason as text.
    package var cause: String {
        switch reason {
        case .system(let number): SystemError(call: "", number: number).reason
        case .notRegular: "not a regular file"
        case .tooLarge(let size, let limit): "\(size) bytes, and at most \(limit) are read"
        case .tooManyEntries(let limit): "more than \(limit) entries"
        case .outside(let target): "a link leads out of the folder, to \(target)"
        }
    }

    /// The path does not exist.
    package var isMissing: Bool { reason == .system(ENOENT) || reason == .system(ENOTDIR) }
    /// Whether something was to be made or changed, not only read.
    package var isOfWriting: Bool { !action.hasPrefix("reading") }
    /// This user may not.
    package var isDenied: Bool { reason == .system(EACCES) || reason == .system(EPERM) }
    /// Another process holds the lock.
    package var isBusy: Bool { reason == .system(EWOULDBLOCK) }
    /// A folder was found instead of a file.
    package var isFolder: Bool { reason == .system(EISDIR) }
    /// Links form a loop.
    package var isLoop: Bool { reason == .system(ELOOP) }
    /// The process or the machine has no descriptor left.
    package var isOutOfDescriptors: Bool { reason == .system(EMFILE) || reason == .system(ENFILE) }
    /// The disk is full, or the user's quota is exceeded.
    package var isOutOfSpace: Bool { reason == .system(ENOSPC) || reason == .system(EDQUOT) }
    /// The file system is mounted read-only.
    package var isReadOnly: Bool { reason == .system(EROFS) }

    /// What lets this process read the file that it may not read, for people: the folder that is
    /// closed on the way to it has to be opened, or else the file itself.
    package var remedyForReading: String {
        let closed = Files.way(to: path).closedFolder
        return
            "let user \(CurrentProcess.user) \(closed.map { "enter \($0)" } ?? "read \(path)"): chgrp it to a group of that user, chmod \(closed == nil ? "g+r" : "g+rx")"
    }
}
