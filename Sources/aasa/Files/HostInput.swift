import AASAServer
import AppSiteAssociation
import Reactor

/// A host's folder given on the command line.
struct HostInput {
    /// The host: the folder's name.
    let name: String
    /// The folder as it was given, without a slash at the end.
    let path: String
    let source: HostSource

    /// Entries of a folder that are looked at to tell a site from a host.
    private static let entriesMaximum = SiteLimits.hostsMaximum

    /// Nil when the path is not a folder.
    init?(_ path: String) {
        guard path != "-",
            (try? FileReading.entries(of: path, maximum: Self.entriesMaximum)) != nil
        else { return nil }
        var folder = path
        while folder.utf8.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        let real = Files.resolved(folder) ?? folder
        name = real.split(separator: "/").last.map(String.init) ?? folder
        self.path = folder
        source = HostFolder.read(name: name, path: folder)
    }

    /// The fragments in the order of the teams, or the one ready-made file.
    var sources: [SourceText] {
        switch source.document {
        case .fragments(let sources): sources
        case .readyMade(let source): [source]
        case .none: []
        }
    }

    /// The folder of a host, where nothing else will do.
    /// - Throws: what keeps the path from being one.
    static func require(_ path: String) throws(CommandError) -> HostInput {
        if let host = HostInput(path) {
            try host.requireHost()
            return host
        }
        let remedy = "name the folder of a host, such as site/example.com"
        do {
            _ = try FileReading.entries(of: path, maximum: entriesMaximum)
        } catch {
            // opendir(3) says ENOTDIR for a file as well as for a path through one.
            let isFile = Files.resolved(path) != nil && error.isMissing
            throw CommandError(
                isFile ? "this is a file, not a folder" : error.cause, place: path,
                remedy: error.isMissing ? remedy : error.remedy)
        }
        throw CommandError("this is not a folder", place: path, remedy: remedy)
    }

    /// A site, or a folder inside a host, is not taken for a host.
    private func requireHost() throws(CommandError) {
        let entries = (try? FileReading.entries(of: path, maximum: Self.entriesMaximum)) ?? []
        if Self.isHost(entries) { return }
        let hosts = entries.filter { entry in
            guard entry.kind == .folder,
                let inner = try? FileReading.entries(
                    of: "\(path)/\(entry.name)", maximum: Self.entriesMaximum)
            else { return false }
            return Self.isHost(inner)
        }.map(\.name)
        if let first = hosts.first {
            let more = hosts.count > 8 ? " and \(hosts.count - 8) more" : ""
            throw CommandError(
                "this is a site, not a host; its hosts are "
                    + hosts.prefix(8).joined(separator: ", ") + more,
                place: path, remedy: "name one of them: \(path)/\(first)", status: .usage)
        }
        if name == "teams" || name == "well-known" {
            throw CommandError(
                "this folder is inside a host folder", place: path,
                remedy: "name the host's folder: the one above", status: .usage)
        }
        if let problem = HostName.problem(of: name) {
            throw CommandError(
                "this is not a host's folder: \(problem.message)", place: path,
                remedy: "name the folder of a host, such as site/example.com", status: .usage)
        }
    }

    /// `teams/`, `well-known/`, `host.json` or a ready-made document make a folder a host's.
    private static func isHost(_ entries: [FolderEntry]) -> Bool {
        entries.contains { entry in
            switch entry.kind {
            case .folder: entry.name == "teams" || entry.name == "well-known"
            case .file, .other, .missing:
                entry.name == "host.json" || entry.name == "apple-app-site-association"
            }
        }
    }

    /// The document as `aasa serve` would publish it, and everything found on the way.
    func build() -> HostReview {
        HostReview(
            source, keepsOrigins: true, options: LintOptions(now: Int(ClientOptions.now)))
    }
}
