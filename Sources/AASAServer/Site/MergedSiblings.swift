import AppSiteAssociation

/// The siblings that are merged from the teams' parts, if no hand-written file replaces them.
struct MergedSiblings {
    private(set) var siblings: [SiblingSource] = []
    /// By name below `well-known/`; such a sibling keeps its last good state.
    private(set) var problems: [String: [Diagnostic]] = [:]
    /// Parts that are not used, and doubtful points of those that are.
    private(set) var warnings: [Diagnostic] = []

    /// - Parameters:
    ///   - host: the host's folder, for messages.
    ///   - written: the siblings in `well-known/`; they are served as they are.
    ///   - types: media types of `host.json`.
    init(
        _ parts: [SiblingPart], order: [Located<String>], host: String, written: Set<String>,
        types: [String: String]
    ) {
        for kind in SiblingPart.Kind.allCases {
            let name = kind.rawValue
            let parts = FragmentOrder.sorted(parts.filter { $0.kind == kind }, by: order)
            guard let first = parts.first else { continue }
            guard !written.contains(name) else {
                warnings.add(
                    "site-sibling-twice", as: .warning,
                    "\(name) is served from well-known/, and the teams' parts of it are not served",
                    remedy: "move it into the teams' files, or delete the teams' parts",
                    at: first.source.name,
                    related: [
                        .init(
                            message: "the file that is served",
                            file: "\(host)/well-known/\(name)")
                    ])
                continue
            }
            let (document, found) = SiblingMerge.merge(
                parts, name: "\(host)/teams/*\(kind.ending)")
            // A problem keeps the last good document; a warning goes with the new one.
            if document == nil { problems[name] = found } else { warnings += found }
            guard let document else { continue }
            let size = document.bytes.count
            if size > SiteLimits.siblingBytesMaximum {
                problems[name, default: []].add(
                    "site-sibling-refused",
                    "\(name) has \(size) bytes in total; at most \(SiteLimits.siblingBytesMaximum) are served",
                    remedy: "remove statements that no app needs", at: document.name)
                continue
            }
            siblings.append(
                SiblingSource(
                    name: name, source: document,
                    mediaType: types[name]
                        ?? SiblingCatalog.mediaType(of: name, bytes: document.bytes),
                    isMerged: true))
        }
    }
}
