/// The device's store of shared web credentials, with the API for apps (*Shared Web Credentials*).
///
/// A value: the user's choices are inputs, and whether a site is associated is a parameter. One
/// call runs at a time, as on the device, whose sheet is modal.
package struct SharedCredentials: Sendable, Hashable {
    package struct Credential: Sendable, Hashable {
        package let site: String
        package let account: String
        package var password: String

        package init(site: String, account: String, password: String) {
            self.site = site
            self.account = account
            self.password = password
        }
    }

    /// A prompt for the user.
    package enum Question: Sendable, Hashable {
        /// "Update the password of … for …?"
        case update(site: String, account: String)
        /// "Delete the password of … for …?"
        case delete(site: String, account: String)
        /// A list to choose from.
        case choose([Credential])
    }

    /// The user's reaction.
    package enum Choice: Sendable, Hashable {
        case allow
        case refuse
        case pick(account: String)
    }

    /// The errors that an app receives, by their names in Security.framework.
    package enum Failure: String, Error, Sendable, Hashable {
        /// The site does not list the app, or the entitlement does not name the site.
        case notAssociated = "not-associated"
        /// errSecItemNotFound
        case itemNotFound = "item-not-found"
        /// errSecUserCanceled: the user declined to update or delete
        case cancelled
    }

    package enum Step: Sendable, Hashable {
        case ask(Question)
        case added
        case updated
        case deleted
        case found(Credential)
        /// "Not Now": no error, and no credential (observed twice; not documented by Apple).
        case declined
        case failed(Failure)
        /// There was no prompt to answer.
        case none
    }

    private enum State: Sendable, Hashable {
        case idle
        case updating(Credential)
        case deleting(site: String, account: String)
        case choosing([Credential])
    }

    private var state = State.idle
    package private(set) var credentials: [Credential]

    package init(_ credentials: [Credential] = []) { self.credentials = credentials }

    /// `SecAddSharedWebCredential`: adds without a prompt, updates and deletes with the user's
    /// consent.
    ///
    /// - Parameters:
    ///   - password: nil deletes.
    ///   - isAssociated: whether site and app are associated.
    package mutating func add(
        site: String, account: String, password: String?, isAssociated: Bool
    ) -> Step {
        guard isAssociated else { return .failed(.notAssociated) }
        let known = credentials.contains { $0.site == site && $0.account == account }
        guard let password else {
            if !known { return .failed(.itemNotFound) }
            state = .deleting(site: site, account: account)
            return .ask(.delete(site: site, account: account))
        }
        let credential = Credential(site: site, account: account, password: password)
        if credentials.contains(credential) { return .updated }
        if known {
            state = .updating(credential)
            return .ask(.update(site: site, account: account))
        }
        credentials.append(credential)
        return .added
    }

    /// `SecRequestSharedWebCredential`: the user picks a matching credential.
    ///
    /// - Parameters:
    ///   - sites: the associated sites to search: one, or all of the entitlement.
    ///   - account: only this account; nil for all.
    package mutating func request(sites: [String], account: String?) -> Step {
        if sites.isEmpty { return .failed(.notAssociated) }
        let fitting = credentials.filter {
            sites.contains($0.site) && (account == nil || $0.account == account)
        }
        if fitting.isEmpty { return .failed(.itemNotFound) }
        state = .choosing(fitting)
        return .ask(.choose(fitting))
    }

    /// The user's answer to the current prompt.
    package mutating func answered(_ choice: Choice) -> Step {
        defer { state = .idle }
        switch (state, choice) {
        case (.idle, _): return .none
        case (.choosing, .refuse): return .declined
        // The error is not documented; this is the one that the framework defines for it.
        case (.updating, .refuse), (.deleting, .refuse), (.updating, .pick), (.deleting, .pick):
            return .failed(.cancelled)
        case (.updating(let credential), .allow):
            credentials.removeAll { $0.site == credential.site && $0.account == credential.account }
            credentials.append(credential)
            return .updated
        case (.deleting(let site, let account), .allow):
            credentials.removeAll { $0.site == site && $0.account == account }
            return .deleted
        case (.choosing(let list), .allow):
            // The sheet's button confirms the selection: the first.
            return list.first.map { .found($0) } ?? .failed(.itemNotFound)
        case (.choosing(let list), .pick(let account)):
            return list.first { $0.account == account }.map { .found($0) } ?? .declined
        }
    }
}

/// `SecCreateSharedWebCredentialPassword`: four groups of three, easy to read and to type.
package enum GeneratedPassword {
    /// Without characters that are easily confused.
    private static let characters = Array("abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789")

    package static func make(using random: inout some RandomNumberGenerator) -> String {
        (0..<4).map { _ in
            String((0..<3).map { _ in characters.randomElement(using: &random) ?? "x" })
        }.joined(separator: "-")
    }
}
