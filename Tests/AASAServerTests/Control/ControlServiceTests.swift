// Covers: ControlRequest.swift
import AppSiteAssociation
import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// The service behind a real socket, asked as commands ask.
@Suite struct ControlServiceTests: ControlSuite {
    let folder: TemporaryFolder
    private let board = StatusBoard(version: "1.2")
    private let reloader: Reloader
    private let orders: Mailbox<UpgradeOrder>
    private let server: AuxiliaryServer

    init() throws {
        folder = try TemporaryFolder("control")
        var sources = StatusBoard.Sources()
        sources.publisher = SnapshotPublisher(
            Publication(snapshot: TestEndpoint.snapshot(), contexts: []))
        board.read(sources)
        board.write { $0.phase = .draining }
        reloader = try Reloader()
        orders = try Mailbox()
        server = try AuxiliaryServer(
            path: RunFolder(path: folder.path).socket(of: getpid()),
            ControlService(reloader: reloader, orders: orders, board: board))
    }

    @Test func eachAnswerSaysWhoGivesIt() throws {
        defer { server.stop() }
        for request in [ControlRequest.process, .status] {
            let reply = try ask(request)
            #expect(reply.process == getpid() && reply.version == "1.2")
            expectEqual(reply.phase, "draining")
        }
        try expectEqual(ask(.process).outcome, .good)
    }

    @Test func theVerdictIsThatOfTheStatusPage() throws {
        defer { server.stop() }
        let reply = try ask(.status)
        // A process that drains, and a host without a document: not well.
        expectEqual(reply.outcome, .findings)
        #expect(reply.lines.contains { $0.contains("other.example answers 503") })
        let document = try ControlClient.fetch(path, .document, process: getpid(), seconds: 30)
        expectEqual(document["phase"]?.string, "draining")
        expectEqual(document["health"]?.string, "failing")
    }

    /// The pages of the admin listener, and nothing that changes anything by GET.
    @Test(arguments: [
        ("GET /readyz", 503), ("GET /metrics", 200), ("GET /reload", 404), ("GET /upgrade", 404),
        ("POST /status", 405), ("DELETE /reload", 405), ("POST /elsewhere", 405),
    ])
    func everythingElseIsThatOfTheAdminListener(_ line: String, _ status: Int) throws {
        defer { server.stop() }
        let bytes = try ControlClient.exchange(
            path, Array("\(line) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), process: getpid(),
            seconds: 30)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 \(status) "))
        #expect(orders.take().isEmpty)
    }

    @Test(arguments: ["nonsense\n", "GET / HTTP/1.1\r\n\r\n", "{\"command\":\"who\"}\n\n"])
    func whatIsNoRequestIsRefused(_ text: String) throws {
        defer { server.stop() }
        let bytes = try ControlClient.exchange(
            path, Array(text.utf8), process: getpid(), seconds: 30)
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 400 "))
        try expectEqual(ask(.process).outcome, .good)
    }

    /// The order that the control loop finds.
    private func order() throws -> (isForced: Bool, answer: ControlReply.Answer) {
        var found: [UpgradeOrder] = []
        try #require(
            eventually {
                found += orders.take()
                return !found.isEmpty
            })
        return (found[0].isForced, found[0].answer)
    }

    @Test(arguments: [true, false]) func anUpgradeIsTheControlLoops(_ isForced: Bool) throws {
        defer { server.stop() }
        let replies = Lock<[ControlReply]>([])
        let waiting = try WorkerThread(name: "waiting") { [self] in
            guard let reply = try? ask(isForced ? .forcedUpgrade : .upgrade) else { return }
            replies.withLock { $0.append(reply) }
        }
        let order = try order()
        expectEqual(order.isForced, isForced)
        // One that waits for its outcome is in nobody's way.
        try expectEqual(ask(.process).outcome, .good)
        #expect(replies.withLock { $0.isEmpty }, "answered when the successor serves")
        order.answer(ControlReply(.refused, problems: ["no"]))
        waiting.join()
        let reply = try #require(replies.withLock { $0.first })
        #expect(reply.outcome == .refused && reply.problems == ["no"])
        expectEqual(reply.process, getpid())
    }

    /// `aasa upgrade` and Ctrl-C: who has left holds no place, whose outcome is still to come. Who
    /// waits keeps its place meanwhile.
    @Test func clientsThatLeaveBeforeTheirOutcomeMakeRoom() throws {
        defer { server.stop() }
        let replies = Lock<[ControlReply]>([])
        let waiting = try WorkerThread(name: "waiting") { [self] in
            guard let reply = try? ask(.upgrade) else { return }
            replies.withLock { $0.append(reply) }
        }
        let first = try order()
        let address = try #require(SocketAddress.unix(path: path))
        var answers: [ControlReply.Answer] = []
        // More than are taken at once.
        for _ in 1...(AuxiliaryServer.commandsMaximum + 4) {
            var client = try Socket(for: address)
            if case .failed(let error) = client.connect(to: address) { throw error }
            _ = ControlRequest.upgrade.message.withUnsafeBytes { client.send($0) }
            answers.append(try order().answer)
            client.close()
        }
        try expectEqual(ask(.process).outcome, .good)
        for answer in answers { answer(ControlReply(.good)) }
        first.answer(ControlReply(.findings))
        waiting.join()
        expectEqual(replies.withLock { $0.map(\.outcome) }, [.findings])
    }

    @Test func aReloadIsAnsweredWithItsOutcome() throws {
        defer { server.stop() }
        let fixture = try SiteFixture()
        try fixture.write("a.example/apple-app-site-association", SiteFixture.fragment)
        try fixture.certify("a.example", begins: -3_000, ends: 80_000)
        var loader = try fixture.loader()
        let publisher = SnapshotPublisher(try loader.load(now: SiteFixture.now).publication)
        try reloader.start(
            ReloadLoop(
                loader: loader, publisher: publisher, board: board, pollInterval: .seconds(3600),
                watches: false, keeper: StateKeeper(path: nil), log: try FileLog().logger,
                around: { _ in }))
        defer { reloader.stop() }
        let reply = try ask(.reload)
        expectEqual(reply.outcome, .good)
        expectEqual(reply.lines.last?.hasPrefix("reloaded: 1 host, nothing changed"), true)
        try fixture.write("a.example/apple-app-site-association", "{")
        try expectEqual(ask(.reload).outcome, .findings)
    }

    /// Only the server's own user and root ask.
    @Test func othersAreNotAdmitted() throws {
        defer { server.stop() }
        let service = ControlService(reloader: reloader, orders: orders, board: board)
        let (one, other) = try pair()
        defer { for end in [one, other] { close(end) } }
        #expect(service.admits(PeerIdentity(of: one)), "our own")
        #expect(!service.admits(nil), "over the network")
    }

    private func pair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }
}
