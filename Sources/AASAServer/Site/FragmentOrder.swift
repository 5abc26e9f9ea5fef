package import AppSiteAssociation

/// The order in which the teams' parts are merged: as `order` in `host.json` says, then the others
/// in alphabetical order of their file names.
enum FragmentOrder {
    /// - Parameter parts: in alphabetical order of their file names.
    static func sorted<Part>(
        _ parts: [Part], by order: [Located<String>], team: (Part) -> String
    ) -> [Part] {
        let byTeam = Dictionary(grouping: parts, by: team)
        let named = Set(order.map(\.value))
        return order.flatMap { byTeam[$0.value] ?? [] }
            + parts.filter { !named.contains(team($0)) }
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
