import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

// Signals, exec of the real binary and its second start: Tests/EndToEndTests/Upgrade. Here the
// successor is a shell that says what it was given.
@Suite struct UpgradeTests {
    /// Starts a shell as the successor and waits for its outcome.
    private func outcome(
        of script: String, listening: [Int32], admin: Int32? = nil, state: [UInt8] = [],
        isForced: Bool = false, environment: [String: String] = [:]
    ) throws -> Upgrade.Outcome {
        let now = MonotonicInstant.now()
        let upgrade = try Upgrade(
            sockets: UpgradeSockets(listening: listening, admin: admin),
            arguments: ["/bin/sh", "-c", script],
            environment: environment.merging(["PATH": "/usr/bin:/bin"]) { $1 },
            state: state, isForced: isForced, now: now)
        defer { upgrade.abandon() }
        // A guard against hanging, not a measurement.
        let isReadable = Waiting.wait([.init(upgrade.readiness)], until: now + .seconds(60))[0]
        return upgrade.outcome(isReadable: isReadable, now: now)
    }

    private func withSocket<Result>(
        _ body: (Int32, SocketAddress) throws -> Result
    ) throws -> Result {
        var socket = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
        defer { socket.close() }
        return try body(socket.raw, socket.address)
    }

    @Test func theSuccessorGetsTheSocketsInOrderAndAPipeBehindThem() throws {
        try withSocket { socket, _ in
            let said = try outcome(
                of: "printf \"F$AASA_HANDED_SOCKETS $AASA_HANDED_READINESS $AASA_HANDED_STATE "
                    + "$AASA_HANDED_FORCE.$AASA_HANDED_OWN."
                    + "$LISTEN_PID$LISTEN_FDS$WATCHDOG_PID.$KEPT\" >&5",
                listening: [socket], admin: socket,
                environment: [
                    "LISTEN_PID": "1", "LISTEN_FDS": "1", "WATCHDOG_PID": "1", "KEPT": "kept",
                ])
            expectEqual(said, .failed("the new process: https,admin 5 6 .1..kept"))
        }
    }

    @Test func forceIsHandedOn() throws {
        try withSocket { socket, _ in
            let said = try outcome(
                of: #"printf "F$AASA_HANDED_FORCE" >&4"#, listening: [socket], isForced: true)
            expectEqual(said, .failed("the new process: 1"))
        }
    }

    @Test func theSuccessorReadsWhatWasServed() throws {
        try withSocket { socket, _ in
            let said = try outcome(
                of: #"printf "F$(cat <&5)" >&4"#, listening: [socket],
                state: Array("state".utf8))
            expectEqual(said, .failed("the new process: state"))
        }
    }

    @Test func whatTheSuccessorKeepsIsSaidLineByLine() throws {
        try withSocket { socket, _ in
            let said = try outcome(
                of: #"printf 'Ra: kept\nb: kept\n' >&4; exec sleep 60"#, listening: [socket])
            expectEqual(said, .ready(problems: ["a: kept", "b: kept"]))
            try expectEqual(
                outcome(of: "printf R >&4; exec sleep 60", listening: [socket]),
                .ready(problems: []))
        }
    }

    @Test func aSuccessorThatEndsHasFailed() throws {
        try withSocket { socket, _ in
            let said = try outcome(of: "exit 0", listening: [socket])
            expectEqual(said, .failed("the new process exited before it served"))
        }
    }

    @Test func aSuccessorThatSaysNothingHasAMinute() throws {
        try withSocket { socket, _ in
            let now = MonotonicInstant.now()
            let upgrade = try Upgrade(
                sockets: UpgradeSockets(listening: [socket], admin: nil),
                arguments: ["/bin/sh", "-c", "exec sleep 300"],
                environment: ["PATH": "/usr/bin:/bin"], state: [], isForced: false, now: now)
            defer { upgrade.abandon() }
            expectEqual(upgrade.deadline, now + Upgrade.startTimeMaximum)
            expectEqual(upgrade.outcome(isReadable: false, now: now), .waiting)
            expectEqual(
                upgrade.outcome(
                    isReadable: false,
                    now: upgrade.deadline.advanced(byNanoseconds: -1)), .waiting)
            // Told of an event that is nobody's.
            expectEqual(upgrade.outcome(isReadable: true, now: now), .waiting)
            guard case .failed = upgrade.outcome(isReadable: false, now: upgrade.deadline) else {
                Issue.record("its time is over")
                return
            }
        }
    }

    /// All other processes of a container end with its first one.
    @Test func theFirstProcessOfAContainerIsNotReplaced() throws {
        let failure = #expect(throws: Problem.self) { try Upgrade.check(1) }
        expectEqual(failure?.remedy.contains("start a new container"), true, "\(failure as Any)")
        try Upgrade.check(2)
    }

    @Test func aProgramThatIsNotThereIsNamed() throws {
        let failure = #expect(throws: Problem.self) {
            try Upgrade(
                sockets: UpgradeSockets(listening: [], admin: nil), arguments: ["/no/such/aasa"],
                environment: [:], state: [], isForced: false, now: .now())
        }
        expectEqual(failure?.cause.contains("/no/such/aasa"), true, "\(failure as Any)")
    }
}
