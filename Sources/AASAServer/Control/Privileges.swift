package import Glibc
package import Reactor

/// Gives up root: after binding and reading keys, before the first client. In the order that leaves
/// no way back: no new privileges by any exec, then groups, group, user.
package enum Privileges {
    /// `USER` or `USER:GROUP`, by name or number.
    package static func drop(to user: String) throws(Problem) {
        let (uid, gid, name) = try identity(user)
        if geteuid() != 0 {
            if geteuid() == uid { return }
            throw Problem(
                place: "--user", cause: "only root can become \(user)",
                remedy: "start as root, or without --user")
        }
        // As root, setgid and setuid set the real, the effective and the saved identity
        // (setuid(2)).
        guard initgroups(name, gid) == 0, setgid(gid) == 0, setuid(uid) == 0
        else {
            throw Problem(
                place: "--user",
                cause: "cannot become \(user): \(String(cString: strerror(errno)))",
                remedy: "is CAP_SETUID withheld (container, unit)? Leave --user out then")
        }
        // Whoever can get root back has not given it up.
        guard uid == 0 || setuid(0) != 0 else {
            throw Problem(
                place: "--user", cause: "root could be had again after becoming \(user)",
                remedy: "see which capability the container or unit gives: it needs none")
        }
    }

    /// The user and group of `--user`; nil where that is nobody: `drop` says so.
    package static func owner(_ user: String?) -> (user: uid_t, group: gid_t)? {
        guard let user, let (uid, gid, _) = try? identity(user) else { return nil }
        return (uid, gid)
    }

    /// The user and group that a text names.
    ///
    /// - Throws: where there is no such user or group.
    package static func named(_ user: String) throws(Problem) -> (user: uid_t, group: gid_t) {
        let (uid, gid, _) = try identity(user)
        return (uid, gid)
    }

    /// No program started from now on can gain a privilege. Holds for the calling thread and for
    /// those that it starts (prctl(2)): to be called before the first one.
    package static func forbidMore() throws(Problem) {
        do throws(SystemError) {
            try ProcessLimits.forbidNewPrivileges()
        } catch {
            throw Problem(
                place: "--user", cause: error.description,
                remedy: "see whether a filter of system calls (seccomp) forbids prctl")
        }
    }

    private static func identity(
        _ text: String
    ) throws(Problem) -> (uid_t, gid_t, String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let first = parts.first, !first.isEmpty else {
            throw Problem(
                place: "--user", cause: "\"\(text)\" is not USER or USER:GROUP",
                remedy: "write names or numbers, such as --user aasa:aasa")
        }
        let entry = uid_t(first).map { getpwuid($0) } ?? getpwnam(first)
        guard let entry else {
            throw Problem(
                place: "--user", cause: "there is no user \(first)",
                remedy: "make it: useradd --system --no-create-home \(first)")
        }
        var gid = entry.pointee.pw_gid
        if parts.count == 2 {
            guard let group = gid_t(parts[1]) ?? getgrnam(parts[1])?.pointee.gr_gid else {
                throw Problem(
                    place: "--user", cause: "there is no group \(parts[1])",
                    remedy: "make it: groupadd --system \(parts[1])")
            }
            gid = group
        }
        return (entry.pointee.pw_uid, gid, String(cString: entry.pointee.pw_name))
    }
}
