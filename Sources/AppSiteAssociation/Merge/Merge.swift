/// One team's part of a host's document: an association file that names only this team's apps.
public struct Fragment: Sendable {
    /// The application identifier prefix of all apps in the fragment; usually the team ID.
    public let team: String
    /// The team's file.
    public let file: AssociationFile

    /// Creates a fragment from a team's prefix and its file.
    public init(team: String, file: AssociationFile) {
        self.team = team
        self.file = file
    }
}

/// The result of merging the fragments of a host.
public struct MergeResult: Sendable {
    /// A team's share of the 131,072 bytes that Apple reads.
    public struct TeamSize: Sendable, Hashable {
        /// The team's prefix.
        public let team: String
        /// The bytes of its apps and rules in the merged document.
        public let bytes: Int
    }

    /// The document to serve, minified; nil if ``diagnostics`` has an error.
    public let bytes: [UInt8]?
    /// The size of the whole document, even if it is too large to be served: the sum of
    /// ``teamSizes``, and what belongs to no single team.
    public let size: Int
    /// In the order of the fragments.
    public let teamSizes: [TeamSize]
    /// Problems of the fragments and conflicts between them; each conflict names both places.
    public let diagnostics: [Diagnostic]
    /// The origins of the document's parts; nil unless requested.
    public let origins: MergeOrigins?

    /// Whether ``diagnostics`` has an error.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

/// Merges the fragments of several teams into one document.
///
/// For every URL and every app the document decides the same as the app's own fragment: the
/// `defaults` and `substitutionVariables` of one team never affect the rules of another. If the
/// fragments differ, `applinks.defaults` move into the details (Apple: a detail's defaults take
/// precedence over those of `applinks`, key by key), and the team's ID is appended to the names of
/// variables that would conflict or leak.
///
/// The same fragments in the same order give the same bytes. Their order is the priority of the
/// teams if several apps claim a URL. Unknown services and members are kept.
public enum Merge {
    /// Merges the fragments of a host.
    ///
    /// - Parameters:
    ///   - fragments: one per team, in order of priority.
    ///   - keepsOrigins: whether to record the origin of each part; costs 24 bytes per value.
    public static func merge(
        _ fragments: [Fragment], keepsOrigins: Bool = false
    ) -> MergeResult {
        var diagnostics = fragments.flatMap(\.file.problems)
        diagnostics += TeamCheck.diagnostics(fragments)

        var generic = GenericMerge(fragments: fragments)
        let members = GenericMerge.Members(ofEach: fragments.map(\.file.document.root))
        // The documented services in Apple's order, then the others in order of appearance.
        let documented = AssociationFormat.services
        let services =
            documented.filter(members.keys.contains)
            + members.keys.filter { !documented.contains($0) }
        let root = OwnedNode.object(
            services.map { name in
                if name == "applinks" {
                    return OwnedNode.Member(
                        key: name, node: AppLinksMerge.node(fragments, &generic, &diagnostics))
                }
                return OwnedNode.Member(key: name, node: generic.merge(members[name], path: name))
            })
        diagnostics += generic.conflicts

        var writer = AttributedWriter(
            ownerCount: fragments.count, keepsOrigins: keepsOrigins)
        writer.write(root)
        let sizes = zip(fragments, writer.counts).map {
            MergeResult.TeamSize(team: $0.team, bytes: $1)
        }
        if writer.bytes.count > AssociationFile.bytesMaximum {
            diagnostics.append(tooLarge(writer.bytes.count, sizes, fragments))
        }
        let failed = diagnostics.contains { $0.severity == .error }
        return MergeResult(
            bytes: failed ? nil : writer.bytes, size: writer.bytes.count, teamSizes: sizes,
            diagnostics: diagnostics,
            origins: writer.records.map {
                MergeOrigins(records: $0, sources: fragments.map(\.file.source))
            })
    }

    private static func tooLarge(
        _ size: Int, _ sizes: [MergeResult.TeamSize], _ fragments: [Fragment]
    ) -> Diagnostic {
        let ranked = zip(sizes, shares(sizes, fragments)).sorted { $0.0.bytes > $1.0.bytes }
        return Diagnostic(
            code: "merge-too-large", severity: .error,
            message: "the merged document has \(size) bytes; Apple reads at most "
                + "\(AssociationFile.bytesMaximum)",
            remedy:
                "Shorten the largest fragments: one rule with wildcards or variables can "
                + "replace a long list of paths.",
            file: ranked.first?.1.file ?? "", related: ranked.map(\.1))
    }

    /// How many bytes of the merged document each fragment takes.
    static func shares(
        _ sizes: [MergeResult.TeamSize], _ fragments: [Fragment]
    ) -> [Diagnostic.Related] {
        zip(sizes, fragments).map {
            Diagnostic.Related(
                message: "team \($0.team) uses \($0.bytes) bytes", file: $1.file.source.name)
        }
    }
}

/// A part of the merged document with its fragment.
enum OwnedNode {
    struct Member {
        let key: String
        let node: OwnedNode
    }

    /// A value from the fragment `source`; a value of several fragments has no owner.
    case value(JSONValue, owner: Int?, source: Int)
    case array([OwnedNode])
    case object([Member])
}

/// Writes the merged document and counts the bytes of each owner.
struct AttributedWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var counts: [Int]
    private let origins: OriginRecorder?

    init(ownerCount: Int, keepsOrigins: Bool = false) {
        counts = Array(repeating: 0, count: ownerCount)
        origins = keepsOrigins ? OriginRecorder() : nil
    }

    /// The origins of the values; nil unless requested.
    var records: [MergeOrigins.Record]? { origins?.records }

    mutating func write(_ node: OwnedNode) {
        switch node {
        case .value(let value, _, let source):
            origins?.fragment = source
            JSONWriter.append(value, to: &bytes, .minified, indent: nil, origins)
        case .array(let elements): write(elements.map { (nil, $0) }, between: "[", "]")
        case .object(let members): write(members.map { ($0.key, $0.node) }, between: "{", "}")
        }
    }

    /// To the owner of a value belong its key and the comma before it, too.
    private mutating func write(
        _ parts: [(key: String?, node: OwnedNode)], between open: Unicode.Scalar,
        _ close: Unicode.Scalar
    ) {
        bytes.append(UInt8(ascii: open))
        for (index, (key, node)) in parts.enumerated() {
            let start = bytes.count
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            if let key {
                JSONWriter.append(string: key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
            }
            write(node)
            if case .value(_, let owner?, _) = node { counts[owner] += bytes.count - start }
        }
        bytes.append(UInt8(ascii: close))
    }
}
