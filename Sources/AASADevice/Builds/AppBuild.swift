import AppSiteAssociation
package import Reactor

/// A build of an app as Xcode exports or archives it: an `.ipa`, `.app` or `.xcarchive`, as a
/// folder or in a ZIP archive.
///
/// Nothing in it is executed, and nothing is unpacked to disk or held whole in memory.
package struct AppBuild: Sendable {
    /// The path as given.
    package let name: String
    /// Outer before inner ones; at least one.
    package let bundles: [AppBundle]

    /// Whether a path is of a build; a folder without such a name may still hold one.
    package static func isBuild(_ path: String) -> Bool {
        let name = (path.hasSuffix("/") ? String(path.dropLast()) : path).lowercased()
        if [".ipa", ".app", ".xcarchive"].contains(where: { name.hasSuffix($0) }) { return true }
        guard name.hasSuffix(".zip"), let file = try? ByteSource(file: path) else { return false }
        return (try? ZipArchive.looksLike(file)) ?? false
    }

    /// Reads a build.
    package init(reading path: String) throws(Problem) {
        if Files.isFolder(path) {
            try self.init(BuildFiles(folder: path), name: path)
            return
        }
        let file = try ByteSource(file: path)
        guard try ZipArchive.looksLike(file) else {
            throw Problem(
                place: path, cause: "this is neither a folder nor a ZIP archive",
                remedy: "Name an .ipa, .app or .xcarchive.")
        }
        try self.init(BuildFiles(archive: file), name: path)
    }

    /// Reads an archive.
    package init(archive source: ByteSource) throws(Problem) {
        try self.init(BuildFiles(archive: source), name: source.name)
    }

    private init(_ files: BuildFiles, name: String) throws(Problem) {
        let folders = files.bundles
        guard !folders.isEmpty else {
            throw Problem(
                place: name, cause: "it contains no app (no .app folder with an Info.plist)",
                remedy: "Name an .ipa, .app or .xcarchive.")
        }
        guard folders.count <= BuildLimits.bundlesMaximum else {
            throw Problem(
                place: name,
                cause: "it contains \(folders.count) apps and extensions; at most "
                    + "\(BuildLimits.bundlesMaximum) are read",
                remedy: "Name the .ipa or .app of one app.")
        }
        self.name = name
        bundles = try folders.map { folder throws(Problem) in
            let container = folders.lastIndex { folder.hasPrefix($0 + "/") }
            return try AppBundle(folder, in: files, of: name, container: container)
        }
    }

    /// The app itself: the first that is in no other.
    package var main: AppBundle { bundles[0] }

    func container(of bundle: AppBundle) -> AppBundle? { bundle.container.map { bundles[$0] } }
}
