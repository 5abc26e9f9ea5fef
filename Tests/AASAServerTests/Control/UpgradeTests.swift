// Covers: ControlLoop.swift, Endpoint.swift, Privileges.swift, StatusBridge.swift
// Signals, exec and users belong to a process: Tests/EndToEndTests/Upgrade and Reload test them on
// the real binary. Here is what needs no process.
import Glibc
import Testing

@testable import AASAServer

@Suite struct UpgradeTests {
    @Test func theSuccessorFindsWhatWasHandedOver() {
        let found = HandOver.sockets(environment: [
            HandOver.socketsVariable: "https,https,admin"
        ])
        #expect(found.map(\.descriptor) == [3, 4, 5])
        #expect(found.map(SocketActivation.isAdmin) == [false, false, true])
        #expect(HandOver.sockets(environment: [:]).isEmpty)
        #expect(HandOver.sockets(environment: [HandOver.socketsVariable: ""]).isEmpty)
    }

    @Test func readinessGoesThroughThePipe() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        HandOver.sayReady(environment: [HandOver.readinessVariable: "\(ends[1])"])
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1)
        #expect(byte == UInt8(ascii: "R"))
    }

    @Test func unknownUsersAreNamed() {
        #expect(throws: StartFailure.self) { try Privileges.drop(to: "no-such-user-here") }
        #expect(throws: StartFailure.self) { try Privileges.drop(to: "a:b:c") }
        #expect(throws: StartFailure.self) { try Privileges.drop(to: "") }
    }
}
