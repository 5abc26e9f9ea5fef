import OpenSSL

/// What is known about a served host, for people: the start-up table, the status page, metrics.
package struct HostFacts: Sendable {
    package static let unknown = HostFacts()

    /// A team with apps in the document.
    package struct Team: Sendable, Equatable {
        /// The application identifier prefix.
        package let identifier: String
        /// Different application identifiers of the team, over all services.
        package let apps: Int
        /// Bytes of the team's share in the rendered document; 0 where it is not known (a
        /// ready-made file).
        package let bytes: Int
    }

    /// A team whose apps are no longer in the document.
    package struct RemovedTeam: Sendable, Equatable {
        /// A day: long enough for an operator to see it at work.
        package static let shownSeconds: Int64 = 86_400

        package let team: String
        /// How many apps it had.
        package let apps: Int
        /// Seconds since 1970.
        package let since: Int64
    }

    package var form = AssociationForm.json
    package var teams: [Team] = []
    /// Different application identifiers over all teams.
    package var apps = 0
    /// Size of the JSON document; at most 131,072.
    package var documentBytes = 0
    /// Size of the CMS form, where one is served.
    package var signedBytes: Int?
    /// When the signature's certificate ends, in seconds since 1970.
    package var signatureEnds: Int64?
    /// Set while an older document than the one on disk is served, or none, or one without the
    /// signature that is asked for: the reason.
    package var problem: String?
    /// The suggested fix of ``problem``.
    package var fix: String?
    /// The folder holds nothing that makes it a host, and never did.
    package var isStray = false
    /// Since when something older than what is on disk is served, in seconds since 1970.
    package var keptSince: Int64?
    /// Teams whose apps were removed recently.
    package var removedTeams: [RemovedTeam] = []

    /// `serving the last good version since TIME, because PLACE: CAUSE`; nil if everything is
    /// served as on disk.
    package var kept: String? {
        guard let problem, let keptSince else { return nil }
        return
            "serving the last good version since \(DateText.moment(keptSince)), because \(problem)"
    }
}

/// In which form a host serves its document (`form` in `host.json`).
package enum AssociationForm: String, Sendable, CaseIterable {
    /// JSON for everyone: what iOS 9 and later read.
    case json
    /// CMS for everyone.
    case signed
    /// CMS for iOS 8, JSON for all others.
    case auto

    package var needsSignature: Bool { self != .json }
}
