import Glibc

/// Owners and permissions of files.
extension Files {
    /// The owner of a file, or its new owner; only root can change owners.
    package struct Owner: Sendable, Hashable {
        package let user: UserID
        package let group: GroupID

        package init(user: UserID, group: GroupID) {
            self.user = user
            self.group = group
        }
    }

    /// The owner of a file or folder; nil if it does not exist.
    package static func owner(of path: String) -> Owner? { status(path)?.owner }

    /// Sets the permissions of a file, folder or socket; a link is followed (chmod(2)).
    package static func setMode(_ path: String, _ mode: UInt32) throws(FileError) {
        try call("setting the permissions of", path, "chmod") { chmod(path, mode_t(mode)) }
    }

    /// Changes the owner of a file, folder or link. Links are not followed: a user who can swap a
    /// name for a link must not get its target.
    package static func give(_ path: String, to owner: Owner) throws(FileError) {
        try call("giving away", path, "lchown") { lchown(path, owner.user, owner.group) }
    }

    /// Changes the owner of a folder and everything below it. Links are changed and not followed. A
    /// file with a second hard link is skipped: the other name may belong to another user.
    ///
    /// - Parameters:
    ///   - depth: maximum of nested folders; deeper ones are skipped.
    ///   - limit: maximum of entries per folder; more is an error.
    ///   - action: the action that the error names.
    /// - Throws: the first failure; entries before it are changed already.
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
        try call(action, path, "fchown") { fchown(folder.raw, owner.user, owner.group) }
        guard depth > 0 else { return }
        let inner: [String]
        do throws(FileError) {
            inner = try names(in: path, limit: limit)
        } catch {
            if error.isMissing { return }
            throw error
        }
        for name in inner {
            // By the folder's descriptor: the path could lead elsewhere by now.
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
}
