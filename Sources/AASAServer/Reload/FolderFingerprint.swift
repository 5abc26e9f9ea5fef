import Reactor

/// A hash of the names, sizes, times, inodes and rights of everything in a set of folders. Two
/// equal fingerprints mean that nothing was changed in between, without opening a file. For polling
/// (inotify reports nothing on network file systems) and for noticing that a file was written while
/// it was read.
package struct FolderFingerprint: Sendable, Equatable {
    /// The folders found; these are also the folders to watch.
    package private(set) var folders: Set<String> = []
    private var hash = 0
    private var count = 0

    /// Deeper than any layout read here (`site/HOST/well-known/acme-challenge/`).
    private static let depthMaximum = 6
    /// Twice the entries of the largest site with 10 files per host: the walk of a folder named by
    /// mistake (`/`) must end.
    private static let entriesMaximum = 200_000

    /// Walks the folders and follows links. The hidden folders of a Kubernetes volume hold its
    /// files, so that they are watched as well.
    package init(of roots: [String]) {
        var hasher = Hasher()
        for root in roots { walk(root, depth: 0, &hasher) }
        hash = hasher.finalize()
    }

    private mutating func walk(_ path: String, depth: Int, _ hasher: inout Hasher) {
        // `.acme` is the state of certificate orders; links outside of it lead to the issued
        // certificates.
        guard depth <= Self.depthMaximum, count < Self.entriesMaximum,
            let names = try? Files.names(
                in: path, limit: Self.entriesMaximum, where: { $0 != ".git" && $0 != ".acme" })
        else { return hasher.combine(Array(path.utf8)) }
        folders.insert(path)
        for name in names {
            count += 1
            // By its bytes: `String` takes names as equal that Unicode writes in two ways.
            hasher.combine(Array(name.utf8))
            let place = "\(path)/\(name)"
            // If a link gets another target, the inode of the target differs.
            guard let status = Files.status(place) else { continue }
            if status.kind != .folder {
                hasher.combine(status)
                // An access control list may give a user the file without a change of its mode.
                hasher.combine(Files.isReadable(place))
            } else if name.hasPrefix("..") {
                // Links beside it lead to the files in `..2026_…`: they are counted already.
                folders.insert(place)
            } else {
                walk(place, depth: depth + 1, &hasher)
            }
        }
    }
}
