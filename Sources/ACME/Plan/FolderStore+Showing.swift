package import Reactor

extension FolderStore {
    /// Makes the servers on this store answer challenges while `body` runs.
    ///
    /// - Throws: ``Problem`` if no server can read the files of this user, or if one is ordering:
    ///   its challenges are not replaced.
    package func showing<Result>(
        _ answers: [ChallengeAnswer], _ body: () -> Result
    ) throws(Problem) -> Result {
        let root = "\(path)/.acme"
        guard let owner = Files.owner(of: root)?.user else {
            throw Problem(
                place: root, cause: "no server keeps certificates there",
                remedy: "start the server with --acme")
        }
        guard owner == CurrentProcess.user else {
            throw Problem(
                place: root, cause: "it belongs to user \(owner)",
                remedy:
                    "run the command as that user: setpriv --reuid \(owner) --clear-groups aasa certs plan"
            )
        }
        let now = Double(MonotonicInstant.now().nanoseconds) / 1e9
        if case .taken(let holder) = try lease(now: now) {
            throw Problem(
                place: root, cause: "another process is ordering now (\(holder))",
                remedy: "try again when it has finished")
        }
        defer { release() }
        var state = StoredState(store: self)
        _ = try state.read(directories: []) { _ in }
        try state.write(answers)
        CurrentProcess.sleep(Self.settleTime)
        let result = body()
        try state.write([])
        return result
    }

    /// Servers check for challenges every second.
    private static let settleTime: Duration = .seconds(2)
}
