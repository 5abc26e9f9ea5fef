import Glibc
import Reactor

/// Gives what the store keeps to the user that a server will be which is still root.
enum StoreOwnership {
    /// Folders lie at most so deep below `.acme`: `issued/HOST/VERSION`.
    private static let depthMaximum = 4

    /// A folder and all below it. Links are given and not followed, and a file that has a second
    /// name stays as it is: it may be somebody else's under the other one.
    ///
    /// - Throws: ``Problem`` where something cannot be given.
    static func give(_ path: String, to owner: (user: uid_t, group: gid_t)) throws(Problem) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else {
            throw StoreFiles.failure(FileError("opening", path, .system(errno)))
        }
        try give(folder, path, owner, depth: 0)
    }

    /// Closes the descriptor.
    private static func give(
        _ folder: Int32, _ path: String, _ owner: (user: uid_t, group: gid_t), depth: Int
    ) throws(Problem) {
        defer { close(folder) }
        guard fchown(folder, owner.user, owner.group) == 0 else { throw failure(path) }
        guard depth < depthMaximum else { return }
        for name in try StoreFiles.names(in: path) {
            var status = stat()
            guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            let place = "\(path)/\(name)"
            if status.st_mode & S_IFMT == S_IFDIR {
                let below = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                guard below >= 0 else { throw failure(place) }
                try give(below, place, owner, depth: depth + 1)
            } else if status.st_nlink == 1, status.st_uid != owner.user {
                guard fchownat(folder, name, owner.user, owner.group, AT_SYMLINK_NOFOLLOW) == 0
                else { throw failure(place) }
            }
        }
    }

    private static func failure(_ path: String) -> Problem {
        StoreFiles.failure(FileError("giving it to the server's user", path, .system(errno)))
    }
}
