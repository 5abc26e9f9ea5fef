extension FileError {
    /// What helps where a file or folder could not be made or written at ``path``, told by what
    /// stands there now.
    ///
    /// - Parameter other: how another place is named.
    package func writingRemedy(or other: String = "name another file") -> String {
        let folder = Files.folder(of: path)
        if isOutOfSpace { return "make room on the disk, or \(other)" }
        if isReadOnly { return "\(folder) is mounted read-only: mount it writable, or \(other)" }
        if isDenied { return "let user \(CurrentProcess.user) write into \(folder), or \(other)" }
        if Files.isFolder(path) { return "this is a folder: name a file in it" }
        var nearest = folder
        while !Files.hasEntry(nearest), Files.folder(of: nearest) != nearest {
            nearest = Files.folder(of: nearest)
        }
        if Files.exists(nearest), !Files.isFolder(nearest) {
            return "\(nearest) is no folder: \(other)"
        }
        if nearest != folder { return "make the folder \(folder) first, or \(other)" }
        return other
    }
}
