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
        let name = folder.split(separator: "/").last.map(String.init) ?? folder
        let parent = folder.hasSuffix(name) ? String(folder.dropLast(name.utf8.count)) : ""
        if !parent.isEmpty { try make(parent) }
        let draft = "\(parent).\(name).\(CurrentProcess.id).new"
        try make(draft)
        do throws(CommandError) {
            for file in files {
                let path = "\(draft)/\(file.path)"
                if let slash = path.lastIndex(of: "/") { try make(String(path[..<slash])) }
                try FileReplacement.replace(path, with: file.bytes)
            }
            try moving(draft, to: folder)
        } catch {
            Files.removeTree(draft)
            throw error
        }
    }

    /// The folder and those above it.
    private static func make(_ path: String) throws(CommandError) {
        do throws(FileError) {
            try Files.makeFolder(path)
        } catch {
            throw failure(error)
        }
    }

    private static func moving(_ draft: String, to folder: String) throws(CommandError) {
        do throws(FileError) {
            try Files.rename(draft, to: folder)
        } catch {
            throw failure(FileError(error.action, folder, error.reason))
        }
    }

    private static func failure(_ error: FileError) -> CommandError {
        CommandError(
            "cannot be made: \(error.cause)", place: error.path,
            remedy: error.remedyForWriting(or: "import into another folder"))
    }
}
