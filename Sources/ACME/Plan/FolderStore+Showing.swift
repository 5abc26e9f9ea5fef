import Glibc
import Reactor

extension FolderStore {
    /// Has the servers on this store answer challenges for as long as `body` runs.
    ///
    /// - Throws: ``StoreError`` where no server can read what this user writes, or one is ordering
    ///   now: its challenges are not replaced.
    package func showing<Result>(
        _ answers: [ChallengeAnswer], _ body: () -> Result
    ) throws(StoreError) -> Result {
        let root = "\(path)/.acme"
        var status = stat()
        guard stat(root, &status) == 0 else {
            throw StoreError(
                place: root, cause: "no server keeps certificates there",
                remedy: "start it with --acme")
        }
        guard status.st_uid == geteuid() else {
            throw StoreError(
                place: root, cause: "it belongs to user \(status.st_uid)",
                remedy: "ask as that user: setpriv --reuid \(status.st_uid) --clear-groups "
                    + "aasa certs plan")
        }
        let now = Double(MonotonicInstant.now().nanoseconds) / 1e9
        if case .taken(let holder) = try lease(now: now) {
            throw StoreError(
                place: root, cause: "another process is ordering now (\(holder))",
                remedy: "ask again when it is done")
        }
        defer { release() }
        var state = StoredState(store: self)
        _ = try state.read(directories: []) { _ in }
        try state.write(answers)
        usleep(Self.settleMicroseconds)
        let result = body()
        try state.write([])
        return result
    }

    /// Servers look for challenges each second.
    private static let settleMicroseconds: useconds_t = 2_000_000
}
