import AASAServer
import AppSiteAssociation

/// What an import found: the document, siblings, and what could not be taken over.
struct ImportedSite {
    static let documentName = "apple-app-site-association"

    /// The association document as it was served, and where it was found.
    var document: SourceText?
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

    init(
        _ site: ImportedSite, _ original: AssociationFile, source: SourceText, aliases: [String]
    ) {
        let split = TeamSplit(original)
        notes = site.notes
        let fragments = split.parts.map { part in
            (team: part.team, bytes: JSONWriter.indented(part.root))
        }
        let difference = Self.difference(original, fragments)
        var order: [String] = []
        if split.homeless.isEmpty, !fragments.isEmpty, difference == nil {
            if fragments.count == 1 {
                // One team's document is its fragment already: its own bytes stay, blanks and all.
                files = [("teams/\(fragments[0].team).json", source.bytes)]
            } else {
                files = fragments.map { ("teams/\($0.team).json", $0.bytes) }
                order = fragments.map(\.team)
            }
        } else {
            files = [(ImportedSite.documentName, source.bytes)]
            if !split.homeless.isEmpty {
                notes.append(
                    "the document is kept whole: these app IDs belong to no team: "
                        + split.homeless.joined(separator: ", "))
            } else if let difference {
                notes.append(
                    "the document is kept whole: split by team, its meaning would change: "
                        + difference)
            } else {
                notes.append("the document is kept whole: it names no app")
            }
        }
        files += Self.settings(order: order, aliases: aliases)
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

    /// The first difference of meaning between the document and its merged fragments; nil: none.
    private static func difference(
        _ original: AssociationFile, _ fragments: [(team: String, bytes: [UInt8])]
    ) -> String? {
        var parts: [Fragment] = []
        for (team, bytes) in fragments {
            let source = SourceText(name: "teams/\(team).json", bytes: bytes)
            guard let file = try? AssociationFile(reading: source) else {
                return "\(source.name) cannot be read again"
            }
            parts.append(Fragment(team: team, file: file))
        }
        let merged = Merge.merge(parts)
        guard let bytes = merged.bytes else {
            return merged.diagnostics.first { $0.severity == .error }?.message
                ?? "the fragments cannot be merged"
        }
        guard
            let again = try? AssociationFile(reading: SourceText(name: "merged", bytes: bytes))
        else { return "the merged document cannot be read" }
        return AssociationDiff.diff(original, again).first.map(String.init(describing:))
    }
}
