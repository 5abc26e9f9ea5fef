import AppSiteAssociation
import Reactor

/// Reads one host's folder into a ``HostTree``. Effects only; ``HostSource`` says what bytes mean.
package struct HostFolder {
    private let path: String
    /// Real paths that a link may lead into.
    private let roots: [String]
    private var tree: HostTree

    /// The folder and what it means. `aasa build` and `aasa serve` both use this code, so that they
    /// always see the same.
    ///
    /// - Parameters:
    ///   - path: the folder, as messages name it.
    ///   - siteRoot: the real path of the site folder; nil: only the host's own folder counts.
    package static func read(name: String, path: String, siteRoot: String? = nil) -> HostSource {
        var folder = HostFolder(
            path: path, roots: [siteRoot, Files.resolved(path)].compactMap { $0 },
            tree: HostTree(name: name, place: path))
        for entry in folder.entries("", maximum: 256) { folder.read(entry) }
        // As in a web root. Hidden entries are not listed.
        if Files.isFolder("\(path)/.well-known") { folder.tree.strangers.append(".well-known") }
        return HostSource(folder.tree)
    }

    private mutating func read(_ entry: FolderEntry) {
        switch entry.name {
        case "host.json": readFile(entry.name, maximum: SiteLimits.settingsBytesMaximum)
        case "apple-app-site-association", "links.csv", "links.json":
            readFile(entry.name, maximum: SiteLimits.fragmentBytesMaximum)
        case "teams": readTeams()
        case "well-known": readSiblings(below: entry.name, depth: 1)
        default: tree.strangers.append(entry.name)
        }
    }

    private mutating func readTeams() {
        for entry in entries("teams", maximum: SiteLimits.teamsMaximum) {
            let path = "teams/\(entry.name)"
            switch TeamFileName(entry.name)?.role {
            case .fragment, .links: readFile(path, maximum: SiteLimits.fragmentBytesMaximum)
            case .sibling: readFile(path, maximum: SiteLimits.siblingBytesMaximum)
            case nil: tree.strangers.append(path)
            }
        }
    }

    private mutating func readSiblings(below folder: String, depth: Int) {
        for entry in entries(folder, maximum: SiteLimits.siblingEntriesMaximum) {
            let path = "\(folder)/\(entry.name)"
            guard entry.kind == .folder else {
                readFile(path, maximum: SiteLimits.siblingBytesMaximum)
                continue
            }
            tree.folders.insert(path)
            if depth < SiteLimits.siblingDepthMaximum {
                readSiblings(below: path, depth: depth + 1)
            }
        }
    }

    // MARK: Files

    private mutating func entries(_ folder: String, maximum: Int) -> [FolderEntry] {
        do {
            let place = folder.isEmpty ? path : "\(path)/\(folder)"
            let entries = try FileReading.entries(of: place, maximum: maximum)
            tree.folders.insert(folder)
            return entries
        } catch {
            tree.unread[folder] = error.diagnostic
            return []
        }
    }

    private mutating func readFile(_ file: String, maximum: Int) {
        do {
            tree.files[file] = try FileReading.bytes(
                at: "\(path)/\(file)", maximum: maximum, beneath: roots)
        } catch {
            tree.unread[file] = error.diagnostic
        }
    }
}

extension Problem {
    var diagnostic: Diagnostic {
        Diagnostic(
            code: "site-unreadable", severity: .error, message: cause, remedy: remedy, file: place)
    }
}
