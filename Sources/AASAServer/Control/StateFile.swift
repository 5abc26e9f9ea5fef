import Glibc

/// Small files about the running process: its id, its listeners. Written beside and renamed, so
/// that nobody ever reads half of one.
package struct StateFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package func write(_ text: String) throws(FileReadingError) {
        let temporary = "\(path).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure() }
        let bytes = Array(text.utf8)
        let count = Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
        guard count == bytes.count, rename(temporary, path) == 0 else { throw failure() }
    }

    private func failure() -> FileReadingError {
        let code = errno
        return FileReadingError(
            path: path, cause: "cannot be written: \(String(cString: strerror(code)))",
            remedy: "let user \(geteuid()) write into its folder, or name another file")
    }

    /// Removes the file if it still says what we wrote: after an upgrade it is the successor's.
    package func remove(ifItSays text: String) {
        guard let bytes = try? FileReading.bytes(at: path, maximum: 4096),
            bytes == Array(text.utf8)
        else { return }
        unlink(path)
    }

    /// The process id in a pid file; nil: no file, or not a number.
    package func processIdentifier() -> Int32? {
        guard let bytes = try? FileReading.bytes(at: path, maximum: 64) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).split { $0 == "\n" || $0 == " " }
        return text.first.flatMap { Int32($0) }.flatMap { $0 > 1 ? $0 : nil }
    }
}
