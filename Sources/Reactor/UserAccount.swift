import Glibc

/// A user as the machine knows it, and the group that a process of it works in (passwd(5),
/// group(5)). Looking one up blocks and is for one thread alone: at the start.
package struct UserAccount: Sendable, Hashable {
    package let user: UserID
    /// The user's own, unless another was asked for.
    package var group: GroupID
    package let name: String

    /// - Parameter text: a name, or the number of a user that has one; nil: there is none.
    package init?(_ text: String) {
        let entry = uid_t(text).map { getpwuid($0) } ?? getpwnam(text)
        guard let entry else { return nil }
        user = entry.pointee.pw_uid
        group = entry.pointee.pw_gid
        name = String(cString: entry.pointee.pw_name)
    }

    /// - Parameter text: a name, or any number; nil: there is no group of that name.
    package static func group(_ text: String) -> GroupID? {
        gid_t(text) ?? getgrnam(text)?.pointee.gr_gid
    }

    /// Makes this process one of this user, for good: groups, group and user, in the order that
    /// leaves no way back. For root alone: only then setgid(2) and setuid(2) set the real, the
    /// effective and the saved identity.
    package func assume() throws(SystemError) {
        guard initgroups(name, group) == 0 else { throw Self.failure("initgroups") }
        guard setgid(group) == 0 else { throw Self.failure("setgid") }
        guard setuid(user) == 0 else { throw Self.failure("setuid") }
    }

    private static func failure(_ call: String) -> SystemError {
        SystemError(call: call, number: errno)
    }

    /// Tries to become root again, and says whether that went: whoever can has not given it up.
    package static func becomesRootAgain() -> Bool { setuid(0) == 0 }
}
