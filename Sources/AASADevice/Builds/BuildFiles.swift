import Reactor

/// The files of a build that matter here, in a folder or an archive; paths are as in an archive:
/// `Payload/Shop.app/Info.plist`.
struct BuildFiles {
    /// Sorted.
    let paths: [String]
    /// A file's content; nil if the build does not have it.
    let open: (String) throws(Problem) -> ByteSource?

    /// An archive, read by offset.
    init(archive source: ByteSource) throws(Problem) {
        let archive = try ZipArchive(source) { Self.bundle(of: $0) != nil }
        paths = archive.entries.keys.sorted()
        open = { path throws(Problem) in try archive.open(path) }
    }

    /// A folder: `Shop.app`, `Shop.xcarchive`, `Payload`, or one that holds them.
    init(folder: String) throws(Problem) {
        let root = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        // The folder's own name may be what makes it a bundle; `.` has none of its own.
        let full = root.hasSuffix(".") ? Files.resolved(root) ?? root : root
        let name = full.split(separator: "/").last.map(String.init) ?? full
        var found: [String] = []
        var seen = 0
        do throws(FileError) {
            try Self.walk(root, name, depth: 1, &seen, &found)
        } catch {
            throw Problem(
                place: error.path, cause: error.cause, remedy: "Name an .ipa, .app or .xcarchive.")
        }
        paths = found.sorted()
        let known = Set(found)
        open = { path throws(Problem) in
            guard known.contains(path) else { return nil }
            return try ByteSource(file: root + path.dropFirst(name.count))
        }
    }

    /// Links to folders are not followed: bundles have none, and frameworks have circles.
    private static func walk(
        _ folder: String, _ name: String, depth: Int, _ seen: inout Int, _ found: inout [String]
    ) throws(FileError) {
        let limit = BuildLimits.filesMaximum
        guard depth <= BuildLimits.depthMaximum else { return }
        for entry in try Files.entries(of: folder, limit: limit) {
            seen += 1
            guard seen <= limit else {
                throw FileError("reading the folder", folder, .tooManyEntries(limit: limit))
            }
            let (path, own) = ("\(folder)/\(entry.name)", "\(name)/\(entry.name)")
            switch entry.kind {
            case .file: if bundle(of: own) != nil { found.append(own) }
            case .folder:
                let isLink = try Files.entryStatus(path)?.isLink ?? true
                if !isLink, !isSkipped(entry.name[...]) {
                    try walk(path, own, depth: depth + 1, &seen, &found)
                }
            case .other, nil: break
            }
        }
    }

    /// What is in a library or a resource belongs to its maker: an updater in a framework.
    private static func isSkipped(_ folder: Substring) -> Bool {
        [".framework", ".bundle", ".lproj", ".dSYM"].contains { folder.hasSuffix($0) }
    }

    /// The folder of the app or extension in which a file itself stands; nil for other files.
    private static func bundle(of path: String) -> String? {
        var parts = path.split(separator: "/")
        guard parts.popLast() != nil, !parts.contains(where: isSkipped) else { return nil }
        if parts.last == "MacOS" { parts.removeLast() }
        if parts.last == "Contents" { parts.removeLast() }
        guard let name = parts.last, name.hasSuffix(".app") || name.hasSuffix(".appex") else {
            return nil
        }
        return parts.joined(separator: "/")
    }

    /// The folders of apps and extensions, outer before inner ones.
    var bundles: [String] {
        let lists = paths.filter {
            $0.hasSuffix("/Info.plist") && !$0.hasSuffix("/MacOS/Info.plist")
        }
        return Set(lists.compactMap(Self.bundle)).sorted {
            ($0.split(separator: "/").count, $0) < ($1.split(separator: "/").count, $1)
        }
    }
}
