// Covers: PeerIdentity.swift
import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ControlSocketTests: ControlSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("control") }

    @Test func itIsFoundWhileItListens() throws {
        var reply = ControlReply(.findings, lines: ["line"], problems: ["ä\n\""])
        reply.version = "1.2"
        reply.process = 17
        reply.phase = "serving"
        let server = try self.server(Replies(reply: reply))
        try expectEqual(ask(.status).line, reply.line)
        expectEqual(Files.status(path).map { $0.mode & 0o777 }, 0o600)
        let found = ControlClient.look(in: [run]).found
        expectEqual(found.map(\.process), [getpid()])
        expectEqual(found.map(\.phase), ["serving"])
        server.stop()
        #expect(access(path, F_OK) != 0)
        #expect(ControlClient.look(in: [run]).found.isEmpty)
    }

    /// Admits nobody: the peer is checked before anything is read.
    private struct Closed: AuxiliaryService {
        let asked = Lock(0)

        func admits(_ peer: PeerIdentity?) -> Bool { peer?.user != geteuid() }

        mutating func answer(_ request: RequestView) -> AuxiliaryAnswer {
            asked.withLock { $0 += 1 }
            return .message([], isLast: true)
        }
    }

    @Test func whoIsNotAdmittedIsNotRead() throws {
        let closed = Closed()
        let server = try self.server(closed)
        #expect(throws: ControlClient.Failure.self) { try ask(.process) }
        expectEqual(closed.asked.withLock { $0 }, 0)
        server.stop()
    }
}
