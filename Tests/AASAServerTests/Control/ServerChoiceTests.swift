import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ServerChoiceTests {
    private func look(
        _ phases: [ProcessID: String] = [:], _ failed: [ProcessID: ControlClient.Failure] = [:],
        denied: [String] = []
    ) -> ControlClient.Look {
        var look = ControlClient.Look()
        look.found = phases.sorted { $0.key < $1.key }.map {
            ControlClient.Server(path: "", process: $0.key, phase: $0.value)
        }
        look.failed = failed
        look.denied = denied
        return look
    }

    private func choice(
        _ look: ControlClient.Look, wanted: ProcessID? = nil, stopped: Set<ProcessID> = []
    ) -> ServerChoice {
        ServerChoice(
            look, wanted: wanted.map { ($0, "--pid \($0)") }, in: ["/run/aasa"],
            isStopped: stopped.contains)
    }

    private func process(_ choice: ServerChoice) -> ProcessID? {
        if case .server(let server) = choice { server.process } else { nil }
    }

    private func problem(_ choice: ServerChoice) -> Problem? {
        switch choice {
        case .server: nil
        case .none(let problem), .several(let problem): problem
        }
    }

    private func isSeveral(_ choice: ServerChoice) -> Bool {
        if case .several = choice { true } else { false }
    }

    @Test func theOneThatServesIsMeant() {
        expectEqual(process(choice(look([7: "serving"], [3: .gone]))), 7)
        expectEqual(process(choice(look([7: "draining", 8: "serving"]))), 8)
        expectEqual(process(choice(look([7: "draining"]))), 7)
        expectEqual(process(choice(look([7: "serving", 8: "serving"]), wanted: 8)), 8)
    }

    @Test func ofSeveralOneHasToBeNamed() {
        let two = choice(look([7: "serving", 8: "serving"]))
        #expect(isSeveral(two))
        expectEqual(problem(two)?.cause, "several servers are running: processes 7, 8")
        // One that hangs may be the one that is meant.
        let hanging = choice(look([7: "serving"], [9: .silent(seconds: 15)]))
        #expect(isSeveral(hanging))
        expectEqual(problem(hanging)?.cause.contains("7, 9 (does not answer)"), true)
    }

    @Test(arguments: [nil, 9] as [ProcessID?])
    func oneThatDoesNotAnswerRunsNevertheless(wanted: ProcessID?) {
        let silent = look([:], [9: .silent(seconds: 15)])
        let stopped = problem(choice(silent, wanted: wanted, stopped: [9]))
        expectEqual(stopped?.cause.contains("process 9 does not answer"), true)
        expectEqual(stopped?.remedy, "continue it: kill -CONT 9")
        let hanging = problem(choice(silent, wanted: wanted))
        expectEqual(hanging?.cause.contains("did not answer within 15 s"), true)
        expectEqual(hanging?.remedy.contains("kill -KILL 9"), true)
        expectEqual(hanging?.place, (wanted == nil ? "" : "--pid 9"))
    }

    /// It answered the look: nobody is told to kill a server that serves.
    @Test func oneThatWorksOnAnOrderIsNotToBeKilled() {
        let busy = ControlClient.Failure.silent(seconds: 2).problem(of: 9, hasAnswered: true)
        #expect(busy.cause.contains("has not finished within 2 s"))
        #expect(busy.remedy.contains("--wait") && !busy.remedy.contains("kill"))
        let stopped = ControlClient.Failure.silent(seconds: 2)
            .problem(of: 9, isStopped: true, hasAnswered: true)
        expectEqual(stopped.remedy, "continue it: kill -CONT 9")
    }

    @Test func whereNobodyCanBeAskedTheReasonIsSaid() {
        expectEqual(
            problem(choice(look([:], [3: .gone])))?.cause,
            "no server is running: no process answers in /run/aasa")
        let closed = choice(look([:], [3: .denied("/run/aasa/3.sock")], denied: ["/run/aasa"]))
        expectEqual(problem(closed)?.remedy.contains("sudo"), true)
        expectEqual(problem(choice(look(), wanted: 3))?.cause.contains("not an aasa server"), true)
        let strange = problem(choice(look([:], [3: .stranger("no answer of aasa")]), wanted: 3))
        expectEqual(strange?.cause, "process 3: no answer of aasa")
    }
}
