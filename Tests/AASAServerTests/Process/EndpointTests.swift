import AppSiteAssociation
import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

// Covers: EndpointPart.swift

// The whole of `aasa serve` on a thread of the test's own, which ends it by a signal to itself.
@Suite struct EndpointTests {
    private let fixture: SiteFixture
    private let log: FileLog
    private static let path = "/.well-known/apple-app-site-association"

    init() throws {
        fixture = try SiteFixture()
        log = try FileLog()
        for host in ["a.example", "b.example"] {
            try fixture.write("\(host)/teams/D3KQX62K1A.json", SiteFixture.fragment)
            try fixture.certify(host, ends: 80_000)
        }
    }

    private func configuration(
        _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) -> ServerConfiguration {
        fixture.configuration {
            $0.workers = 2
            $0.drain = .zero
            $0.keyReservePairs = 0
            $0.connectionsMaximum = 101
            change(&$0)
        }
    }

    private func endpoint(
        _ predecessor: [UInt8]? = nil, mayServeLess: Bool = false,
        _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) throws -> Endpoint {
        try Endpoint(
            configuration: configuration(change), handed: [], predecessor: predecessor,
            mayServeLess: mayServeLess, log: log.logger)
    }

    /// What runs, as it was told once everything did.
    private struct Running: Sendable {
        let listeners: [SocketAddress]
        let plain: [SocketAddress]
        let admin: SocketAddress?
    }

    /// Runs a server, and ends it when `body` is done with it.
    ///
    /// - Returns: why it could not run; nil: it did, and has ended.
    private func run(
        _ configuration: ServerConfiguration, handed: [InheritedSocket] = [],
        challenges: HTTP01Challenges? = nil, beside part: (any EndpointPart)? = nil,
        deadline: ShutdownDeadline? = nil, hold: PortHold? = nil,
        _ body: @escaping @Sendable (Running) -> Void = { _ in }
    ) throws -> Problem? {
        let failure = Lock<Problem?>(nil)
        let logger = log.logger
        let thread = try WorkerThread(name: "endpoint") {
            do {
                let signals = try ControlSignals.block()
                let endpoint = try Endpoint(
                    configuration: configuration, handed: handed, log: logger)
                var context = EndpointContext(
                    notifier: ServiceNotifier(environment: [:], process: getpid()),
                    board: StatusBoard(version: "1.2"), arguments: [], environment: [:])
                context.challenges = challenges
                context.parts = [part].compactMap { $0 }
                context.deadline = deadline
                try endpoint.run(signals: signals, context, hold: hold) { listeners, plain, admin in
                    body(Running(listeners: listeners, plain: plain, admin: admin))
                    pthread_kill(pthread_self(), SIGINT)
                }
            } catch {
                let problem =
                    error as? Problem ?? Problem(place: "test", cause: "\(error)", remedy: "")
                failure.withLock { $0 = problem }
            }
        }
        thread.join()
        return failure.withLock { $0 }
    }

    private static func curl(_ words: String...) -> String {
        (try? Tool.run("curl", ["-sS", "--max-time", "60"] + words))?.stdout ?? ""
    }

    @Test func clientsThatCameWhileTheSiteWasLoadedAreServed() throws {
        let own = OwnAddress()
        let port = try own.freePorts(1)[0]
        let configuration = configuration {
            $0.listen = [.tcp(host: own.text, port: port)]
        }
        let hold = PortHold(configuration, [])
        let address = try #require(SocketAddress(host: own.text, port: port))
        let status = Lock<Int?>(nil)
        let client = try WorkerThread(name: "client") {
            let client = try? TestClient(address, name: "a.example")
            let answer = try? client?.get(host: "a.example")
            status.withLock { $0 = answer?.status }
        }
        let failure = try run(configuration, hold: hold) { _ in client.join() }
        #expect(failure == nil)
        expectEqual(status.withLock { $0 }, 200)
    }

    @Test func everyListenerServesItsPart() throws {
        let folder = fixture.folder.path("run")
        let local = SocketAddress.tcp(host: "127.0.0.1", port: 0)
        let configuration = configuration {
            $0.listen = [local, local]
            $0.admin = local
            $0.plainListen = [local]
            $0.runFolder = folder
        }
        let told = Lock<Running?>(nil)
        let failure = try run(configuration) { running in
            told.withLock { $0 = running }
            for address in running.listeners {
                let client = try? TestClient(address, name: "a.example")
                let answer = try? client?.get(host: "a.example")
                expectEqual(answer?.body, Array(SiteFixture.fragment.utf8))
            }
            guard let plain = running.plain.first, let admin = running.admin else {
                Issue.record("\(running)")
                return
            }
            expectEqual(
                Self.curl("-H", "Host: b.example", "http://\(plain)\(Self.path)"),
                SiteFixture.fragment)
            #expect(Self.curl("http://\(admin)/readyz").hasPrefix("ready\n"))
            // Shared among the workers, rounded up.
            #expect(
                Self.curl("http://\(admin)/metrics").contains("\naasa_connections_limit 102\n"))
            let reply = try? ControlClient.ask(
                RunFolder(path: folder).socket(of: getpid()), .status,
                process: getpid(), seconds: 60)
            #expect(reply?.version == "1.2" && reply?.phase == "serving")
        }
        #expect(failure == nil)
        let running = try #require(told.withLock { $0 })
        expectEqual(Set(running.listeners).count, 2)
        // Nothing of it is left.
        let socket = RunFolder(path: folder).socket(of: getpid())
        #expect(!Files.exists(socket))
        for address in running.listeners + running.plain {
            #expect(throws: (any Error).self) {
                var probe = try Socket(for: address)
                defer { probe.close() }
                if case .failed(let error) = probe.connect(to: address) { throw error }
                var item = pollfd(fd: probe.raw, events: Int16(POLLOUT), revents: 0)
                poll(&item, 1, 60_000)
                if let error = probe.pendingError() { throw error }
            }
        }
    }

    @Test func challengesHaveAListenerOfTheirOwn() throws {
        let own = OwnAddress()
        let port = try own.freePorts(1)[0]
        let configuration = configuration {
            $0.challengeListen = [.tcp(host: own.text, port: port)]
            $0.redirectsPlain = true
        }
        let challenges = HTTP01Challenges()
        challenges.replace(["token": "token.thumb"])
        let failure = try run(configuration, challenges: challenges) { _ in
            let base = "http://\(own.text):\(port)"
            expectEqual(Self.curl("\(base)/.well-known/acme-challenge/token"), "token.thumb")
            let format = "%{http_code} %{redirect_url}"
            expectEqual(
                Self.curl("-o", "/dev/null", "-w", format, "-H", "Host: a.example", "\(base)/x"),
                "301 https://a.example/x")
            expectEqual(
                Self.curl("-o", "/dev/null", "-w", format, "-H", "Host: evil.example", "\(base)/x"),
                "404 ")
        }
        #expect(failure == nil)
    }

    // MARK: What goes wrong beside it

    /// A companion that is at odds with the world.
    private struct Companion: EndpointPart {
        var problem: Problem?
        /// Called when it is to stop.
        var stopping: @Sendable () -> Void = {}

        func prepare() throws(Problem) { if let problem { throw problem } }
        func start(beside reloader: Reloader, _ publisher: SnapshotPublisher) {}
        func publicationChanged() {}
        func stop() { stopping() }
    }

    /// An upgrade that fails must not take anything from the process that goes on serving.
    @Test func aSuccessorThatFailsLeavesTheSocketOfItsPredecessor() throws {
        let folder = try TemporaryFolder("plain")
        let path = folder.path("s")
        let (predecessor, name) = try SocketName.listen(
            path, backlog: 1, mode: 0o666, replaces: false)
        defer {
            name.remove()
            close(predecessor)
        }
        let inode = Files.status(path)?.inode
        var listener = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
        let handed = InheritedSocket(descriptor: listener.release(), name: "https")
        let failure = Problem(place: "test", cause: "it fails", remedy: "")
        try expectEqual(
            run(
                configuration { $0.plainListen = SocketAddress.listening("unix:\(path)") ?? [] },
                handed: [handed],
                beside: Companion(problem: failure)), failure)
        expectEqual(Files.status(path)?.inode, inode)
        try expectEqual(Files.names(in: folder.path, limit: 10), ["s"])
    }

    /// The way out where a thread waits for a disk: the process would be left, serving nobody.
    @Test func anEndThatHangsIsEnded() throws {
        let released = try Wakeup()
        let deadline = try ShutdownDeadline(patience: .zero, log: log.logger) { released.signal() }
        let companion = Companion {
            // Hangs until the process is ended.
            _ = Waiting.wait([.init(released.descriptor)], until: .distantFuture)
        }
        #expect(try run(configuration(), beside: companion, deadline: deadline) == nil)
        #expect(log.lines.contains { $0.contains("exiting with work unfinished") })
    }

    // MARK: What is refused before a client is accepted

    @Test func whatCannotBeIsSaidWithItsOption() throws {
        let many = try run(configuration { $0.connectionsMaximum = 1 << 40 })
        expectEqual(many?.place, "--max-connections")
        expectEqual(many?.cause.contains("\(1 << 40) connections need"), true)
        let token = try run(
            configuration {
                $0.admin = .tcp(host: "127.0.0.1", port: 0)
                $0.adminTokenFile = "/no/such/token"
            })
        expectEqual(token?.place, "--admin-token-file /no/such/token")
        var taken = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
        defer { taken.close() }
        let address = SocketAddress.tcp(host: "127.0.0.1", port: taken.address.port)
        try expectEqual(
            run(configuration { $0.plainListen = [address] })?.place,
            "--listen-plain \(taken.address)")
        try expectEqual(
            run(configuration { $0.challengeListen = [address] })?.place,
            "--acme-http \(taken.address)")
        try expectEqual(
            run(configuration { $0.listen = [address] })?.place, "--listen \(taken.address)")
    }

    /// Commands cannot find it, but it serves: no reason to serve nobody.
    @Test func withoutARunFolderItServesAllTheSame() throws {
        try fixture.folder.write("file", "x")
        let path = fixture.folder.path("file")
        let didRun = Lock(false)
        let failure = try run(configuration { $0.runFolder = path }) { _ in
            didRun.withLock { $0 = true }
        }
        #expect(failure == nil && didRun.withLock { $0 })
        #expect(
            log.lines.contains {
                $0.hasPrefix(
                    "warning aasa reload, aasa upgrade and aasa status cannot find this server: ")
            })
    }

    // MARK: The last good state

    /// What a process serves, for its successor.
    private func archive() throws -> [UInt8] {
        var loader = try fixture.loader()
        _ = try loader.load(now: WallClock.seconds)
        return KeptArchive.encode(loader.kept)
    }

    private func text(_ endpoint: Endpoint, _ host: String) -> String? {
        endpoint.snapshot.host(named: host)?.association.response(userAgent: nil).response.text
    }

    @Test func aBrokenFileFallsBackToWhatThePredecessorServed() throws {
        let archive = try archive()
        try fixture.write("a.example/teams/D3KQX62K1A.json", "{")
        let successor = try endpoint(archive)
        expectEqual(text(successor, "a.example"), SiteFixture.fragment)
        #expect(successor.firstReport.hasErrors)
        // The files have to be right by themselves where nothing is remembered.
        let fresh = try endpoint()
        #expect(text(fresh, "a.example") != SiteFixture.fragment)
        #expect(fresh.firstReport.hasErrors)
    }

    @Test func aSuccessorThatWouldServeLessIsRefused() throws {
        let archive = try archive()
        expectEqual(rename(fixture.site + "/b.example", fixture.folder.path("away")), 0)
        let failure = #expect(throws: Problem.self) {
            try endpoint(archive)
        }
        expectEqual(failure?.place, "upgrade")
        expectEqual(failure?.cause.contains("the host b.example"), true)
        expectEqual(failure?.remedy.contains("--force"), true)
        #expect(throws: Never.self) {
            try endpoint(archive, mayServeLess: true)
        }
        // More than five things are counted.
        for number in 0..<8 {
            try fixture.write("b\(number).example/apple-app-site-association", "{}")
        }
        let many = #expect(throws: Problem.self) {
            let more = try self.archive()
            for number in 0..<8 {
                rename(fixture.site + "/b\(number).example", fixture.folder.path("b\(number)"))
            }
            return try endpoint(more)
        }
        expectEqual(many?.cause.contains(" more"), true, "\(many as Any)")
        expectEqual(many?.cause.split(separator: ",").count, 5, "\(many as Any)")
    }

    /// What was served only from kept bytes would be gone without anyone's order.
    @Test func aDamagedHandOverIsTakenOnlyByOrder() throws {
        let damaged = Array(try archive().prefix(50))
        #expect(throws: Problem.self) { try endpoint(damaged) }
        _ = try endpoint(damaged, mayServeLess: true)
    }

    /// A signal may ask for an upgrade before the first turn of the reloader.
    @Test func whatIsServedIsHandedOverFromTheStartOn() throws {
        try expectEqual(endpoint().keeper.archive, archive())
    }

    /// The keeper of a server that has served the site.
    private func keeper(_ state: String) throws -> StateKeeper {
        let keeper = StateKeeper(path: state)
        var loader = try fixture.loader()
        _ = try loader.load(now: WallClock.seconds)
        #expect(keeper.keep(loader.kept) == nil)
        return keeper
    }

    /// Also while the server before this one still drains.
    @Test(arguments: [true, false]) func theStateFolderIsReadAtTheStart(isFree: Bool) throws {
        let state = fixture.folder.path("state")
        let before = try keeper(state)
        if isFree { before.yield() }
        try fixture.write("a.example/teams/D3KQX62K1A.json", "{")
        let next = try endpoint { $0.stateFolder = state }
        expectEqual(text(next, "a.example"), SiteFixture.fragment)
        expectEqual(log.lines.contains { $0.contains("another server keeps its state") }, !isFree)
        before.yield()
    }

    @Test func aSiteWithoutAHostIsRefused() throws {
        for host in ["a.example", "b.example"] {
            expectEqual(rename("\(fixture.site)/\(host)", fixture.folder.path(host)), 0)
        }
        let failure = #expect(throws: Problem.self) { try endpoint() }
        expectEqual(failure?.cause, "the folder contains no host")
    }
}
