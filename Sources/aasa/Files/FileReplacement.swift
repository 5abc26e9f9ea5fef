import Reactor

/// Changes files in a command's words. `Files.replace` ensures that no reader sees half of one.
enum FileReplacement {
    /// Holds the lock of a folder while `body` reads, decides and writes.
    static func locked<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try Files.locked(folder, body)
        } catch let error as FileError where error.isBusy {
            throw CommandError(
                "another process has been editing there for half a minute", place: folder,
                remedy: "wait until it has ended, or end it (fuser \(folder) names it)")
        } catch let error as FileError where error.action == "locking the folder" {
            throw failure("the folder cannot be locked", error, folder)
        }
    }

    /// Puts `bytes` in the place of the file at `path`, or makes it. Mode and owner of an existing
    /// file stay; a link is followed, so that it goes on pointing to the file.
    static func replace(
        _ path: String, with bytes: [UInt8], mode: UInt32? = nil
    ) throws(CommandError) {
        do throws(FileError) {
            try Files.replace(path, with: bytes, mode: mode)
        } catch {
            throw failure("cannot be written", error, path)
        }
    }

    /// Says before long work that its outcome could not be written.
    static func check(_ path: String) throws(CommandError) {
        do throws(FileError) {
            try Files.checkReplaceable(path)
        } catch {
            throw failure("cannot be written", error, path)
        }
    }

    /// Keeps a command from writing over what it reads.
    ///
    /// - Parameter inputs: files, and folders with all that is in them.
    static func check(_ output: String, sparing inputs: [String]) throws(CommandError) {
        guard let folder = Files.resolved(Files.folder(of: output)) else { return }
        let name = output.split(separator: "/").last.map(String.init) ?? output
        // A link is followed when its file is replaced; what is not there yet has no real path.
        let real = Files.resolved(output) ?? folder + "/" + name
        for input in inputs.compactMap(Files.resolved) {
            guard real == input || real.hasPrefix(input + "/") else { continue }
            throw CommandError(
                "this is read by the same command, and would be lost", place: output,
                remedy: "name another file to write", status: .usage)
        }
    }

    private static func failure(_ what: String, _ error: FileError, _ path: String) -> CommandError
    {
        if error.reason == .notRegular, !Files.isFolder(path) {
            return CommandError(
                "not a regular file: replacing it would delete it", place: path,
                remedy: "name a regular file")
        }
        let cause = error.reason == .notRegular ? "this is a folder" : error.cause
        let place = FileError(error.action, path, error.reason)
        return CommandError(
            "\(what): \(cause)", place: path,
            remedy: error.isOutOfSpace
                ? "make room on the disk; nothing was changed"
                : error.reason == .notRegular ? "name a file in it" : place.remedyForWriting())
    }
}
