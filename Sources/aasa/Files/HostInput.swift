import AASAServer
import AppSiteAssociation
import Reactor

/// A host's folder given on the command line.
struct HostInput {
    /// The host: the folder's name, see ``name(of:)``.
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
        name = Self.name(of: folder)
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
        if isHost {
            // The server would not read it, either.
            if let problem = Self.nameProblem(name) { throw notHost(problem) }
            return
        }
        let hosts = hosts
        if let first = hosts.first {
            throw CommandError(
                "this is a site, not a host; its hosts are " + listed(hosts, atMost: 8),
                place: path, remedy: "name one of them: \(path)/\(first)", status: .usage)
        }
        if name == "teams" || name == "well-known" {
            throw CommandError(
                "this folder is inside a host folder", place: path,
                remedy: "name the host's folder: the one above", status: .usage)
        }
        if let problem = HostName.problem(of: name) { throw notHost(problem) }
    }

    private func notHost(_ problem: HostName.Problem) -> CommandError {
        CommandError(
            "this is not a host's folder: \(problem.message)", place: path,
            remedy: Self.isNearHostName(name)
                ? "rename the folder: \(problem.remedy)"
                : "name the folder of a host, such as site/example.com", status: .usage)
    }

    // MARK: Names and shapes of folders

    /// The name that makes a folder a host's, as in a site: its own, even if it is a link. The
    /// target of a link gives the name only where the path has none that is like a host's.
    static func name(of path: String) -> String {
        func last(_ path: String) -> String {
            path.split(separator: "/").last.map(String.init) ?? path
        }
        let own = last(path)
        if isNearHostName(own) { return own }
        let real = last(Files.resolved(path) ?? path)
        return isNearHostName(real) || own.allSatisfy { "./".contains($0) } ? real : own
    }

    /// Whether a name is that of a host with a dot, or is one but for its spelling: in capitals, in
    /// Unicode, or with a full stop at its end. `tmp.X3bQz9`, as mktemp makes them, is none.
    static func isNearHostName(_ name: String) -> Bool {
        let isWritten = name.split(separator: ".").allSatisfy { label in
            label == label.lowercased() || label == label.uppercased()
                || label.dropFirst() == label.dropFirst().lowercased()
        }
        return isWritten && (try? HostArgument.name(name, ""))?.contains(".") == true
    }

    /// Why the server does not take a folder for a host's that is meant as one by its name.
    static func nameProblem(_ name: String) -> HostName.Problem? {
        isNearHostName(name) ? HostName.problem(of: name) : nil
    }

    /// `teams/`, `well-known/`, `host.json` or a ready-made document make a folder a host's.
    static func isHost(_ entries: some Sequence<FolderEntry>) -> Bool {
        entries.contains { entry in
            switch entry.kind {
            case .folder: entry.name == "teams" || entry.name == "well-known"
            case .file, .other, nil:
                entry.name == "host.json" || entry.name == "apple-app-site-association"
            }
        }
    }

    /// Whether the folder has the shape of a host's.
    var isHost: Bool { Self.isHost(Self.entries(of: path)) }

    /// The names of the folders inside that have the shape of a host's: those of a site.
    var hosts: [String] {
        Self.entries(of: path).filter {
            $0.kind == .folder && Self.isHost(Self.entries(of: "\(path)/\($0.name)"))
        }.map(\.name)
    }

    private static func entries(of path: String) -> [FolderEntry] {
        (try? FileReading.entries(of: path, maximum: entriesMaximum)) ?? []
    }
}

extension HostSource {
    /// The document as `aasa serve` would publish it, and everything found on the way.
    func build() -> HostReview {
        HostReview(
            self, keepsOrigins: true, options: LintOptions(now: Int(WallClock.seconds)))
    }
}
