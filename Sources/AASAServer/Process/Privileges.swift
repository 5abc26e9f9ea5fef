package import Reactor

/// Gives up root, after binding and reading keys and before the first client. The order leaves no
/// way back: first no new privileges by exec, then groups, group, user.
package enum Privileges {
    /// `USER` or `USER:GROUP`, by name or number.
    package static func drop(to user: String) throws(Problem) {
        let account = try permitted(user)
        if CurrentProcess.user != 0 { return }
        try Problem.explaining(try account.assume()) { (error: SystemError) in
            Problem(.userFailed, at: "--user", user, error.reason)
        }
        // A process that can become root again has not given up root.
        guard account.user == 0 || !UserAccount.becomesRootAgain() else {
            throw Problem(.rootRegained, at: "--user", user)
        }
    }

    /// - Throws: if there is no such user or group, or this process may not become it.
    @discardableResult
    static func permitted(_ user: String) throws(Problem) -> UserAccount {
        let account = try identity(user)
        if CurrentProcess.user != 0, CurrentProcess.user != account.user {
            throw Problem(.onlyRoot, at: "--user", user)
        }
        return account
    }

    /// The user and group of `--user`; nil if there is no such user: `drop` reports that.
    package static func owner(_ user: String?) -> Files.Owner? {
        user.flatMap { try? named($0) }
    }

    /// The user and group that a text names.
    ///
    /// - Throws: if there is no such user or group.
    package static func named(_ user: String) throws(Problem) -> Files.Owner {
        let account = try identity(user)
        return Files.Owner(user: account.user, group: account.group)
    }

    /// No program started from now on can gain a privilege. The setting applies to the calling
    /// thread and to those that it starts (prctl(2)), so call this before the first thread starts.
    package static func forbidMore() throws(Problem) {
        try Problem.explaining(try ProcessLimits.forbidNewPrivileges()) { (error: SystemError) in
            Problem(.noLimitToPrivileges, at: "--user", error.description)
        }
    }

    private static func identity(_ text: String) throws(Problem) -> UserAccount {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, !parts.contains(""), let first = parts.first else {
            throw Problem(.userForm, at: "--user", text)
        }
        guard var account = UserAccount(first) else {
            throw Problem(.noUser, at: "--user", first, first)
        }
        if parts.count == 2 {
            guard let group = UserAccount.group(parts[1]) else {
                throw Problem(.noGroup, at: "--user", parts[1], parts[1])
            }
            account.group = group
        }
        return account
    }
}
