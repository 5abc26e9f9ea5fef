extension FileError {
    /// What lets this process make or write the file, for people: by what is at ``path`` now.
    ///
    /// - Parameter other: what can be done instead, such as "name another file".
    package func remedyForWriting(or other: String = "name another file") -> String {
        let folder = Files.folder(of: path)
        if isOutOfSpace { return "make room on the disk, or \(other)" }
        if isReadOnly { return "\(folder) is mounted read-only: mount it writable, or \(other)" }
        if isDenied {
            let closed = Files.way(to: path).closedFolder
            return "let user \(CurrentProcess.user) "
                + (closed.map { "enter \($0)" } ?? "write to \(folder)") + ", or \(other)"
        }
        if Files.isFolder(path) { return "this is a folder: name a file in it" }
        var nearest = folder
        while !Files.hasEntry(nearest), Files.folder(of: nearest) != nearest {
            nearest = Files.folder(of: nearest)
        }
        if Files.exists(nearest), !Files.isFolder(nearest) {
            return "\(nearest) is not a folder: \(other)"
        }
        if Files.isMountedReadOnly(nearest) {
            return "\(nearest) is mounted read-only: mount it writable, or \(other)"
        }
        if nearest != folder { return "create the folder \(folder) first, or \(other)" }
        if isMissing, Files.linkTarget(path) != nil {
            return "create the folder that the link points to, or \(other)"
        }
        return other
    }
}

extension Problem {
    /// A file that cannot be made or written.
    package init(cannotWrite place: String, _ error: FileError) {
        self.init(
            place: place, cause: "cannot be written: \(error.cause)",
            remedy: error.remedyForWriting())
    }
}
