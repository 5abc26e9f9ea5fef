package import Reactor

/// The file with a running server's process id, locked while the server runs: two servers cannot
/// share it, and a reader can tell whether the process lives (flock(2)).
package final class PidFile: Sendable {
    package let path: String
    /// The file that was there at the start; locked as long as this object lives.
    private let file: LockFile
    private let isLocked: Bool
    private let text: String

    /// Takes the file.
    ///
    /// A server in its last moments answers no command and still holds the file: the lock is tried
    /// for as long as an end may take.
    ///
    /// - Parameter replaces: whether the process that holds the file is about to end, so that this
    ///   one may take its place; nil if it does not answer.
    /// - Throws: if another server holds the file, or its folder is missing.
    package init(
        path: String, process: ProcessID, owner: Files.Owner? = nil,
        replaces: (_ holder: ProcessID?) -> Bool?
    ) throws(Problem) {
        self.path = path
        text = "\(process)\n"
        let file = try Problem.explaining(try LockFile(path, .writing(mode: 0o644))) {
            Problem(cannotWrite: "--pid-file \(path)", $0)
        }
        let end = MonotonicInstant.now() + ShutdownDeadline.patience
        var isLocked = (try? file.lock()) == true
        while !isLocked {
            let holder = Self.process(in: path)
            let isLeaving = replaces(holder)
            if isLeaving == true { break }
            let now = MonotonicInstant.now()
            guard isLeaving == nil, now < end else {
                let holder = holder.map { " (process \($0))" } ?? ""
                throw Problem(.pidFileHeld, at: "--pid-file \(path)", holder)
            }
            _ = Waiting.wait([], until: now + .milliseconds(20))
            isLocked = (try? file.lock()) == true
        }
        self.isLocked = isLocked
        if let owner, CurrentProcess.user == 0 { file.give(to: owner) }
        self.file = file
    }

    /// Writes the process id into a new, locked file that then replaces the old one in one step. If
    /// this user may not write in the folder, writes into the file itself.
    package func write() throws(Problem) {
        let temporary = "\(path).\(text.dropLast()).new"
        let bytes = Array(text.utf8)
        if let made = try? LockFile(temporary, .new(mode: 0o644)) {
            if (try? made.lock()) == true, (try? made.write(bytes)) != nil,
                (try? Files.rename(temporary, to: path)) != nil
            {
                return made.keepUntilExit()
            }
            Files.remove(temporary)
        }
        do throws(SystemError) {
            try file.truncate()
            try file.write(bytes)
        } catch {
            throw Problem(.pidFileFailed, at: path, error.reason, "\(CurrentProcess.user)")
        }
        if !isLocked { try lockOnceFree() }
    }

    /// Takes the lock of the predecessor when that one ends: readers and the next server would take
    /// the file for a leftover.
    private func lockOnceFree() throws(Problem) {
        do throws(SystemError) {
            _ = try WorkerThread(name: "aasa-pid-file") { try? self.file.waitForLock() }
        } catch {
            throw .limits(path, error)
        }
    }

    /// Removes the file if it still holds our process id: after an upgrade it belongs to the
    /// successor.
    package func remove() {
        if (try? FileReading.bytes(at: path, maximum: 64)) == Array(text.utf8) {
            Files.remove(path)
        }
    }

    /// The process id in a pid file; nil: no file, or not a number.
    package static func process(in path: String) -> ProcessID? {
        guard let bytes = try? FileReading.bytes(at: path, maximum: 64) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).split { $0 == "\n" || $0 == " " }
        return text.first.flatMap { ProcessID($0) }.flatMap { $0 > 1 ? $0 : nil }
    }

    /// Whether the process that wrote the file still runs.
    package static func isHeld(_ path: String) -> Bool {
        guard let file = try? LockFile(path, .reading) else { return false }
        return (try? file.lock(isShared: true)) == false
    }
}
