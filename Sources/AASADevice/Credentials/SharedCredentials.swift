/// The device's store of shared web credentials, with the API for apps (*Shared Web Credentials*).
///
/// A value: the user's choices are inputs, and whether a site is associated is a parameter. A call
/// ends with the user's answer to its prompt, as on the device, whose sheet is modal.
package struct SharedCredentials: Sendable, Hashable {
    package struct Credential: Sendable, Hashable {
        package let site: String
        package let account: String
        package var password: String
    }

    /// The user's reaction.
    package enum Choice: Sendable, Hashable {
        case allow
        case refuse
        case pick(account: String)
    }

    /// What a call ends with, by its word in a scenario.
    package enum Outcome: String, Sendable {
        case added
        case updated
        case deleted
        case found
        /// "Not Now": no error, and no credential (observed twice; not documented by Apple).
        case declined
        /// The site does not list the app, or the entitlement does not name the site.
        case notAssociated = "not-associated"
        /// errSecItemNotFound
        case itemNotFound = "item-not-found"
        /// errSecUserCanceled: the user declined to update or delete
        case cancelled
    }

    package private(set) var credentials: [Credential]

    package init(_ credentials: [Credential] = []) { self.credentials = credentials }

    /// `SecAddSharedWebCredential`: adds without a prompt, updates and deletes with the user's
    /// consent.
    ///
    /// - Parameters:
    ///   - password: nil deletes.
    ///   - isAssociated: whether site and app are associated.
    ///   - choose: the user's answer to a prompt, which says what the user does.
    package mutating func add(
        site: String, account: String, password: String?, isAssociated: Bool,
        choose: (String) -> Choice
    ) -> Outcome {
        guard isAssociated else { return .notAssociated }
        let known = credentials.firstIndex { $0.site == site && $0.account == account }
        guard let password else {
            guard let known else { return .itemNotFound }
            // The error is not documented; this is the one that the framework defines for it.
            let prompt = "is asked to delete the password of \(account) for \(site)"
            if choose(prompt) != .allow { return .cancelled }
            credentials.remove(at: known)
            return .deleted
        }
        let credential = Credential(site: site, account: account, password: password)
        if credentials.contains(credential) { return .updated }
        guard let known else {
            credentials.append(credential)
            return .added
        }
        let prompt = "is asked to update the password of \(account) for \(site)"
        if choose(prompt) != .allow { return .cancelled }
        credentials[known] = credential
        return .updated
    }

    /// `SecRequestSharedWebCredential`: the user picks a matching credential.
    ///
    /// - Parameters:
    ///   - sites: the associated sites to search: one, or all of the entitlement.
    ///   - account: only this account; nil for all.
    ///   - choose: the user's answer to the list.
    package func request(
        sites: [String], account: String?, choose: (String) -> Choice
    ) -> (credential: Credential?, outcome: Outcome) {
        if sites.isEmpty { return (nil, .notAssociated) }
        let fitting = credentials.filter {
            sites.contains($0.site) && (account == nil || $0.account == account)
        }
        guard let first = fitting.first else { return (nil, .itemNotFound) }
        let names = fitting.map { "\($0.account) (\($0.site))" }.joined(separator: ", ")
        let credential: Credential? =
            switch choose("sees \(names)") {
            case .refuse: nil
            // The sheet's button confirms the selection: the first.
            case .allow: first
            case .pick(let account): fitting.first { $0.account == account }
            }
        return (credential, credential == nil ? .declined : .found)
    }
}

/// `SecCreateSharedWebCredentialPassword`: four groups of three, easy to read and to type.
package enum GeneratedPassword {
    /// Without characters that are easily confused.
    private static let characters = Array("abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789")

    package static func make() -> String {
        (0..<4).map { _ in
            String((0..<3).map { _ in characters.randomElement() ?? "x" })
        }.joined(separator: "-")
    }
}
