package import AppSiteAssociation

/// The order in which the teams' parts are merged: as `order` in `host.json` says, then the others
/// in alphabetical order of their file names.
package enum FragmentOrder {
    /// - Returns: the fragments in order, and the teams of `order` that have none.
    package static func sorted(
        _ sources: [SourceText], by order: [Located<String>]
    ) -> (sources: [SourceText], unknown: [Located<String>]) {
        let sorted = sorted(sources, by: order) { ($0.name, DocumentBuilder.team(of: $0)) }
        let teams = Set(sources.map { DocumentBuilder.team(of: $0) })
        return (sorted, order.filter { !teams.contains($0.value) })
    }

    /// The teams' parts of a sibling in the same order.
    static func sorted(_ parts: [SiblingPart], by order: [Located<String>]) -> [SiblingPart] {
        sorted(parts, by: order) { ($0.source.name, $0.team) }
    }

    private static func sorted<Part>(
        _ parts: [Part], by order: [Located<String>],
        _ naming: (Part) -> (file: String, team: String)
    ) -> [Part] {
        let ranks = Dictionary(
            order.enumerated().map { ($0.element.value, $0.offset) }, uniquingKeysWith: min)
        return parts.map { (part: $0, name: naming($0)) }.sorted { left, right in
            let ranksOfBoth = (
                ranks[left.name.team] ?? Int.max, ranks[right.name.team] ?? Int.max
            )
            if ranksOfBoth.0 != ranksOfBoth.1 { return ranksOfBoth.0 < ranksOfBoth.1 }
            return left.name.file.utf8.lexicographicallyPrecedes(right.name.file.utf8)
        }.map(\.part)
    }
}

/// The role of a file in `teams/`, by its name.
package struct TeamFileName: Equatable {
    /// What it is read as.
    package enum Role: Equatable {
        /// `TEAM.json`
        case fragment
        /// `TEAM.links.csv`, `TEAM.links.json`
        case links
        /// `TEAM.assetlinks.json`, `TEAM.webauthn.json`
        case sibling(SiblingPart.Kind)
    }

    package let team: String
    package let role: Role

    /// Nil for a name that the server does not read.
    package init?(_ name: String) {
        let endings: [(String, Role)] =
            SiblingPart.Kind.allCases.map { ($0.ending, .sibling($0)) } + [
                (".links.csv", .links), (".links.json", .links), (".json", .fragment),
            ]
        guard let (ending, role) = endings.first(where: { name.hasSuffix($0.0) }),
            name.utf8.count > ending.utf8.count
        else { return nil }
        team = String(name.dropLast(ending.count))
        self.role = role
    }
}
