package import AppSiteAssociation

/// One host's folder as bytes by path. Everything that a host serves comes only from these bytes,
/// whether they were read just now or kept since an earlier load.
package struct HostTree: Sendable {
    package let name: String
    /// The host's folder, as messages name it.
    package let place: String
    /// Bytes by path below the folder: `host.json`, `teams/TEAM.json`, `well-known/NAME`.
    package var files: [String: [UInt8]] = [:]
    /// The folders that could be listed, by path; the host's own is the empty one.
    package var folders: Set<String> = []
    /// Why a file or folder cannot be read, by path.
    package var unread: [String: Diagnostic] = [:]
    /// Paths that the server does not read.
    package var strangers: [String] = []

    /// A folder with these files, by path.
    package init(name: String, place: String, files: [String: [UInt8]] = [:]) {
        self.name = name
        self.place = place
        self.files = files
        folders = files.keys.contains { $0.hasPrefix("teams/") } ? ["teams"] : []
    }

    /// A part of a host that falls back to its last good bytes as a whole.
    package enum Group: Sendable, Hashable {
        /// `host.json`.
        case settings
        /// All fragments, or the ready-made file.
        case document
        /// The file of that name in `well-known/`, and the teams' parts of it.
        case sibling(String)
    }

    package func files(of group: Group) -> [String: [UInt8]] {
        files.filter { Group(path: $0.key) == group }
    }

    /// Whether a file of the group is there, even one that cannot be read.
    func shows(_ group: Group) -> Bool {
        files.keys.contains { Group(path: $0) == group }
            || unread.keys.contains { Group(path: $0) == group }
    }

    /// What keeps a file from being read: the outermost folder above it that cannot be read, or it
    /// itself; nil: nothing.
    func barrier(to path: String) -> String? {
        let folders = path.indices.lazy.filter { path[$0] == "/" }.map { String(path[..<$0]) }
        return folders.first { unread[$0] != nil } ?? (unread[path] == nil ? nil : path)
    }

    /// Puts other bytes in the place of a group. What stands in their way goes: no folder has room
    /// for a file and for what is below a folder of its name.
    mutating func replace(_ group: Group, with other: [String: [UInt8]]) {
        files = files.filter { path, _ in
            Group(path: path) != group
                && !other.keys.contains { $0.hasPrefix(path + "/") || path.hasPrefix($0 + "/") }
        }
        unread = unread.filter { Group(path: $0.key) != group }
        files.merge(other) { $1 }
        guard group == .document else { return }
        // The group's own findings say why its folder cannot be read.
        unread["teams"] = nil
        folders.remove("teams")
        if other.keys.contains(where: { $0.hasPrefix("teams/") }) { folders.insert("teams") }
    }
}

extension HostTree.Group {
    /// The group of a path; nil for one that is not served.
    package init?(path: String) {
        switch path {
        case "host.json": self = .settings
        case "apple-app-site-association": self = .document
        case _ where path.hasPrefix("well-known/"):
            self = .sibling(String(path.dropFirst("well-known/".count)))
        case _ where path.hasPrefix("teams/"):
            switch TeamFileName(String(path.dropFirst("teams/".count)))?.role {
            case .fragment: self = .document
            case .sibling(let kind): self = .sibling(kind.rawValue)
            case .links, nil: return nil
            }
        default: return nil
        }
    }

    /// A path of the group.
    var path: String {
        switch self {
        case .settings: "host.json"
        case .document: "apple-app-site-association"
        case .sibling(let name): "well-known/" + name
        }
    }
}

/// Something that was served and is not on disk. It stays in service until it is there again, or
/// until an operator confirms a loss that was reported.
package enum Loss: Sendable, Hashable {
    /// A host that vanished with the whole site.
    case host(String)
    case group(host: String, HostTree.Group)
    /// A pair of certificate and key, by its folder and its chain's file.
    case pair(folder: String, chain: String)
}

/// What is kept of a host: the bytes that are served, and what they do not say.
package struct KeptHost: Sendable, Equatable {
    /// By path, as in ``HostTree/files``.
    package var files: [String: [UInt8]] = [:]
    /// Groups that were not on disk at the last load.
    package var lost: Set<HostTree.Group> = []
    /// Whether the host vanished with the whole site.
    package var isLost = false
    package var facts = KeptFacts()

    package func files(of group: HostTree.Group) -> [String: [UInt8]] {
        files.filter { HostTree.Group(path: $0.key) == group }
    }

    var groups: Set<HostTree.Group> { Set(files.keys.compactMap(HostTree.Group.init(path:))) }

    /// The kept bytes as a host's folder.
    func tree(name: String, place: String) -> HostTree {
        var tree = HostTree(name: name, place: place)
        for group in groups { tree.replace(group, with: files(of: group)) }
        return tree
    }
}

/// What was decided when the kept bytes were first served, and what they do not say themselves.
package struct KeptFacts: Sendable, Equatable {
    /// The aliases that the host answers for: another host may have some of those in `host.json`.
    package var aliases: Set<String> = []
    /// Whether it is the default host by its `host.json`.
    package var isDefault = false
    /// The `--default-host` that made this the default host, which may have been an alias; nil: it
    /// was not.
    package var defaultName: String?
    /// The form in which the document is served; nil: none is. A host goes on with JSON until there
    /// is a signature.
    package var form: AssociationForm?
    package var signature: HostSignature?
    /// The document that was merged from the fragments, for a release that merges them no more.
    package var merged: [UInt8]?
    /// Since when something older than what is on disk is served, in seconds since 1970.
    package var since: Int64?

    /// Whether the name made this host the default one, or would.
    func isDefault(called name: String) -> Bool { defaultName == name || aliases.contains(name) }
}

/// The CMS form of a host's document.
package struct HostSignature: Sendable, Equatable {
    package let der: [UInt8]
    /// The document that was signed.
    package let payload: [UInt8]
    /// Of the certificate pair that signed; empty for a ready-made file.
    package let signer: String
    /// Of the signer's certificate, in seconds since 1970.
    package let notBefore: Int64
    package let notAfter: Int64

    /// - Parameter now: seconds since 1970.
    func isValid(at now: Int64) -> Bool { notBefore <= now && now < notAfter }
}
