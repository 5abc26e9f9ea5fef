// Covers: HandedSockets.swift
// Covers: ControlLoop.swift, Endpoint.swift, Privileges.swift, StatusBridge.swift
// Signals, exec and users belong to a process: Tests/EndToEndTests/Upgrade and Reload test them on
// the real binary. Here is what needs no process.
import Glibc
import Reactor
import Testing

@testable import AASAServer

@Suite struct UpgradeTests {
    @Test func theSuccessorFindsWhatWasHandedOver() throws {
        let found = try HandOver.sockets(environment: [
            HandOver.socketsVariable: "https,https,admin", HandOver.readinessVariable: "6",
        ])
        #expect(found.map(\.descriptor) == [3, 4, 5])
        #expect(found.map(SocketActivation.isAdmin) == [false, false, true])
        #expect(try HandOver.sockets(environment: [:]).isEmpty)
        #expect(try HandOver.sockets(environment: [HandOver.socketsVariable: ""]).isEmpty)
    }

    @Test(arguments: [
        (",", "3"), ("https,", "5"), ("x", "4"), ("https,x", "5"), ("admin", "4"), ("https", ""),
        ("https", "3"), ("https", "5"), ("https", "99999999999999999999"), ("https", "-4"),
        ("\u{1B}[31m", "4"), (String(repeating: "https,", count: 100_000), "4"),
    ])
    func whatNobodyHandedOverIsAnError(value: String, readiness: String) {
        #expect {
            try HandOver.sockets(environment: [
                HandOver.socketsVariable: value, HandOver.readinessVariable: readiness,
            ])
        } throws: {
            ($0 as? Problem)?.remedy.contains("unset AASA_HANDED_SOCKETS") == true
        }
    }

    @Test func onlyListeningSocketsAreTakenOver() throws {
        func problem(_ descriptor: Int32, _ name: String = "https") -> String? {
            do {
                try HandOver.verify(
                    [HandedSocket(descriptor: descriptor, name: name)], place: "LISTEN_FDS")
                return nil
            } catch {
                #expect(error.place == "LISTEN_FDS")
                return error.cause
            }
        }
        #expect(problem(60_000)?.hasSuffix("is not open") == true)
        #expect(problem(-1)?.hasSuffix("is not open") == true)
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        #expect(problem(file)?.hasSuffix("is not a socket") == true)
        let datagram = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(datagram) }
        #expect(problem(datagram)?.hasSuffix("is not a stream socket") == true)
        let idle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(idle) }
        #expect(problem(idle)?.hasSuffix("does not listen") == true)
        #expect(listen(idle, 1) == 0)
        #expect(problem(idle) == nil)
        var pair: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { for end in pair { close(end) } }
        #expect(problem(pair[0])?.hasSuffix("does not listen") == true)
    }

    @Test func readinessGoesThroughThePipe() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        // More than one write takes: what is left out is said.
        let problems = (0..<200).map { "refused: a certificate, number \($0)" }
        HandOver.sayReady(
            environment: [HandOver.readinessVariable: "\(ends[1])"], problems: problems)
        let text = String(
            decoding: Pipe.read(ends[0], limit: 1 << 16) ?? [], as: UTF8.self)
        #expect(text.hasPrefix("R\(problems[0])\n\(problems[1])\n"))
        #expect(text.hasSuffix("and more: see aasa reload\n") && text.utf8.count <= 4096)
    }

    @Test func unknownUsersAreNamed() {
        #expect(throws: Problem.self) { try Privileges.drop(to: "no-such-user-here") }
        #expect(throws: Problem.self) { try Privileges.drop(to: "a:b:c") }
        #expect(throws: Problem.self) { try Privileges.drop(to: "") }
    }
}
