package import AppSiteAssociation

/// A host's document, whole and checked: what is served, and what is known about it.
package struct HostDocument: Sendable {
    /// The bytes served as JSON.
    package let json: [UInt8]
    /// The same bytes, read: for the semantic diff and for counting apps.
    package let file: AssociationFile
    package let teams: [HostFacts.Team]
    package let apps: Int
    /// A ready-made file in its CMS form, served as it is.
    package var readySigned: HostSignature?
    /// Where the parts of a merged document were written; nil if not requested.
    private let origins: MergeOrigins?

    /// The place in a team's file from which bytes of the document come, or else in the document
    /// itself.
    package func place(of range: Range<Int>) -> (source: SourceText, range: Range<Int>) {
        origins?.place(of: range) ?? (file.source, range)
    }

    /// Counts teams and apps.
    /// - Parameter teamBytes: the share of each team, if known.
    package init(
        json: [UInt8], file: AssociationFile,
        teamBytes: [String: Int] = [:], readySigned: HostSignature? = nil,
        origins: MergeOrigins? = nil
    ) {
        self.json = json
        self.file = file
        self.readySigned = readySigned
        self.origins = origins
        let apps = Self.applicationIdentifiers(in: file)
        var byTeam = teamBytes.mapValues { _ in 0 }
        for app in apps { byTeam[String(app.prefix { $0 != "." }), default: 0] += 1 }
        self.apps = apps.count
        teams = byTeam.sorted { $0.key < $1.key }.map {
            HostFacts.Team(identifier: $0.key, apps: $0.value, bytes: teamBytes[$0.key] ?? 0)
        }
    }

    /// Every different application identifier of the documented services.
    package static func applicationIdentifiers(in file: AssociationFile) -> Set<String> {
        let listed = file.appLists.flatMap(\.apps)
        return Set((listed + (file.applinks?.details ?? []).flatMap(\.appIDs)).map(\.value))
    }
}
