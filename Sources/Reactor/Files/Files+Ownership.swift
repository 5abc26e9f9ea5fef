import Glibc

/// Whose files are, and what others may do with them.
extension Files {
    /// Whose a file is, or is to be; only root can give files away.
    package struct Owner: Sendable, Hashable {
        package let user: UserID
        package let group: GroupID

        package init(user: UserID, group: GroupID) {
            self.user = user
            self.group = group
        }
    }

    /// Whose a file or folder is; nil: nothing is there.
    package static func owner(of path: String) -> Owner? { status(path)?.owner }

    /// Sets the permissions of a file, folder or socket; a link is followed (chmod(2)).
    package static func setMode(_ path: String, _ mode: UInt32) throws(FileError) {
        guard chmod(path, mode_t(mode)) == 0 else {
            throw FileError("setting the permissions of", path, .system(errno))
        }
    }

    /// Gives a file, folder or link to another user. A link is not followed: whoever can swap a
    /// name for a link must not get what it leads to.
    package static func give(_ path: String, to owner: Owner) throws(FileError) {
        guard lchown(path, owner.user, owner.group) == 0 else {
            throw FileError("giving away", path, .system(errno))
        }
    }

    /// Gives a folder away, with these permissions.
    package static func giveFolder(
        _ path: String, to owner: Owner, mode: UInt32
    ) throws(FileError) {
        guard chown(path, owner.user, owner.group) == 0, chmod(path, mode_t(mode)) == 0 else {
            throw FileError("giving away the folder", path, .system(errno))
        }
    }

    /// Gives away a folder and all below it. Links are given and not followed, and a file that has
    /// a second name stays as it is: it may be somebody else's under the other one.
    ///
    /// - Parameters:
    ///   - depth: how many folders lie in each other below it; what is deeper stays.
    ///   - limit: the most entries of one folder; more is an error.
    ///   - action: what the error says was done.
    /// - Throws: what could not be given; what came before it has been.
    package static func giveTree(
        _ path: String, to owner: Owner, depth: Int, limit: Int, action: String
    ) throws(FileError) {
        let folder = try open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, "opening")
        try giveTree(folder, path, owner, depth, limit, action)
    }

    private static func giveTree(
        _ folder: borrowing FileDescriptor, _ path: String, _ owner: Owner, _ depth: Int,
        _ limit: Int, _ action: String
    ) throws(FileError) {
        guard fchown(folder.raw, owner.user, owner.group) == 0 else {
            throw FileError(action, path, .system(errno))
        }
        guard depth > 0 else { return }
        for name in try namesIfThere(path, limit) {
            // By the folder's own descriptor: a path could lead elsewhere by now.
            var status = stat()
            guard fstatat(folder.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            let place = "\(path)/\(name)"
            if status.st_mode & S_IFMT == S_IFDIR {
                let below = openat(
                    folder.raw, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                guard below >= 0 else { throw FileError(action, place, .system(errno)) }
                try giveTree(
                    FileDescriptor(owning: below), place, owner, depth - 1, limit, action)
            } else if status.st_nlink == 1, status.st_uid != owner.user {
                guard
                    fchownat(folder.raw, name, owner.user, owner.group, AT_SYMLINK_NOFOLLOW) == 0
                else { throw FileError(action, place, .system(errno)) }
            }
        }
    }

    private static func namesIfThere(
        _ path: String, _ limit: Int
    ) throws(FileError) -> [String] {
        do throws(FileError) {
            return try names(in: path, limit: limit)
        } catch {
            if error.isMissing { return [] }
            throw error
        }
    }
}
