import AppSiteAssociation

extension HostSource {
    /// Adds the siblings that are merged from the teams' parts. Those in `well-known/` are served
    /// as they are, and replace them.
    mutating func mergeSiblings() {
        for kind in SiblingPart.Kind.allCases {
            let name = kind.rawValue
            let parts = FragmentOrder.sorted(
                siblingParts.filter { $0.kind == kind }, by: settings.order, team: \.team)
            guard let first = parts.first else { continue }
            guard !siblings.contains(where: { $0.name == name }) else {
                problems.document.add(
                    "site-sibling-twice", as: .warning,
                    "\(name) is served from well-known/, and the teams' parts of it are not served",
                    remedy: "move it into the teams' files, or delete the teams' parts",
                    at: first.source.name,
                    related: [
                        .init(
                            message: "the file that is served",
                            file: "\(tree.place)/well-known/\(name)")
                    ])
                continue
            }
            let (document, found) = SiblingMerge.merge(
                parts, name: "\(tree.place)/teams/*\(kind.ending)")
            // A problem keeps the last good document; a warning goes with the new one.
            guard let document else {
                problems.siblings[name, default: []] += found
                continue
            }
            problems.document += found
            let size = document.bytes.count
            if size > SiteLimits.siblingBytesMaximum {
                problems.siblings[name, default: []].add(
                    "site-sibling-refused",
                    "\(name) has \(size) bytes in total; at most \(SiteLimits.siblingBytesMaximum) are served",
                    remedy: "remove statements that no app needs", at: document.name)
                continue
            }
            siblings.append(
                SiblingSource(
                    name: name, source: document, mediaType: mediaType(of: name, document.bytes),
                    isMerged: true))
        }
    }
}
