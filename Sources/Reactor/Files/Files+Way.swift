import Glibc

extension Files {
    /// How far a path leads, component by component and link by link: why a file cannot be reached,
    /// and where something has to appear before it can be.
    package struct Way: Sendable, Hashable {
        /// The deepest folder on it that is there.
        package fileprivate(set) var folder: String
        /// The folders that hold its links.
        package fileprivate(set) var foldersOfLinks: Set<String> = []
        /// The first folder on it that this user may not enter; what lies behind it is unknown.
        package fileprivate(set) var closedFolder: String?
        /// Whether it leads to its end.
        package fileprivate(set) var isWhole = false
    }

    /// As the kernel counts (path_resolution(7)).
    private static let linksMaximum = 40

    package static func way(to path: String) -> Way {
        var way = Way(folder: path.hasPrefix("/") ? "/" : ".")
        var rest = components(of: path)
        var links = 0
        while let name = rest.popLast() {
            guard access(way.folder, X_OK) == 0 else {
                way.closedFolder = way.folder
                return way
            }
            let next =
                way.folder == "/" ? "/\(name)" : way.folder == "." ? name : "\(way.folder)/\(name)"
            if let target = linkTarget(next) {
                links += 1
                way.foldersOfLinks.insert(way.folder)
                if links > linksMaximum { return way }
                rest += components(of: target)
                if target.hasPrefix("/") { way.folder = "/" }
                continue
            }
            guard hasEntry(next) else { return way }
            guard isFolder(next) else {
                way.isWhole = rest.isEmpty
                return way
            }
            way.folder = next
        }
        way.isWhole = true
        if access(way.folder, X_OK) != 0 { way.closedFolder = way.folder }
        return way
    }

    /// Whether a path leads into a folder, or to it. Links are followed; either may be missing yet.
    package static func leads(_ path: String, into folder: String) -> Bool {
        let (end, outer) = (end(of: path), end(of: folder))
        return end == outer || end.hasPrefix(outer.hasSuffix("/") ? outer : outer + "/")
    }

    /// The absolute path without links, as far as it exists.
    private static func end(of path: String) -> String {
        if let whole = resolved(path) { return whole }
        var rest = path
        while rest.count > 1, rest.hasSuffix("/") { rest.removeLast() }
        let above = folder(of: rest)
        if above == rest { return rest }
        let parent = end(of: above)
        return (parent.hasSuffix("/") ? parent : parent + "/")
            + (rest.split(separator: "/").last.map(String.init) ?? "")
    }

    /// The last one first.
    private static func components(of path: String) -> [String] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
    }
}
