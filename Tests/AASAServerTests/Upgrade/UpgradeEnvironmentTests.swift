import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HandedSocketsTests {
    /// A pipe where the predecessor's would be.
    private final class Readiness {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        deinit { close(reading) }

        var environment: [String: String] { [UpgradeEnvironment.readinessVariable: "\(writing)"] }

        /// All that was said; the other end is closed by who said it.
        func read() -> String {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = Glibc.read(reading, &buffer, buffer.count)
                if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
                bytes += buffer[..<count]
            }
        }
    }

    @Test func theSuccessorFindsWhatWasHandedOver() throws {
        let found = try UpgradeEnvironment.sockets(environment: [
            UpgradeEnvironment.socketsVariable: "https,https,admin",
            UpgradeEnvironment.readinessVariable: "6",
        ])
        expectEqual(found.map(\.descriptor), [3, 4, 5])
        expectEqual(found.map(SocketActivation.isAdmin), [false, false, true])
        #expect(!found.contains { $0.isOwn }, "systemd may hold them")
        let own = try UpgradeEnvironment.sockets(environment: [
            UpgradeEnvironment.socketsVariable: "https",
            UpgradeEnvironment.readinessVariable: "4", UpgradeEnvironment.ownVariable: "1",
        ])
        expectEqual(own.map(\.isOwn), [true])
        #expect(try UpgradeEnvironment.sockets(environment: [:]).isEmpty)
        #expect(
            try UpgradeEnvironment.sockets(environment: [UpgradeEnvironment.socketsVariable: ""])
                .isEmpty)
    }

    @Test(arguments: [
        ("https,", "5"), ("https", ""), ("https", "3"), ("https", "5"),
        ("https", "99999999999999999999"), ("https", "-4"), ("\u{1B}[31m", "5"),
    ])
    func whatNobodyHandedOverIsAnError(value: String, readiness: String) {
        #expect {
            try UpgradeEnvironment.sockets(environment: [
                UpgradeEnvironment.socketsVariable: value,
                UpgradeEnvironment.readinessVariable: readiness,
            ])
        } throws: {
            ($0 as? Problem)?.remedy.contains("unset AASA_HANDED_SOCKETS") == true
        }
    }

    @Test func onlyListeningSocketsAreTakenOver() throws {
        func problem(_ descriptor: Int32, _ name: String = "https") -> String? {
            do {
                try UpgradeEnvironment.verify(
                    [InheritedSocket(descriptor: descriptor, name: name)], place: "LISTEN_FDS")
                return nil
            } catch {
                expectEqual(error.place, "LISTEN_FDS")
                return error.cause
            }
        }
        expectEqual(problem(60_000)?.hasSuffix("is not open"), true)
        expectEqual(problem(-1)?.hasSuffix("is not open"), true)
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        expectEqual(problem(file)?.hasSuffix("is not a socket"), true)
        let datagram = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(datagram) }
        expectEqual(problem(datagram)?.hasSuffix("is not a stream socket"), true)
        let idle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(idle) }
        expectEqual(problem(idle)?.hasSuffix("does not listen"), true)
        expectEqual(listen(idle, 1), 0)
        #expect(problem(idle) == nil)
        var pair: [Int32] = [-1, -1]
        expectEqual(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair), 0)
        defer { for end in pair { close(end) } }
        expectEqual(problem(pair[0])?.hasSuffix("does not listen"), true)
    }

    @Test(arguments: [("1", true), ("0", false), (nil, false)] as [(String?, Bool)])
    func forceIsHandedOn(_ value: String?, _ isForced: Bool) throws {
        expectEqual(
            UpgradeEnvironment.isForced(environment: [UpgradeEnvironment.forceVariable: value ?? ""]
            ), isForced)
        #expect(!UpgradeEnvironment.isForced(environment: [:]))
    }

    /// The admin side may listen on a Unix socket, the public one may not.
    @Test func onlyTheAdminSideMayBeAUnixSocket() throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        // A name of the kernel's choice, in the abstract namespace.
        let bound = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size))
            }
        }
        try #require(bound == 0 && listen(descriptor, 1) == 0)
        #expect(throws: Never.self) {
            try UpgradeEnvironment.verify(
                [InheritedSocket(descriptor: descriptor, name: "admin")], place: "x")
        }
        let failure = #expect(throws: Problem.self) {
            try UpgradeEnvironment.verify(
                [InheritedSocket(descriptor: descriptor, name: "https")], place: "x")
        }
        expectEqual(failure?.cause.hasSuffix("does not listen on an IPv4 or IPv6 address"), true)
    }

    // MARK: The predecessor's state

    @Test func theStateIsReadOnceFromBehindThePipe() throws {
        let bytes = Array("what was served".utf8)
        let made = try MemoryFile.make("aasa-test", bytes)
        defer { close(made) }
        // Behind the first number of a socket and of a pipe.
        let descriptor = fcntl(made, F_DUPFD_CLOEXEC, 10)
        let other = fcntl(made, F_DUPFD_CLOEXEC, 10)
        defer { close(other) }
        let environment = [
            UpgradeEnvironment.stateVariable: "\(descriptor)",
            UpgradeEnvironment.readinessVariable: "\(descriptor - 1)",
        ]
        expectEqual(UpgradeEnvironment.state(environment: environment), bytes)
        // Not the number that it should have: some file of our own.
        for readiness in ["\(other)", "\(other - 2)", "", "x"] {
            #expect(
                UpgradeEnvironment.state(environment: [
                    UpgradeEnvironment.stateVariable: "\(other)",
                    UpgradeEnvironment.readinessVariable: readiness,
                ]) == nil)
        }
        #expect(fcntl(other, F_GETFD) >= 0, "what is not ours to read is not ours to close")
        #expect(UpgradeEnvironment.state(environment: [:]) == nil)
        #expect(
            UpgradeEnvironment.state(environment: [
                UpgradeEnvironment.stateVariable: "3", UpgradeEnvironment.readinessVariable: "2",
            ]) == nil, "the sockets begin at 3")
    }

    // MARK: Readiness

    @Test func readinessGoesThroughThePipe() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        UpgradeEnvironment.notifyReady(environment: [
            UpgradeEnvironment.readinessVariable: "\(ends[1])"
        ])
        var byte: UInt8 = 0
        expectEqual(read(ends[0], &byte, 1), 1)
        expectEqual(byte, UInt8(ascii: "R"))
    }

    @Test func whatIsKeptIsSaidLineByLine() throws {
        let pipe = try Readiness()
        UpgradeEnvironment.notifyReady(
            environment: pipe.environment, problems: ["a: kept", "b: kept"])
        expectEqual(pipe.read(), "Ra: kept\nb: kept\n")
        let failed = try Readiness()
        UpgradeEnvironment.notifyFailure("refused: no", environment: failed.environment)
        expectEqual(failed.read(), "Frefused: no")
    }

    /// One write of so many bytes is never split: the predecessor reads once.
    @Test func aReportFitsOneWrite() throws {
        let most = UpgradeEnvironment.failureBytesMaximum
        #expect(most <= Int(PIPE_BUF))
        let failed = try Readiness()
        UpgradeEnvironment.notifyFailure(
            String(repeating: "x", count: 10_000), environment: failed.environment)
        expectEqual(failed.read().utf8.count, most)
        let ready = try Readiness()
        let line = String(repeating: "y", count: 999)
        UpgradeEnvironment.notifyReady(
            environment: ready.environment, problems: Array(repeating: line, count: 9) + ["short"])
        let text = ready.read()
        #expect(text.utf8.count <= most)
        // Whole lines, and where more can be read.
        let more = "and more: run aasa reload"
        let lines = text.split(separator: "\n")
        expectEqual(lines.map(\.count), [1000, 999, 999, 999, more.count])
        expectEqual(lines.last, more[...])
        // There is always room for that line, and not for one byte more.
        let room = most - "R\n\(more)\n".utf8.count
        let full = try Readiness()
        UpgradeEnvironment.notifyReady(
            environment: full.environment,
            problems: [String(repeating: "z", count: room), "short"])
        expectEqual(full.read().utf8.count, most)
        let over = try Readiness()
        UpgradeEnvironment.notifyReady(
            environment: over.environment, problems: [String(repeating: "z", count: room + 1)])
        expectEqual(over.read(), "R\(more)\n")
    }

    /// The variables may be left over: the number is then a file of our own.
    @Test func nothingIsWrittenToWhatIsNoPipe() throws {
        let memory = try MemoryFile.make("aasa-test", [])
        defer { close(memory) }
        for environment in [
            [UpgradeEnvironment.readinessVariable: "\(memory)"],
            [UpgradeEnvironment.readinessVariable: "1"],
            [UpgradeEnvironment.readinessVariable: "x"], [:],
        ] {
            UpgradeEnvironment.notifyReady(environment: environment)
            UpgradeEnvironment.notifyFailure("no", environment: environment)
        }
        expectEqual(MemoryFile.bytes(of: memory, maximum: 100), [])
        #expect(fcntl(memory, F_GETFD) >= 0)
    }
}
