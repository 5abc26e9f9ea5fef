package import Reactor

extension Problem {
    /// A file or folder that could not be read. The causes are the kernel's messages; the remedies
    /// are ours.
    ///
    /// - Parameter isFolder: whether a folder was asked for.
    init(_ error: FileError, isFolder: Bool) {
        let path = error.path
        let remedy: String
        var cause = error.cause
        switch error.reason {
        case .tooLarge: remedy = "check that this is the right file"
        case .tooManyEntries: remedy = "remove entries that do not belong there"
        case .notRegular: remedy = "replace it with a file or a link to one"
        case .outside(let target):
            cause = "the link points out of the site folder, to \(target)"
            remedy = "copy the file into the site folder: aasa serves nothing outside it"
        case .system where error.isMissing && FolderEntry.isUnnameable(path):
            cause = "its name is not UTF-8"
            remedy = "rename it"
        case .system where error.isMissing && Files.hasEntry(path):
            let isFile = isFolder && Files.exists(path)
            cause = isFile ? "it is not a folder" : "it is a link to nothing"
            remedy = isFile ? "replace it with a folder" : "restore its target, or remove the link"
        case .system where error.isMissing:
            cause = "no such \(isFolder ? "folder" : "file")"
            remedy = "create it, or name another (see aasa serve --help)"
        case .system where error.isDenied:
            cause = "not readable for user \(CurrentProcess.user) (permission denied)"
            remedy =
                isFolder
                ? "let that user list the folder: chmod a+rx \(path)"
                : "let that user read the file (chown, or chmod g+r with the user in the group)"
        case .system where error.isLoop:
            cause = "the symbolic links form a loop"
            let kind = isFolder ? "folder" : "file"
            remedy = "replace the link with a \(kind), or with a link to one"
        case .system where error.isOutOfDescriptors:
            cause = "out of file descriptors"
            remedy = "raise the limit: ulimit -n 65536, or LimitNOFILE= in the unit"
        case .system: remedy = "check the disk and the file system"
        }
        self.init(
            place: path, cause: cause, remedy: remedy,
            kind: error.isMissing ? .missing : .other)
    }
}

/// Reads files and folders of a site, with the server's error messages. Blocking: called on the
/// reloader's thread and by commands only.
package enum FileReading {
    /// The bytes of the regular file at `path`, at most `maximum` of them; links are followed.
    ///
    /// - Parameter roots: real paths. After links are resolved, the file has to lie below one of
    ///   them; nil: anywhere.
    package static func bytes(
        at path: String, maximum: Int, beneath roots: [String]? = nil
    ) throws(Problem) -> [UInt8] {
        do throws(FileError) {
            guard let roots else { return try Files.read(path, limit: maximum) }
            return try Files.read(path, limit: maximum, beneath: roots)
        } catch {
            throw Problem(error, isFolder: false)
        }
    }

    /// The entries of a folder, sorted by name bytes, without hidden entries and temporary files of
    /// editors.
    package static func entries(
        of path: String, maximum: Int
    ) throws(Problem) -> [FolderEntry] {
        try Problem.explaining(
            try Files.entries(of: path, limit: maximum) { !FolderEntry.isIgnored($0) }
        ) { Problem($0, isFolder: true) }
    }
}

extension FolderEntry {
    /// The name holds bytes that are not UTF-8: a `String` cannot carry it, so nothing can open the
    /// file.
    package var isUnnameable: Bool { kind == nil && Self.isUnnameable(name) }

    /// Bytes that are not UTF-8 became a replacement character.
    package static func isUnnameable(_ path: String) -> Bool { path.contains("\u{FFFD}") }

    /// Hidden entries (which covers `..data` and `..2026_…` of Kubernetes volumes: the visible
    /// names are links into them) and the temporary and backup files of editors and of `rename(2)`
    /// writers: `a~`, `#a#`, `a.swp`, `a.tmp`, vim's probe `4913`.
    package static func isIgnored(_ name: String) -> Bool {
        if name.hasPrefix(".") || name.hasSuffix("~") || name == "4913" { return true }
        if name.hasPrefix("#"), name.hasSuffix("#") { return true }
        return [".swp", ".swo", ".swx", ".tmp", ".temp", ".bak", ".orig", ".rej", ".part"]
            .contains { name.hasSuffix($0) } || name == "lost+found"
    }
}
