package import Reactor

/// Where commands find a running server: one control socket per server, named by its process id.
///
/// ```
/// --run, AASA_RUN, systemd's RuntimeDirectory=      what the operator says comes first
/// /run/aasa                                         for root, and for the unit
/// $XDG_RUNTIME_DIR/aasa                             for a user who is logged in
/// /tmp/aasa-UID                                     for everyone else
/// ```
package struct RunFolder: Sendable, Equatable {
    package let path: String
    /// Whether a person has named it, and so vouches for the server in it.
    package let isNamed: Bool

    package init(path: String, isNamed: Bool = false) {
        self.path = path
        self.isNamed = isNamed
    }

    /// Only root makes folders there.
    private static let machine = RunFolder(path: "/run/aasa")

    /// Where a server keeps its socket.
    ///
    /// - Parameter user: the user of the server.
    package static func ofServer(environment: [String: String], user: UserID) -> RunFolder {
        if let systemd = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first {
            return RunFolder(path: String(systemd))
        }
        return candidates(environment: environment, user: user)[0]
    }

    /// Where a command looks, in this order. Root looks where root's server is; other users look in
    /// their own folder first, then where the machine's server is.
    package static func candidates(
        environment: [String: String], user: UserID
    ) -> [RunFolder] {
        var own: [RunFolder] = []
        if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            own.append(RunFolder(path: "\(runtime)/aasa"))
        }
        own.append(RunFolder(path: "/tmp/aasa-\(user)"))
        return user == 0 ? [machine] + own : own + [machine]
    }

    /// Whether this user's commands may ask the server here: no other user could have put a socket
    /// there. In `/tmp` any user can make the folder of any other one, root included.
    package func isTrusted(by user: UserID) -> Bool {
        guard let status = try? Files.entryStatus(path), status.kind == .folder,
            status.mode & 0o022 == 0
        else { return false }
        return isNamed || self == Self.machine || status.owner.user == user
    }

    /// The socket of a process.
    package func socket(of process: ProcessID) -> String { "\(path)/\(process).sock" }

    /// The processes that have a socket here, whether they live or not.
    package var processes: [ProcessID] {
        guard let entries = try? FileReading.entries(of: path, maximum: 10_000) else { return [] }
        return entries.compactMap {
            $0.name.hasSuffix(".sock") ? ProcessID($0.name.dropLast(".sock".count)) : nil
        }.filter { $0 > 0 }
    }

    /// Makes the folder, accessible to its owner only.
    ///
    /// - Parameter owner: the future owner, if this process is root and the server will not be.
    /// - Throws: if it cannot be made, or has another owner: in `/tmp` any user may have made it.
    package func make(owner: Files.Owner?) throws(Problem) {
        let user = CurrentProcess.user
        _ = try Problem.explaining(try Files.makeNewFolder(path, mode: 0o700)) {
            (error: FileError) in
            Problem(
                place: path, cause: "cannot be made: \(error.cause)",
                remedy: "name a folder that user \(user) can create: --run")
        }
        guard let status = try? Files.entryStatus(path), status.kind == .folder else {
            throw Problem(
                place: path, cause: "not a folder", remedy: "remove it, or name another: --run")
        }
        let isOurs =
            status.owner.user == user || user == 0 || status.owner.user == owner?.user
        guard isOurs, status.mode & 0o022 == 0 else {
            throw Problem(
                place: path, cause: "other users can write there, or own it",
                remedy: "remove it, or name another: --run")
        }
        // A server that gives up root must be able to remove its socket.
        if let owner, user == 0, status.owner.user == 0 { try? Files.give(path, to: owner) }
    }

    /// How long a server may take from the name of its socket to listening there.
    private static let startSeconds: Int64 = 60

    /// Removes the sockets of servers that were killed: no process listens there, and no server is
    /// about to. What is no socket stays. Only for the folder's own server: see ``make(owner:)``.
    ///
    /// - Parameter now: seconds since 1970.
    package func removeLeftovers(now: Int64) {
        for process in processes {
            let place = socket(of: process)
            guard let status = try? Files.entryStatus(place), status.isSocket else { continue }
            let isYoung = now - status.modified / 1_000_000_000 < Self.startSeconds
            if isYoung, OtherProcess.exists(process) { continue }
            ListeningSocket.removeLeftover(at: place)
        }
    }
}
