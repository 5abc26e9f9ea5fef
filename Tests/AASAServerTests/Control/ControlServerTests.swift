// Covers: ControlOrders.swift
// Covers: PeerIdentity.swift
import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ControlServerTests: ControlSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("control") }

    @Test func aQuestionGetsItsAnswer() throws {
        let server = try server { request, answer in
            var reply = ControlReply(.findings, lines: ["\(request.command)"], problems: ["ä\n\""])
            reply.version = "1.2"
            reply.process = 17
            reply.phase = "serving"
            answer(reply)
        }
        for command in ControlRequest.Command.allCases {
            let reply = try ask(ControlRequest(command, isForced: true))
            #expect(reply.outcome == .findings)
            #expect(reply.lines == ["\(command)"])
            #expect(reply.problems == ["ä\n\""])
            #expect(reply.process == 17 && reply.version == "1.2" && reply.phase == "serving")
        }
        #expect(ControlClient.look(in: [run]).found.map(\.process) == [getpid()])
        server.stop()
        #expect(access(path, F_OK) != 0)
        #expect(ControlClient.look(in: [run]).found.isEmpty)
    }

    /// One that waits for its outcome is in nobody's way.
    @Test func aSlowOutcomeHoldsNobodyUp() throws {
        let slow = try ControlOrders()
        let server = try server { request, answer in
            if request.command == .reload {
                slow.put(.upgrade(isForced: false, answer))
            } else {
                answer(ControlReply(.good))
            }
        }
        let waiting = try WorkerThread(name: "waiting") { [self] in
            let reply = try? ask(ControlRequest(.reload))
            #expect(reply?.outcome == .refused)
        }
        #expect(try ask(ControlRequest(.who)).outcome == .good)
        while true {
            if case .upgrade(_, let answer)? = slow.take().first {
                answer(ControlReply(.refused))
                break
            }
            usleep(1000)
        }
        waiting.join()
        server.stop()
    }
}
