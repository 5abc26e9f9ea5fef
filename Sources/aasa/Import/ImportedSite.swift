import AASAServer
import AppSiteAssociation

/// What an import found: the document, siblings, and what could not be taken over.
struct ImportedSite {
    static let documentName = "apple-app-site-association"

    /// The association document as it was served, and where it was found.
    let document: SourceText
    /// Files of `/.well-known/`, by name.
    private(set) var siblings: [(name: String, bytes: [UInt8])] = []
    /// What was there and is not in the result, one sentence each.
    var missing: [String] = []
    /// What a person should know, one sentence each.
    var notes: [String] = []

    /// Takes a file of `/.well-known/`, or reports why not.
    mutating func add(_ name: String, _ bytes: [UInt8], from place: String) {
        if let refusal = SiblingCatalog.refusal(of: name, bytes: bytes) {
            missing.append("\(place): \(refusal.cause); \(refusal.remedy)")
        } else {
            siblings.append((name, bytes))
        }
    }
}

/// The files of a host's folder, made of one document.
struct HostPlan {
    /// Paths below the host's folder, and their bytes.
    var files: [(path: String, bytes: [UInt8])] = []
    /// What a person should know.
    var notes: [String] = []

    init(_ site: ImportedSite, _ original: AssociationFile, aliases: [String]) {
        let split = TeamSplit(original)
        notes = site.notes
        let teams = split.parts.map(\.team)
        // One team's document is its fragment already: its own bytes stay, blanks and all.
        let fragments = split.parts.map { part in
            (
                path: "teams/\(part.team).json",
                bytes: teams.count == 1 ? site.document.bytes : JSONWriter.indented(part.root)
            )
        }
        files = fragments + Self.settings(order: teams, aliases: aliases)
        let obstacle: String? =
            if !split.homeless.isEmpty {
                "these app IDs belong to no team: " + split.homeless.joined(separator: ", ")
            } else if fragments.isEmpty {
                "it names no app"
            } else {
                Self.difference(original, files).map {
                    "split by team, its meaning would change: " + $0
                }
            }
        if let obstacle {
            notes.append("the document is kept whole: " + obstacle)
            files =
                [(ImportedSite.documentName, site.document.bytes)]
                + Self.settings(order: [], aliases: aliases)
        }
        files += site.siblings.map { ("well-known/\($0.name)", $0.bytes) }
    }

    /// `host.json`, where the order of the teams is not the alphabet's, or there are aliases.
    private static func settings(
        order: [String], aliases: [String]
    ) -> [(path: String, bytes: [UInt8])] {
        var members: [(String, JSONValue)] = []
        if !aliases.isEmpty { members.append(("aliases", .list(aliases.map { .text($0) }))) }
        if order != order.sorted() { members.append(("order", .list(order.map { .text($0) }))) }
        return members.isEmpty ? [] : [("host.json", JSONWriter.indented(.object(members)))]
    }

    /// The first difference of meaning between the document and what a host with these files
    /// serves; nil: none.
    private static func difference(
        _ original: AssociationFile, _ files: [(path: String, bytes: [UInt8])]
    ) -> String? {
        let files = Dictionary(files.map { ($0.path, $0.bytes) }) { first, _ in first }
        let host = HostSource(HostTree(name: "host", place: "host", files: files))
        let merge = Merge.merge(host.document.lintFiles(host: host.name).compactMap(\.fragment))
        guard let bytes = merge.bytes,
            let file = try? AssociationFile(reading: SourceText(name: "merged", bytes: bytes))
        else {
            return merge.diagnostics.first { $0.severity == .error }?.message
                ?? "the fragments cannot be merged"
        }
        return AssociationDiff.diff(original, file).first.map(String.init(describing:))
    }
}
