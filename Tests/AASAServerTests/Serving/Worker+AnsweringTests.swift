import Glibc
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct WorkerAnsweringTests {
    /// Keeps what would be logged.
    private final class Log: AccessSink {
        let lines = Lock<[String]>([])

        func answered(_ entry: AccessEntry) {
            let words = [
                "\(entry.status)", "\(entry.bytes)", entry.host ?? "-",
                entry.peer.map { "\($0)" } ?? "-", "worker \(entry.worker)",
            ]
            lines.withLock { $0.append(words.joined(separator: " ")) }
        }
    }

    /// A worker that does not run, and one connection of it over loopback.
    private final class Serving {
        let counters = WorkerCounters()
        let log = Log()
        let worker: Worker
        let connection: Connection
        private let peer: Int32

        init(
            limits: ServerLimits = .standard, document: [UInt8] = Array(TestEndpoint.document.utf8)
        ) throws {
            let publisher = SnapshotPublisher(
                Publication(
                    snapshot: TestEndpoint.snapshot(document: document),
                    contexts: try TestEndpoint.contexts(2)))
            worker = try Worker(
                number: 1, limits: limits,
                shared: SharedState(publisher: publisher, access: log, report: { _ in }),
                counters: counters, wakeup: try Wakeup(), listeners: [])
            let listener = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
            peer = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_in()
            name.sin_family = UInt16(AF_INET)
            name.sin_port = listener.address.port.bigEndian
            name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let peer = peer
            let connected = withUnsafePointer(to: &name) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(peer, $0, UInt32(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(connected == 0)
            var made: Connection?
            if case .accepted(let socket, _) = listener.accept() {
                let raw = socket.raw
                let kept = dup(raw)
                made = worker.table.insert {
                    Connection(
                        token: $0, socket: Socket(owning: kept),
                        peer: SocketAddress(parsing: "192.0.2.1:7"),
                        limits: SharedLimits(limits), now: .now())
                }
            }
            connection = try #require(made)
        }

        deinit { close(peer) }

        /// A request that has come on the connection before.
        func serveOne() {
            connection.machine.handshakeStarted(now: worker.now)
            connection.machine.handshakeCompleted(now: worker.now)
            _ = connection.machine.requestReceived(now: worker.now, closing: nil)
        }

        func ask(
            _ method: String = "GET", _ path: String = TestEndpoint.path,
            host: String = "example.com"
        ) throws -> Answer {
            let head = Array("\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
            var parser = HTTP1RequestParser()
            let answer = head.withUnsafeBytes { bytes -> Answer? in
                guard case .request(let request, _) = parser.parse(bytes) else { return nil }
                return worker.answer(to: request, on: connection)
            }
            return try #require(answer)
        }

        func total(_ counter: Counter) -> UInt64 {
            ServerCounters(workers: [counters]).total(counter)
        }
    }

    private let large = [UInt8](repeating: 7, count: 131_072)

    @Test func anAnswerIsCountedByTheWorkerAndItsHostAndIsLogged() throws {
        let serving = try Serving()
        let document = try serving.ask()
        expectEqual(document.response.status, 200)
        _ = try serving.ask("HEAD")
        _ = try serving.ask("GET", "/.well-known/assetlinks.json")
        _ = try serving.ask("GET", "/x")
        _ = try serving.ask(host: "other.example")
        expectEqual(serving.total(.answersDocument), 2)
        expectEqual(serving.total(.answersSibling), 1)
        expectEqual(serving.total(.answersNotFound), 1)
        expectEqual(serving.total(.shedDocument), 1)
        expectEqual(document.host?.counters.value(.json), 2)
        expectEqual(document.host?.counters.value(.sibling), 1)
        expectEqual(document.host?.counters.value(.notFound), 1)
        let bytes = TestEndpoint.document.utf8.count
        expectEqual(
            serving.log.lines.withLock { $0 },
            [
                "200 \(bytes) example.com 192.0.2.1:7 worker 1",
                "200 0 example.com 192.0.2.1:7 worker 1",
                "200 2 example.com 192.0.2.1:7 worker 1",
                "404 0 example.com 192.0.2.1:7 worker 1",
                "503 0 other.example 192.0.2.1:7 worker 1",
            ])
    }

    @Test func aNewSnapshotAnswersFromThenOn() throws {
        let serving = try Serving()
        try expectEqual(serving.ask().response.text, TestEndpoint.document)
        serving.worker.snapshot = TestEndpoint.snapshot(document: Array("{}".utf8))
        try expectEqual(serving.ask().response.text, "{}")
    }

    /// Only what is sent can fill the link: a HEAD of a large document sends nothing of it.
    @Test func largeAnswersAreFollowedOnTheirWay() throws {
        let serving = try Serving(document: large)
        _ = try serving.ask("HEAD")
        #expect(serving.connection.large == nil)
        #expect(serving.worker.sampleTimeout == nil)
        _ = try serving.ask()
        expectEqual(serving.connection.large?.bytes, large.count)
        expectEqual(serving.worker.sampleTimeout, ShedLimits().samplePeriod)
        let small = try Serving()
        _ = try small.ask()
        #expect(small.connection.large == nil)
    }

    /// The age of a request is asked for in one case alone: a large document, behind an answer, in
    /// a loop that is late. All else would be a system call for each request, or a 503 for a phone.
    @Test(arguments: [
        (true, true, true), (false, true, true), (true, false, true), (true, true, false),
    ])
    func anOldRequestIsRefusedOnlyWhereAFrontPools(
        isLate: Bool, isLarge: Bool, isBehindAnAnswer: Bool
    ) throws {
        var limits = ServerLimits.standard
        // Any age that TCP tells is too old.
        limits.shedding.requestAgeMaximum = .milliseconds(-1)
        let serving = try Serving(
            limits: limits, document: isLarge ? large : Array(TestEndpoint.document.utf8))
        serving.worker.now = .now()
        serving.worker.isLate = isLate
        if isBehindAnAnswer { serving.serveOne() }
        let answer = try serving.ask()
        let isRefused = isLate && isLarge && isBehindAnAnswer
        expectEqual(answer.response.status, (isRefused ? 503 : 200))
        expectEqual(serving.total(.shedAge), (isRefused ? 1 : 0))
    }
}
