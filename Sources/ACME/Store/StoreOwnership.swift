import Reactor

/// Gives the store's files to the future user of a server that is still root.
enum StoreOwnership {
    /// Maximum of nested folders below `.acme`: `issued/HOST/VERSION`.
    private static let depthMaximum = 4
    private static let action = "changing its owner to the server's user"

    /// A folder and everything below it, except files with other hard links.
    ///
    /// - Throws: ``Problem`` if the owner of something cannot be changed.
    static func give(_ path: String, to owner: Files.Owner) throws(Problem) {
        try StoreFiles.attempt { () throws(FileError) in
            try Files.giveTree(
                path, to: owner, depth: depthMaximum, limit: StoreFiles.entriesMaximum,
                action: action)
        }
    }

    /// Only the folder, not its contents.
    static func give(folder path: String, to owner: Files.Owner) throws(Problem) {
        do throws(FileError) {
            try Files.give(path, to: owner)
        } catch {
            throw StoreFiles.failure(FileError(action, path, error.reason))
        }
    }
}
