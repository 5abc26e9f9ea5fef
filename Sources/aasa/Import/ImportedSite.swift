import AASAServer
import AppSiteAssociation

/// What an import found, whatever it found it in: the document, siblings, and what could not be
/// taken over.
struct ImportedSite {
    /// The association document as it was served, and where it was found.
    var document: SourceText?
    /// Files of `/.well-known/`, by name.
    var siblings: [(name: String, bytes: [UInt8])] = []
    /// What is left for a person to do, one sentence each.
    var notes: [String] = []

    /// Names below `/.well-known/` that other systems give a meaning to, and that are asked for
    /// when a live host is imported.
    static let siblingNames = [
        "assetlinks.json", "webauthn", "security.txt", "passkey-endpoints",
        "apple-developer-merchantid-domain-association", "apple-developer-domain-association.txt",
    ]

    static let documentName = "apple-app-site-association"
}

/// The files of a host's folder, made of one document.
struct HostPlan {
    /// Paths below the host's folder, and their bytes.
    var files: [(path: String, bytes: [UInt8])] = []
    /// What a person should know.
    var notes: [String] = []

    /// - Throws: when the document is not JSON.
    init(_ site: ImportedSite, document source: SourceText) throws(JSONError) {
        let original = try AssociationFile(reading: source)
        let split = TeamSplit(original)
        notes = site.notes
        let fragments = split.parts.map { part in
            (team: part.team, bytes: JSONWriter.indented(part.root))
        }
        let difference = Self.difference(original, fragments)
        if split.homeless.isEmpty, !fragments.isEmpty, difference == nil {
            if fragments.count == 1 {
                // One team's document is its fragment already: its own bytes stay, blanks and all.
                files = [("teams/\(fragments[0].team).json", source.bytes)]
            } else {
                files = fragments.map { ("teams/\($0.team).json", $0.bytes) }
                files += Self.order(fragments.map(\.team))
            }
        } else {
            files = [(ImportedSite.documentName, source.bytes)]
            if !split.homeless.isEmpty {
                notes.append(
                    "the document is kept whole: these app IDs belong to no team: "
                        + split.homeless.joined(separator: ", "))
            } else if let difference {
                notes.append(
                    "the document is kept whole: divided by team it would not say the same: "
                        + difference)
            } else {
                notes.append("the document is kept whole: it names no app")
            }
        }
        files += site.siblings.map { ("well-known/\($0.name)", $0.bytes) }
    }

    /// The order of the teams, where it is not the alphabet's.
    private static func order(_ teams: [String]) -> [(path: String, bytes: [UInt8])] {
        if teams == teams.sorted() { return [] }
        let settings = JSONValue.object([("order", .list(teams.map { .text($0) }))])
        return [("host.json", JSONWriter.indented(settings))]
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
