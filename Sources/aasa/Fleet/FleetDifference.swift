import AASAFleet
import AASAServer
import AppSiteAssociation
import Reactor

/// One of the two sides of a comparison: a list of files, and their bytes on demand.
struct FleetSide {
    let list: FileList?
    let content: (Set<String>) throws -> [String: [UInt8]]
}

extension FleetSide {
    /// A revision in the store; nil: nothing at all.
    init(revision: RevisionID?, store: FleetStore) throws(FleetError) {
        guard let revision else {
            self.init(list: nil) { _ in [:] }
            return
        }
        let list = try store.list(of: store.record(revision))
        self.init(list: list) { hashes in
            var found: [String: [UInt8]] = [:]
            let wanted = list.files.filter { hashes.contains($0.hash) }
            try store.read(wanted, "revision \(revision.number)") { file, bytes in
                found[file.hash] = try? bytes.get()
            }
            return found
        }
    }
}

/// What changed between two revisions: the documents in meaning, everything else by file.
struct FleetDifference {
    private(set) var lines: [String] = []

    init(from before: FleetSide, to after: FleetSide) throws {
        let old = Self.table(before)
        let new = Self.table(after)
        var hosts: Set<String> = []
        for path in Set(old.keys).union(new.keys).sorted() where old[path] != new[path] {
            let parts = path.split(separator: "/").map(String.init)
            if Self.isPartOfDocument(parts) {
                hosts.insert(parts[1])
                continue
            }
            lines.append("\(old[path] == nil ? "+" : new[path] == nil ? "-" : "~") \(path)")
        }
        for host in hosts.sorted() {
            lines += try Self.document(of: host, before, after)
        }
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
        let folder = try TrialFolder()
        defer { folder.remove() }
        let sides = try [("before", before), ("after", after)].map { place, side in
            try write(host, side, below: "\(folder.path)/\(place)")
        }
        var lines = [host]
        guard let old = sides[0] else {
            return lines + ["  the host is new"]
        }
        guard let new = sides[1] else { return lines + ["  the host is gone"] }
        do throws(CommandError) {
            let a = try AssociationInput.load(old)
            let b = try AssociationInput.load(new)
            let report = DiffReport(
                before: a, after: b, changes: AssociationDiff.diff(a.file, b.file), samples: nil,
                links: nil)
            let text = report.text
            lines +=
                text.isEmpty
                ? ["  the document says the same"]
                : text.split(whereSeparator: \.isNewline).map { line in
                    "  "
                        + line.split(separator: "\(folder.path)/", omittingEmptySubsequences: false)
                        .joined()
                }
        } catch {
            lines.append("  cannot be compared: \(error.problem.cause)")
        }
        return lines
    }

    /// Nil: the side has no such host.
    private static func write(
        _ host: String, _ side: FleetSide, below folder: String
    ) throws -> String? {
        let prefix = "\(FileList.site)/\(host)/"
        let files = (side.list?.files ?? []).filter { $0.path.hasPrefix(prefix) }
        if files.isEmpty { return nil }
        let contents = try side.content(Set(files.map(\.hash)))
        for file in files {
            guard let bytes = contents[file.hash] else { continue }
            let path = "\(folder)/\(file.path.dropFirst(FileList.site.count + 1))"
            let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            try Files.makeFolder(parent.joined(separator: "/"))
            try Files.create(path, with: bytes, mode: 0o600)
        }
        return "\(folder)/\(host)"
    }
}
