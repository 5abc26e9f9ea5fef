import AppSiteAssociation
import Glibc

/// Reads what a command was given as an input: a file, a pipe, or `-` for standard input.
///
/// The server reads its site through `FileReading`, which insists on regular files; a command also
/// takes a pipe (`aasa lint <(curl …)`), and says what is wrong in its own words.
enum InputFile {
    /// More than 30 times what Apple reads (131,072 bytes): enough to read any association file
    /// that was ever published by mistake and still say how large it is, and a bound for what a
    /// pipe can make us hold.
    static let bytesMaximum = 4 << 20

    /// The bytes of `path`, or of standard input when that is `-`.
    static func read(
        _ path: String, maximum: Int = bytesMaximum
    ) throws(CommandError) -> [UInt8] {
        let isStandardInput = path == "-"
        let name = isStandardInput ? "standard input" : path
        let descriptor =
            isStandardInput ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(errno, name) }
        defer { if !isStandardInput { close(descriptor) } }

        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno, name) }
        if status.st_mode & S_IFMT == S_IFDIR { throw failure(EISDIR, name) }
        if status.st_mode & S_IFMT == S_IFREG, status.st_size > off_t(maximum) {
            throw tooLarge(name, "\(status.st_size) bytes", maximum)
        }
        return try readAll(descriptor, name: name, maximum: maximum)
    }

    /// The same as a source that diagnostics can point into; its name is the path as given.
    static func source(
        _ path: String, maximum: Int = bytesMaximum
    ) throws(CommandError) -> SourceText {
        SourceText(name: path, bytes: try read(path, maximum: maximum))
    }

    private static func readAll(
        _ descriptor: Int32, name: String, maximum: Int
    ) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(errno, name)
            }
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            if bytes.count > maximum {
                throw tooLarge(name, "more than \(maximum) bytes", maximum)
            }
        }
    }

    private static func failure(_ number: Int32, _ name: String) -> CommandError {
        switch number {
        case ENOENT, ENOTDIR:
            CommandError("no such file", place: name, remedy: "check the path")
        case EISDIR:
            CommandError(
                "this is a folder, not a file", place: name,
                remedy: "name the file inside it, usually \(name)/apple-app-site-association")
        case EACCES, EPERM:
            CommandError(
                "permission denied", place: name, remedy: "make it readable: chmod a+r \(name)")
        default:
            CommandError(String(cString: strerror(number)), place: name)
        }
    }

    private static func tooLarge(_ name: String, _ size: String, _ maximum: Int) -> CommandError {
        CommandError(
            "\(size); at most \(maximum) are read", place: name, remedy: "is this the right file?")
    }
}
