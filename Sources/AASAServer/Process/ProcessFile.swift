package import Reactor

/// Small files about the running process: its id, its listeners. Written to a temporary file and
/// renamed, so that no reader ever sees half of one.
package struct ProcessFile: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    package func write(_ text: String) throws(Problem) {
        do throws(FileError) {
            try Files.replace(path, with: Array(text.utf8), mode: 0o644)
        } catch {
            throw Problem(cannotWrite: path, error)
        }
    }

    /// Removes the file, whatever it says; one that is not there is no error.
    package func remove() { Files.remove(path) }

    /// Removes the file if it still has our text: after an upgrade it belongs to the successor.
    package func remove(ifItSays text: String) {
        guard let bytes = try? FileReading.bytes(at: path, maximum: 4096),
            bytes == Array(text.utf8)
        else { return }
        Files.remove(path)
    }

    /// The process id in a pid file; nil: no file, or not a number.
    package func processIdentifier() -> Int32? {
        guard let bytes = try? FileReading.bytes(at: path, maximum: 64) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).split { $0 == "\n" || $0 == " " }
        return text.first.flatMap { Int32($0) }.flatMap { $0 > 1 ? $0 : nil }
    }
}
