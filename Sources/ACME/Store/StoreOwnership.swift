import Reactor

/// Gives what the store keeps to the user that a server will be which is still root.
enum StoreOwnership {
    /// Folders lie at most so deep below `.acme`: `issued/HOST/VERSION`.
    private static let depthMaximum = 4
    private static let action = "giving it to the server's user"

    /// A folder and all below it, but no file that may be somebody else's as well.
    ///
    /// - Throws: ``Problem`` where something cannot be given.
    static func give(_ path: String, to owner: Files.Owner) throws(Problem) {
        do throws(FileError) {
            try Files.giveTree(
                path, to: owner, depth: depthMaximum, limit: StoreFiles.entriesMaximum,
                action: action)
        } catch {
            throw StoreFiles.failure(error)
        }
    }

    /// A folder alone, and nothing in it.
    static func give(folder path: String, to owner: Files.Owner) throws(Problem) {
        do throws(FileError) {
            try Files.give(path, to: owner)
        } catch {
            throw StoreFiles.failure(FileError(action, path, error.reason))
        }
    }
}
