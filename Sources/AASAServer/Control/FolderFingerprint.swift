import Reactor

/// What a set of folders looks like from outside: names, sizes, times and inodes of everything in
/// them, hashed. Two equal fingerprints mean that nothing was changed in between, without a
/// file being opened: for polling (network file systems tell no inotify) and for noticing that a
/// file was written while it was read.
package struct FolderFingerprint: Sendable, Equatable {
    /// The folders found, which are also those to watch.
    package private(set) var folders: Set<String> = []
    private var hash: UInt64 = 14_695_981_039_346_656_037
    private var count = 0

    /// Deeper than any layout read here (`site/HOST/well-known/acme-challenge/`).
    private static let depthMaximum = 6
    /// Twice the entries of the largest site with 10 files per host; a folder named by mistake
    /// (`/`) must not be walked for ever.
    private static let entriesMaximum = 200_000

    /// Walks the folders, links followed. Hidden folders are entered: the data of a Kubernetes
    /// volume lie in one.
    package init(of roots: [String]) {
        for root in roots { walk(root, depth: 0) }
    }

    private mutating func walk(_ path: String, depth: Int) {
        // `.acme` is what orders of certificates remember: what they give is linked from outside.
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
        // A link's own change (another target) shows in the inode it leads to.
        guard let status = Files.status(path) else { return }
        if status.kind == .folder {
            // `..2026_…` is reached through the links into it.
            if !name.hasPrefix("..") { walk(path, depth: depth + 1) }
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
