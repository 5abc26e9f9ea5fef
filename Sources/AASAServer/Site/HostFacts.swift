/// What is known about a served host, for people: the start-up table, the status page, metrics.
package struct HostFacts: Sendable {
    /// Who has apps in the document.
    package struct Team: Sendable, Equatable {
        /// The application identifier prefix.
        package let identifier: String
        /// Different application identifiers of the team, over all services.
        package let apps: Int
        /// Bytes of the team's share in the rendered document; 0 where it is not known (a
        /// ready-made file).
        package let bytes: Int

        package init(identifier: String, apps: Int, bytes: Int) {
            self.identifier = identifier
            self.apps = apps
            self.bytes = bytes
        }
    }

    /// Where the document comes from.
    package enum Source: String, Sendable {
        /// Merged from `teams/*.json`.
        case fragments
        /// The file `apple-app-site-association`, served as it is.
        case readyMade
        /// None of the two could be used.
        case none
    }

    package var source: Source
    package var form: AssociationForm
    package var teams: [Team]
    /// Different application identifiers over all teams.
    package var apps: Int
    /// Size of the JSON document; of at most 131,072.
    package var documentBytes: Int
    /// Size of the CMS form, where one is served.
    package var signedBytes: Int?
    /// The life of the signature's certificate, in seconds since 1970.
    package var signatureBegins: Int64?
    package var signatureEnds: Int64?
    /// Set while an older document than the one on disk is served, or none: why.
    package var problem: String?

    package init(
        source: Source = .none, form: AssociationForm = .json, teams: [Team] = [], apps: Int = 0,
        documentBytes: Int = 0, signedBytes: Int? = nil, signatureBegins: Int64? = nil,
        signatureEnds: Int64? = nil,
        problem: String? = nil
    ) {
        self.source = source
        self.form = form
        self.teams = teams
        self.apps = apps
        self.documentBytes = documentBytes
        self.signedBytes = signedBytes
        self.signatureBegins = signatureBegins
        self.signatureEnds = signatureEnds
        self.problem = problem
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
