import AASAFleet
import AASAServer
import AppSiteAssociation

/// One of the two sides of a comparison: a list of files, and their bytes on demand, by path.
struct FleetSide {
    let list: FileList?
    let content: ([RevisionFile]) throws -> [String: [UInt8]]
}

extension FleetSide {
    /// A revision in the store; nil: nothing at all.
    init(revision: RevisionID?, store: FleetStore) throws(FleetError) {
        guard let revision else {
            self.init(list: nil) { _ in [:] }
            return
        }
        let list = try store.list(of: store.record(revision))
        self.init(list: list) { files in
            var found: [String: [UInt8]] = [:]
            try store.read(files, "revision \(revision.number)") { file, bytes in
                found[file.path] = try? bytes.get()
            }
            return found
        }
    }

    /// A host's folder, as messages name it; nil: the side has no such host.
    fileprivate func host(_ name: String, in place: String) throws -> HostSource? {
        let prefix = "\(FileList.site)/\(name)/"
        let files = (list?.files ?? []).filter { $0.path.hasPrefix(prefix) }
        if files.isEmpty { return nil }
        let contents = try content(files)
        var tree: [String: [UInt8]] = [:]
        for file in files {
            tree[String(file.path.dropFirst(prefix.count))] = contents[file.path]
        }
        return HostSource(HostTree(name: name, place: "\(place)/\(name)", files: tree))
    }
}

/// What changed between two revisions: the documents in meaning, everything else by file.
enum FleetDifference {
    static func lines(from before: FleetSide, to after: FleetSide) throws -> [String] {
        var lines: [String] = []
        let old = table(before)
        let new = table(after)
        var hosts: Set<String> = []
        for path in Set(old.keys).union(new.keys).sorted() where old[path] != new[path] {
            let parts = path.split(separator: "/").map(String.init)
            if isPartOfDocument(parts) {
                hosts.insert(parts[1])
                continue
            }
            lines.append("\(old[path] == nil ? "+" : new[path] == nil ? "-" : "~") \(path)")
        }
        for host in hosts.sorted() {
            lines += try document(of: host, before, after)
        }
        return lines
    }

    private static func table(_ side: FleetSide) -> [String: String] {
        Dictionary(
            (side.list?.files ?? []).map { ($0.path, $0.hash) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Fragments, the ready-made document and the settings make the document.
    private static func isPartOfDocument(_ parts: [String]) -> Bool {
        guard parts.count >= 3, parts[0] == FileList.site else { return false }
        return parts[2] == "teams" || parts[2] == "apple-app-site-association"
            || parts[2] == "host.json"
    }

    /// The documents of a host, built as the server builds them.
    private static func document(
        of host: String, _ before: FleetSide, _ after: FleetSide
    ) throws -> [String] {
        guard let old = try before.host(host, in: "before") else {
            return [host, "  the host is new"]
        }
        guard let new = try after.host(host, in: "after") else {
            return [host, "  the host is gone"]
        }
        do throws(CommandError) {
            let (old, new) = (try AssociationInput(old), try AssociationInput(new))
            let text = DiffReport(
                before: old, after: new, changes: AssociationDiff.diff(old.file, new.file),
                samples: nil, links: nil
            ).text
            if text.isEmpty { return [host, "  the document says the same"] }
            return [host] + text.split(whereSeparator: \.isNewline).map { "  " + $0 }
        } catch {
            return [host, "  cannot be compared: \(error.problem.cause)"]
        }
    }
}
