import Reactor

/// A hash of the names, sizes, times and inodes of everything in a set of folders. Two equal
/// fingerprints mean that nothing was changed in between, without opening a file. For polling
/// (inotify reports nothing on network file systems) and for noticing that a file was written while
/// it was read.
package struct FolderFingerprint: Sendable, Equatable {
    /// The folders found; these are also the folders to watch.
    package private(set) var folders: Set<String> = []
    private var hash: UInt64 = 14_695_981_039_346_656_037
    private var count = 0

    /// Deeper than any layout read here (`site/HOST/well-known/acme-challenge/`).
    private static let depthMaximum = 6
    /// Twice the entries of the largest site with 10 files per host: the walk of a folder named by
    /// mistake (`/`) must end.
    private static let entriesMaximum = 200_000

    /// Walks the folders and follows links. The hidden folders of a Kubernetes volume hold its
    /// files, so that they are watched as well.
    package init(of roots: [String]) {
        for root in roots { walk(root, depth: 0) }
    }

    private mutating func walk(_ path: String, depth: Int) {
        // `.acme` is the state of certificate orders; links outside of it lead to the issued
        // certificates.
        guard depth <= Self.depthMaximum, count < Self.entriesMaximum,
            let names = try? Files.names(
                in: path, limit: Self.entriesMaximum, where: { $0 != ".git" && $0 != ".acme" })
        else { return mix(path) }
        folders.insert(path)
        for name in names {
            count += 1
            look(at: "\(path)/\(name)", name: name, depth: depth)
        }
    }

    private mutating func look(at path: String, name: String, depth: Int) {
        mix(name)
        // If a link gets another target, the inode of the target differs.
        guard let status = Files.status(path) else { return }
        if status.kind == .folder {
            // Links beside it lead to the files in `..2026_…`, so that they are counted already.
            if name.hasPrefix("..") { folders.insert(path) } else { walk(path, depth: depth + 1) }
            return
        }
        mix(status.inode)
        mix(UInt64(truncatingIfNeeded: status.size))
        mix(UInt64(truncatingIfNeeded: status.modified))
        mix(UInt64(status.mode))
    }

    private mutating func mix(_ text: String) {
        for byte in text.utf8 { mix(UInt64(byte)) }
        mix(UInt64(0xFF))
    }

    /// FNV-1a, a word at a time.
    private mutating func mix(_ value: UInt64) { hash = (hash ^ value) &* 1_099_511_628_211 }
}
