import AASAServer
import AppSiteAssociation
import Reactor

/// Reads what a command was given as an input: a file, a pipe, or `-` for standard input.
///
/// The server reads its site through `FileReading`, which insists on regular files; a command also
/// takes a pipe (`aasa lint <(curl …)`), and says what is wrong in its own words.
enum InputFile {
    /// More than 30 times what Apple reads (131,072 bytes): enough to read any association file
    /// that was ever published by mistake and still say how large it is, and a bound for what a
    /// pipe can make us hold.
    static let bytesMaximum = 4 << 20

    /// What is too large for a document is read so far, to say how large it is.
    static let measuredMaximum = 64 << 20

    /// The bytes of `path`, or of standard input when that is `-`.
    static func read(
        _ path: String, maximum: Int = bytesMaximum
    ) throws(CommandError) -> [UInt8] {
        do throws(FileError) {
            return try Files.readInput(path == "-" ? nil : path, limit: maximum)
        } catch {
            throw failure(error, path == "-" ? "standard input" : path)
        }
    }

    /// The same as a source that diagnostics can point into; its name is the path as given.
    static func source(_ path: String) throws(CommandError) -> SourceText {
        SourceText(name: path, bytes: try read(path))
    }

    /// The JSON of a source.
    static func json(
        _ source: SourceText, status: ExitStatus = .couldNotRun
    ) throws(CommandError) -> JSONDocument {
        do {
            return try JSONReader.read(source)
        } catch {
            throw CommandError(error.diagnostic, status: status)
        }
    }

    private static func failure(_ error: FileError, _ name: String) -> CommandError {
        let remedy: String?
        var cause = error.cause
        switch error.reason {
        case .tooLarge(_, let limit):
            // A pipe is read no further, so its size is not known.
            let size = Files.status(name).flatMap { $0.kind == .file ? $0.size : nil }
            cause =
                (size.map { "\($0) bytes" } ?? "more than \(limit) bytes")
                + "; at most \(limit) are read"
            remedy = "is this the right file?"
        case _ where error.isMissing && FolderEntry.isUnnameable(name):
            cause = "no such file, or one whose name is not UTF-8"
            remedy = "rename it, or hand it over as standard input: - < FILE"
        case _ where error.isMissing: (cause, remedy) = ("no such file", "check the path")
        case _ where error.isFolder:
            cause = "this is a folder, not a file"
            remedy = "name the file inside it, such as \(name)/apple-app-site-association"
        case _ where error.isDenied:
            (cause, remedy) = ("permission denied", "make it readable: chmod a+r \(name)")
        default: remedy = nil
        }
        return CommandError(cause, place: name, remedy: remedy)
    }
}
