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

    /// `aasa upgrade` and Ctrl-C: who has left holds no place, whose outcome is still to come.
    @Test func clientsThatLeaveBeforeTheirOutcomeMakeRoom() throws {
        let begun = try Wakeup()
        let outcomes = Lock<[ControlServer.Answer]>([])
        let server = try server { request, answer in
            if request.command == .who { return answer(ControlReply(.good)) }
            outcomes.withLock { $0.append(answer) }
            begun.signal()
        }
        let address = try #require(SocketAddress.unix(path: path))
        // More than are taken at once.
        for count in 1...20 {
            var client = try Socket(for: address)
            if case .failed(let error) = client.connect(to: address) { throw error }
            _ = ControlRequest(.upgrade).line.withUnsafeBytes { client.send($0) }
            while outcomes.withLock({ $0.count }) < count {
                // A guard against hanging, not a measurement.
                try #require(
                    Waiting.wait([.init(begun.descriptor)], until: .now() + .seconds(60))[0],
                    "client \(count) is not taken")
                begun.drain()
            }
            client.close()
        }
        #expect(try ask(ControlRequest(.who)).outcome == .good)
        for answer in outcomes.withLock({ $0 }) { answer(ControlReply(.good)) }
        #expect(try ask(ControlRequest(.who)).outcome == .good)
        server.stop()
    }
}
