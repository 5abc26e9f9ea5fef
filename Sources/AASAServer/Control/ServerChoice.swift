package import Reactor

/// Which of the servers that were found a command means, or what keeps it from being asked.
package enum ServerChoice: Sendable {
    case server(ControlClient.Server)
    /// None can be asked.
    case none(Problem)
    /// Several run, and none was named.
    case several(Problem)

    /// - Parameters:
    ///   - wanted: the process that was named, and where (an option, a pid file).
    ///   - places: where was looked.
    ///   - isStopped: whether a process was stopped by a signal.
    package init(
        _ look: ControlClient.Look, wanted: (process: ProcessID, place: String)? = nil,
        in places: [String], isStopped: (ProcessID) -> Bool
    ) {
        let found = look.found.filter { wanted == nil || $0.process == wanted?.process }
        // One that drains has a successor, or will be gone.
        let serving = found.filter { $0.phase != "draining" }
        let silent = look.failed.filter { $0.value.isSilent }.keys.sorted()
        let failed = wanted?.process ?? silent.first
        if serving.count + silent.count > 1 {
            let all = serving.map { "\($0.process)" } + silent.map { "\($0) (does not answer)" }
            self = .several(
                Problem(
                    place: "",
                    cause: "several servers are running: processes "
                        + all.joined(separator: ", "), remedy: "choose one: --pid ID"))
        } else if let server = serving.first ?? (silent.isEmpty ? found.first : nil) {
            self = .server(server)
        } else if let failed, let failure = look.failed[failed], failure != .gone {
            self = .none(
                failure.problem(
                    of: failed, isStopped: isStopped(failed), place: wanted?.place ?? ""))
        } else if let wanted {
            self = .none(
                Problem(
                    place: wanted.place,
                    cause: "process \(wanted.process) is not an aasa server that answers here",
                    remedy: "check that it runs as this user and with this run folder (--run)"))
        } else {
            self = .none(Self.nobody(look, places))
        }
    }

    private static func nobody(_ look: ControlClient.Look, _ places: [String]) -> Problem {
        if !look.denied.isEmpty {
            return Problem(
                place: "",
                cause: "a server may be running, but this user cannot read "
                    + look.denied.joined(separator: ", "),
                remedy: "run this as root or as the server's user: sudo aasa …")
        }
        return Problem(
            place: "",
            cause: "no server is running: no process answers in " + places.joined(separator: ", "),
            remedy: "start it with aasa serve, or name another run folder with --run")
    }
}

extension ControlClient.Failure {
    var isSilent: Bool { if case .silent = self { true } else { false } }

    /// The failure for people.
    ///
    /// - Parameters:
    ///   - isStopped: whether the process was stopped by a signal.
    ///   - hasAnswered: whether it answered another question just before, so that it does not hang.
    ///   - place: where it was named.
    package func problem(
        of process: ProcessID, isStopped: Bool = false, hasAnswered: Bool = false,
        place: String = ""
    ) -> Problem {
        let log = "see its log for the reason"
        let (cause, remedy) =
            switch self {
            case .gone: ("process \(process) exited before it answered", log)
            case .denied(let socket):
                (
                    "this user may not use \(socket)",
                    "run this as root or as the server's user: sudo aasa …"
                )
            case .stranger(let why): ("process \(process): \(why)", log)
            case .silent where isStopped:
                (
                    "process \(process) does not answer: a signal has stopped it",
                    "continue it: kill -CONT \(process)"
                )
            case .silent(let seconds) where hasAnswered:
                (
                    "process \(process) has not finished within \(seconds) s and is still working",
                    "see its log for the outcome, or give it more time with --wait"
                )
            case .silent(let seconds):
                (
                    "process \(process) is running but did not answer within \(seconds) s",
                    "see its log; if it hangs, run kill -KILL \(process) and start it again"
                )
            }
        return Problem(place: place, cause: cause, remedy: remedy)
    }
}
