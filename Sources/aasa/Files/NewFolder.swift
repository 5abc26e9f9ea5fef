import Reactor

/// Makes a folder that was not there, with everything in it, in one step.
///
/// The files are written into a hidden folder beside it, which takes the name at the end
/// (rename(2)): no reader sees half of a site, and a failure leaves nothing behind.
enum NewFolder {
    /// - Throws: when something is there already, or cannot be written.
    static func write(
        _ files: [(path: String, bytes: [UInt8])], to folder: String
    ) throws(CommandError) {
        guard !Files.exists(folder) else {
            throw CommandError(
                "it already exists", place: folder,
                remedy: "import into another folder and compare: aasa diff \(folder) OTHER")
        }
        let name = folder.split(separator: "/").last ?? ""
        let draft = "\(Files.folder(of: folder))/.\(name).\(CurrentProcess.id).new"
        do throws(FileError) {
            for file in files {
                let path = "\(draft)/\(file.path)"
                try Files.makeFolder(Files.folder(of: path))
                try Files.replace(path, with: file.bytes)
            }
            try Files.rename(draft, to: folder)
        } catch {
            Files.removeTree(draft)
            // The draft is hidden; people know the folder.
            let known =
                error.path.hasPrefix(draft)
                ? FileError(error.action, folder, error.reason) : error
            throw CommandError(
                "cannot be made: \(known.cause)", place: known.path,
                remedy: known.remedyForWriting(or: "import into another folder"))
        }
    }
}
