package import OpenSSL

/// What the operator wants of the renewals.
package struct RenewalSettings: Sendable {
    /// One authority, in the order of preference.
    package struct Authority: Sendable, Hashable {
        /// The directory's URL.
        package let directory: String
        package var externalAccount: ExternalAccount?

        package init(directory: String, externalAccount: ExternalAccount? = nil) {
            self.directory = directory
            self.externalAccount = externalAccount
        }
    }

    /// At least one.
    package var authorities: [Authority]
    /// `mailto:` URLs.
    package var contact: [String] = []
    package var agreesToTerms = false
    package var profile: String?
    /// Kinds of keys: ECDSA always, RSA beside it on request.
    package var keys: [CertificatePlan.Key] = [.ecdsaP256]
    /// The kinds of challenges that can be answered, the preferred one first.
    package var challenges: [ChallengeKind] = [.tlsALPN01]
    /// A name that fails alone is left out, so that the others have their certificate.
    package var leavesFailingNamesOut = false

    package init(authorities: [Authority]) { self.authorities = authorities }
}

/// A certificate that the site needs.
package struct WantedCertificate: Sendable, Hashable {
    package let folder: String
    /// The host first, its aliases behind it.
    package let names: [String]

    package init(folder: String, names: [String]) {
        self.folder = folder
        self.names = names
    }

    /// Public authorities put at most so many names into a certificate.
    package static let namesMaximum = 100
}

/// What lies in a certificate folder.
package enum FolderContent: Sendable, Hashable {
    case empty
    /// Somebody else put it there, or changed it: why it is left alone.
    case foreign(String)
    /// What we put there; one of the two kinds may be missing.
    case ours(ecdsa: CertificateFacts?, rsa: CertificateFacts?)
}

/// Where a certificate stands, for people and for the next decision.
package enum LineageStanding: Sendable, Hashable {
    /// Left alone: why.
    case foreign(String)
    /// Renewed at this moment (seconds since 1970).
    case good(renewal: Int64)
    /// To be ordered: why. `isFree`: a renewal that limits do not count.
    case due(String, isFree: Bool)
}

/// Where a certificate stands.
package enum LineageDecision {
    /// Seconds in which a certificate that lacks a name that was left out is tried whole again.
    static let wholeAgain: Int64 = 86_400

    /// - Parameters:
    ///   - names: that are wanted now, those left out taken away.
    ///   - now: seconds since 1970.
    package static func standing(
        of id: LineageID, names: [String], content: FolderContent, record: CertificateRecord,
        now: Int64
    ) -> LineageStanding {
        let facts: CertificateFacts
        switch content {
        case .foreign(let why): return .foreign(why)
        case .empty: return .due("there is none yet", isFree: false)
        case .ours(let ecdsa, let rsa):
            guard let found = id.isRSA ? rsa : ecdsa else {
                return .due("there is none yet", isFree: false)
            }
            facts = found
        }
        let missing = names.filter { !covers(facts.names, $0) }
        if let first = missing.first {
            return .due("it does not cover \(first)", isFree: false)
        }
        let isWindowOurs = record.window != nil && record.windowOf == facts.identifier
        let time = RenewalSchedule.time(
            facts, window: isWindowOurs ? record.window : nil, spread: id.spread)
        if now < time { return .good(renewal: time) }
        return .due(
            isWindowOurs && now < RenewalSchedule.ownTime(facts, spread: id.spread)
                ? "the authority asks for it" : "its time has come",
            isFree: isWindowOurs)
    }

    /// Exact names and `*.` of one label.
    package static func covers(_ names: [String], _ name: String) -> Bool {
        if names.contains(name) { return true }
        guard let dot = name.firstIndex(of: ".") else { return false }
        return names.contains("*" + name[dot...])
    }
}
