package import Reactor

extension Endpoint {
    /// What keeps a server from starting although its site and certificates are good: a user, a
    /// limit, a file or an address that cannot be used.
    ///
    /// Makes no file and listens nowhere. What a running server has, its successor can have as
    /// well: a port in use, and a pid file that is locked.
    package var startProblems: [Problem] {
        var problems: [Problem] = []
        func note(_ attempt: () throws(Problem) -> Void) {
            do throws(Problem) { try attempt() } catch { problems.append(error) }
        }
        if let user = configuration.user {
            note { () throws(Problem) in try Privileges.permitted(user) }
        }
        note { () throws(Problem) in _ = try limits() }
        note { () throws(Problem) in _ = try configuration.adminTokenFile.map(AdminTokenFile.init) }
        for (option, path) in [
            ("--pid-file", configuration.pidFile), ("--ready-file", configuration.readyFile),
            ("--access-log", configuration.log.accessFile),
        ] {
            // `-` is stdout.
            guard let path, path != "-" else { continue }
            do throws(FileError) {
                try Files.checkWritable(path)
            } catch {
                problems.append(Problem(cannotWrite: "\(option) \(path)", error))
            }
        }
        return problems + EndpointSockets.problems(configuration)
    }
}
