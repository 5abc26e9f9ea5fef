package import OpenSSL

/// The operator's settings for renewals.
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
    /// Key types: always ECDSA, and RSA if requested.
    package var keys: [CertificateTemplate.Key] = [.ecdsaP256]
    /// How the authority validates the names.
    package var challenge = ChallengeKind.tlsALPN01
    /// Whether to omit a name that fails, so that the others get their certificate.
    package var leavesFailingNamesOut = false
    /// Whether machines that may have another revision of the site use the same certificates.
    package var isShared = false

    package init(authorities: [Authority]) { self.authorities = authorities }
}

/// A certificate that the site needs.
package struct WantedCertificate: Sendable, Hashable {
    package let folder: String
    /// The host first, then its aliases.
    package let names: [String]

    /// Maximum of names that public authorities put into a certificate.
    package static let namesMaximum = 100

    /// The certificates for the names of a folder: what does not fit into the first one gets
    /// others, each in the folder of its own first name, where a server that looks for a
    /// certificate for a name finds it.
    ///
    /// - Parameter taken: folders of other certificates; a name that has one has that.
    package static func covering(
        _ names: [String], folder: String, taken: Set<String> = []
    ) -> [WantedCertificate] {
        let first = WantedCertificate(folder: folder, names: Array(names.prefix(namesMaximum)))
        let rest = names.dropFirst(namesMaximum).filter { !taken.contains($0) }
        return [first]
            + stride(from: 0, to: rest.count, by: namesMaximum).map { start in
                let names = Array(rest[start..<min(start + namesMaximum, rest.count)])
                return WantedCertificate(folder: names[0], names: names)
            }
    }
}

/// The content of a certificate folder.
package enum FolderContent: Sendable, Hashable {
    case empty
    /// Created or changed by others: why aasa does not manage it.
    case foreign(String)
    /// Created by us; one of the key types may be missing.
    case ours(ecdsa: CertificateFacts?, rsa: CertificateFacts?)
}

/// The state of a certificate, for people and for the next decision.
package enum LineageStatus: Sendable, Hashable {
    /// Managed by others: the reason why aasa does not manage it.
    case foreign(String)
    /// The time of the next renewal (seconds since 1970).
    case good(renewal: Int64)
    /// To be ordered now, with the reason.
    case due(String)
}

/// Decides on the state of a certificate.
package enum LineageDecision {
    /// Seconds until a certificate is tried again with the omitted names.
    static let wholeAgain: Int64 = 86_400

    /// Whether that time has come; a clock that was far ahead does not delay it indefinitely.
    static func wantsWhole(_ record: CertificateRecord, now: Int64) -> Bool {
        now - record.lastErrorAt > wholeAgain || record.lastErrorAt > now
    }

    /// - Parameters:
    ///   - names: the names to order now, without the omitted ones.
    ///   - now: seconds since 1970.
    package static func standing(
        of id: LineageID, names: [String], content: FolderContent, record: CertificateRecord,
        now: Int64
    ) -> LineageStatus {
        let facts: CertificateFacts
        switch content {
        case .foreign(let why): return .foreign(why)
        case .empty: return .due("there is none yet")
        case .ours(let ecdsa, let rsa):
            guard let found = id.isRSA ? rsa : ecdsa else {
                return .due("there is none yet")
            }
            facts = found
        }
        let missing = names.filter { !covers(facts.names, $0) }
        if let first = missing.first { return .due("it does not cover \(first)") }
        let isWindowOurs = record.window != nil && record.windowOf == facts.identifier
        let time = RenewalSchedule.time(
            facts, window: isWindowOurs ? record.window : nil, spread: id.spread)
        if now < time { return .good(renewal: time) }
        return .due(
            isWindowOurs && now < RenewalSchedule.ownTime(facts, spread: id.spread)
                ? "the authority asks for it" : "its renewal is due")
    }

    /// The names to order where machines with other revisions of the site use the same certificate:
    /// those of a channel, or one that lags behind. A certificate that lacks a name is ordered with
    /// the names that it has as well, so that both sides are content at once. Each with its own
    /// names alone would take the other's away, and they would order against each other
    /// indefinitely. A name that no channel uses any more is dropped when its time has come.
    ///
    /// A name of the others that is no longer validated must not keep ours out: after a failure our
    /// own are ordered. A larger order that has begun is completed: its certificate may be there.
    static func joined(
        _ names: [String], with facts: CertificateFacts, record: CertificateRecord, now: Int64
    ) -> [String] {
        guard names.contains(where: { !covers(facts.names, $0) }),
            now < RenewalSchedule.ownTime(facts, spread: record.id.spread)
        else { return names }
        let all = names + facts.names.filter { !names.contains($0) }
        guard all.count <= WantedCertificate.namesMaximum else { return names }
        let begun = record.order.flatMap { $0.url == nil ? nil : Set($0.names) }
        return record.failures == 0 || begun == Set(all) ? all : names
    }

    /// Matches exact names, and `*.` for one label.
    package static func covers(_ names: [String], _ name: String) -> Bool {
        if names.contains(name) { return true }
        guard let dot = name.firstIndex(of: ".") else { return false }
        return names.contains("*" + name[dot...])
    }
}
