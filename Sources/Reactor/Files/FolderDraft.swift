import CLinux
import Glibc

/// A folder that is written beside its place, and takes the place only when all of it is written:
/// a process that finds it finds it whole.
package struct FolderDraft: Sendable {
    /// Where it is written.
    package let path: String
    private let owner: Files.Owner?

    /// Begins a draft; what an earlier process left of one is removed.
    ///
    /// - Parameter owner: the user whose it will be, if root writes it.
    package init(_ path: String, owner: Files.Owner?) throws(FileError) {
        self.path = path
        self.owner = CurrentProcess.user == 0 ? owner : nil
        Files.removeTree(path)
        try Files.makeFolder(path, mode: 0o700, owner: self.owner)
    }

    /// Writes a file, and the folders above it. They are on disk after a sync of the file system.
    package func write(
        _ bytes: [UInt8], to file: String, mode: UInt32 = 0o600
    ) throws(FileError) {
        try Files.create(place(of: file), with: bytes, mode: mode, owner: owner)
    }

    /// Takes over a file that is on disk already, by a hard link: costs no block and no write.
    ///
    /// - Returns: `false` if it cannot be linked; then it has to be written.
    package func link(_ source: String, to file: String) -> Bool {
        guard let place = try? place(of: file) else { return false }
        return Glibc.link(source, place) == 0
    }

    /// The path of a file, in a folder that exists. A draft that was removed is not begun again: it
    /// would lack what had been written.
    private func place(of file: String) throws(FileError) -> String {
        let place = "\(path)/\(file)"
        try Files.checkFolder(path)
        try Files.makeFolder(Files.folder(of: place), mode: 0o700, owner: owner)
        return place
    }

    /// Gives the draft its name; what has this name already is damaged, and is removed. Where the
    /// file system can exchange the two, there is a folder of that name at every moment.
    package func finish(as target: String) throws(FileError) {
        if CLinux_renameat2_RENAME_EXCHANGE(path, target) == 0 { return discard() }
        if Files.hasEntry(target) { Files.removeTree(target) }
        try Files.rename(path, to: target)
    }

    package func discard() { Files.removeTree(path) }
}
