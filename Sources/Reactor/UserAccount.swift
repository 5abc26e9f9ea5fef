import Glibc

/// A user account with the group that its processes use (passwd(5), group(5)). The look-up blocks
/// and is not thread-safe: call it at the start.
package struct UserAccount: Sendable, Hashable {
    package let user: UserID
    /// The user's primary group, unless another was requested.
    package var group: GroupID
    package let name: String

    /// - Parameter text: a name, or the number of an existing user; nil if there is none.
    package init?(_ text: String) {
        let entry = uid_t(text).map { getpwuid($0) } ?? getpwnam(text)
        guard let entry else { return nil }
        user = entry.pointee.pw_uid
        group = entry.pointee.pw_gid
        name = String(cString: entry.pointee.pw_name)
    }

    /// - Parameter text: a name, or any number; nil if no group has that name.
    package static func group(_ text: String) -> GroupID? {
        gid_t(text) ?? getgrnam(text)?.pointee.gr_gid
    }

    /// Drops the privileges of this process permanently: supplementary groups, group, then user.
    /// For root only: only then setgid(2) and setuid(2) set the real, effective and saved identity.
    package func assume() throws(SystemError) {
        _ = try Syscall.call("initgroups") { initgroups(name, group) }
        _ = try Syscall.call("setgid") { setgid(group) }
        _ = try Syscall.call("setuid") { setuid(user) }
    }

    /// Tries to become root again and returns whether that worked: then privileges were not
    /// dropped.
    package static func becomesRootAgain() -> Bool { setuid(0) == 0 }
}
