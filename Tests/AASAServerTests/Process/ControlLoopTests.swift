import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// The loop runs on a thread of the test's own, which sends the signals to itself: they wait until
/// the loop asks for them.
@Suite struct ControlLoopTests {
    /// What was seen while the loop ran.
    private final class Seen: Sendable {
        let log: FileLog
        let reopened = Lock(0)
        /// Whether the listeners beside the workers' were closed.
        let isClosed = Lock(false)
        let replies = Lock<[ControlReply]>([])
        let told = Lock<[String]>([])
        let phase = Lock<StatusReport.Phase?>(nil)
        let isTold = Lock<Bool?>(nil)
        let reloads = Lock<UInt64>(0)
        /// Whether the state folder was left to a successor.
        let isYielded = Lock(false)

        init() throws { log = try FileLog() }

        func hasLine(_ part: String) -> Bool { log.lines.contains { $0.contains(part) } }
    }

    /// How the loop is run.
    private struct Plan: Sendable {
        /// Sent before it begins.
        var signals: [Int32] = []
        /// Orders given before it begins, and the signal that the answer to the last one sends, or
        /// an earlier one.
        var orders = 0
        var signalAfterAnswers: Int32?
        var answersBeforeSignal: Int?
        var program = "/bin/sh"
        var successor = "exit 1"
        var vanished: [String: Int64] = [:]
        var reopenProblems: [Problem] = []
        var drain: Duration = .zero
        var environment: [String: String] = [:]
        var stateFolder: String?
        /// The workers end by themselves.
        var workersEnd = false
        /// A reloader runs, on a site of its own.
        var reloads = false
    }

    private func run(_ plan: Plan) throws -> Seen {
        let seen = try Seen()
        let endpoint = try TestEndpoint()
        defer { endpoint.stop() }
        let folder = try TemporaryFolder("loop")
        let notify = try NotifySocket(folder.path("s"))
        let board = StatusBoard(version: "1")
        let reloader = try Reloader()
        if plan.reloads { try start(reloader, board) }
        let failure = Lock<String?>(nil)
        let thread = try WorkerThread(name: "control") {
            do {
                try Self.loop(plan, seen, endpoint, reloader, board, notify: folder.path("s"))
            } catch {
                failure.withLock { $0 = "\(error)" }
            }
        }
        thread.join()
        #expect(failure.withLock { $0 } == nil)
        seen.told.withLock { $0 = notify.received() }
        guard plan.reloads else { return seen }
        if plan.signals.contains(SIGHUP) {
            #expect(eventually { board.report().reloads.succeeded > 0 })
        }
        reloader.stop()
        seen.reloads.withLock { $0 = board.report().reloads.succeeded }
        return seen
    }

    private func start(_ reloader: Reloader, _ board: StatusBoard) throws {
        let fixture = try SiteFixture()
        try fixture.write("a.example/apple-app-site-association", SiteFixture.fragment)
        try fixture.certify("a.example", begins: -3_000, ends: 80_000)
        var loader = try fixture.loader()
        let publication = try loader.load(now: SiteFixture.now).publication
        let kept = Kept(fixture)
        try reloader.start(
            ReloadLoop(
                loader: loader, publisher: SnapshotPublisher(publication), board: board,
                pollInterval: .seconds(3600), watches: false, keeper: StateKeeper(path: nil),
                log: try FileLog().logger, around: { _ in _ = kept }))
    }

    /// Keeps the folders of a site for as long as they are read.
    private final class Kept: @unchecked Sendable {
        let fixture: SiteFixture
        init(_ fixture: SiteFixture) { self.fixture = fixture }
    }

    private static func loop(
        _ plan: Plan, _ seen: Seen, _ endpoint: TestEndpoint, _ reloader: Reloader,
        _ board: StatusBoard, notify: String
    ) throws {
        let signals = try ControlSignals.block()
        let keeper = StateKeeper(path: plan.stateFolder)
        board.write { [vanished = plan.vanished] report in
            report.phase = .serving
            report.vanished = vanished
        }
        var threads = try EndpointThreads(server: endpoint.server, reloader: reloader)
        let admin = try AdminServer(on: .v4(0x7F00_0001, port: 0)) {
            AdminResponder(report: board.report()).response(to: $0)
        }
        threads.admin = admin
        defer { admin.stop() }
        let orders = threads.orders
        let notifier = ServiceNotifier(
            environment: plan.environment.merging(["NOTIFY_SOCKET": notify]) { $1 },
            process: getpid())
        var context = EndpointContext(
            notifier: notifier, board: board, arguments: [plan.program, "-c", plan.successor],
            environment: ["PATH": "/usr/bin:/bin"])
        context.reopenLogs = {
            seen.reopened.withLock { $0 += 1 }
            return plan.reopenProblems
        }
        var loop = ControlLoop(
            threads, context, drainTime: plan.drain, keeper: keeper, log: seen.log.logger,
            sockets: UpgradeSockets(
                listening: endpoint.server.listeningDescriptors, admin: nil))
        for _ in 0..<plan.orders {
            orders.put(
                UpgradeOrder(isForced: false) { reply in
                    let count = seen.replies.withLock { replies in
                        replies.append(reply)
                        return replies.count
                    }
                    if count == plan.answersBeforeSignal ?? plan.orders,
                        let signal = plan.signalAfterAnswers
                    {
                        pthread_kill(pthread_self(), signal)
                    }
                })
        }
        for signal in plan.signals { pthread_kill(pthread_self(), signal) }
        if plan.workersEnd { endpoint.server.drain(within: .zero) }
        let isTold = try loop.run(signals)
        seen.isTold.withLock { $0 = isTold }
        let phase = board.phase
        seen.phase.withLock { $0 = phase }
        let isClosed =
            !plan.workersEnd
            && eventually {
                guard var client = try? Socket(for: admin.address) else { return false }
                defer { client.close() }
                var item = pollfd(fd: client.raw, events: Int16(POLLOUT), revents: 0)
                if case .failed = client.connect(to: admin.address) { return true }
                poll(&item, 1, 60_000)
                return client.pendingError() != nil
            }
        seen.isClosed.withLock { $0 = isClosed }
        keeper.write()
        let isYielded = plan.stateFolder.map { !Files.exists($0) } ?? false
        seen.isYielded.withLock { $0 = isYielded }
    }

    @Test func signalsAreOrders() throws {
        var plan = Plan(signals: [SIGHUP, SIGUSR1, SIGTERM])
        plan.reloads = true
        let seen = try run(plan)
        #expect(seen.reloads.withLock { $0 } >= 1)
        expectEqual(seen.reopened.withLock { $0 }, 1)
        #expect(seen.hasLine("log files reopened"))
        #expect(seen.hasLine("notice  SIGTERM received: shutting down. No new connection begins"))
        #expect(seen.hasLine("0.9 s to send their ClientHello: the listeners are closed"))
        #expect(seen.hasLine("seconds=9"))
        #expect(seen.isClosed.withLock { $0 })
        expectEqual(seen.phase.withLock { $0 }, .draining, "/readyz says so before the end")
        expectEqual(seen.told.withLock { $0 }, [Self.stopping])
        #expect(!seen.hasLine("all workers have stopped"))
    }

    /// Who is started beside a drain uses what was kept, and keeps it.
    @Test(arguments: [.zero, .milliseconds(50)] as [Duration])
    func whoIsToldToEndLeavesTheStateFolder(drain: Duration) throws {
        let folder = try TemporaryFolder("state")
        let seen = try run(
            Plan(signals: [SIGTERM], drain: drain, stateFolder: folder.path("kept")))
        #expect(seen.isYielded.withLock { $0 })
    }

    /// What has failed is not said to be done.
    @Test func aRotationThatFailsIsSaid() throws {
        let seen = try run(
            Plan(
                signals: [SIGUSR1, SIGTERM],
                reopenProblems: [
                    Problem(place: "access.log", cause: "cannot be written", remedy: "make room")
                ]))
        expectEqual(seen.reopened.withLock { $0 }, 1)
        #expect(seen.hasLine("error   access.log: cannot be written  fix=\"make room\""))
        #expect(!seen.hasLine("log files reopened"))
    }

    @Test func withoutAnOrderNothingIsReloaded() throws {
        var plan = Plan(signals: [SIGTERM])
        plan.reloads = true
        let seen = try run(plan)
        expectEqual(seen.reloads.withLock { $0 }, 0)
        expectEqual(seen.reopened.withLock { $0 }, 0)
    }

    @Test func theSecondSignalEndsAtOnce() throws {
        let seen = try run(Plan(signals: [SIGINT, SIGTERM]))
        #expect(seen.hasLine("SIGINT received: the listeners are closed"))
        #expect(seen.hasLine("SIGTERM received: stopping at once"))
        expectEqual(seen.told.withLock { $0 }, [Self.stopping], "told once")
    }

    /// Balancers need a while to notice: until then clients are accepted.
    @Test func withADrainTimeItAcceptsFirst() throws {
        let seen = try run(Plan(signals: [SIGTERM], drain: .milliseconds(50)))
        #expect(seen.hasLine("notice  SIGTERM received: shutting down. aasa still accepts"))
        #expect(seen.hasLine("readyz=draining"))
        #expect(seen.hasLine("the time of --drain has expired: shutting down. No new connection"))
        #expect(seen.hasLine("the listeners are closed"))
        #expect(seen.isClosed.withLock { $0 })
        expectEqual(seen.phase.withLock { $0 }, .draining)
    }

    /// Some times only: nobody reads the socket while the loop runs, and it holds ten.
    @Test func theWatchdogIsFed() throws {
        let seen = try run(
            Plan(
                signals: [SIGTERM], drain: .milliseconds(50),
                environment: ["WATCHDOG_USEC": "30000"]))
        expectEqual(seen.told.withLock { $0.first }, "STOPPING=1\nEXTEND_TIMEOUT_USEC=15050000")
        #expect(seen.told.withLock { $0.dropFirst().contains("WATCHDOG=1") })
    }

    @Test func workersThatEndUnaskedAreAnError() throws {
        let seen = try run(Plan(workersEnd: true))
        expectEqual(seen.isTold.withLock { $0 }, false)
        expectEqual(seen.phase.withLock { $0 }, .serving)
    }

    /// For the service manager: 10 s for open connections, 5 s for everything else.
    private static let stopping = "STOPPING=1\nEXTEND_TIMEOUT_USEC=15000000"

    // MARK: Upgrades

    @Test func aFailedUpgradeChangesNothing() throws {
        let seen = try run(
            Plan(
                orders: 2, signalAfterAnswers: SIGTERM,
                successor: "printf 'Fcannot: serve' >&4; exit 1"))
        let replies = seen.replies.withLock { $0 }
        // The second one comes while the first is under way, and is answered before it.
        expectEqual(replies.map(\.outcome), [.refused, .refused])
        expectEqual(
            replies.map(\.problems),
            [
                ["an upgrade or a drain is already in progress: try again when it has ended"],
                [
                    "refused: the new process: cannot: serve; process \(getpid()) keeps serving"
                ],
            ])
        #expect(seen.hasLine("error   upgrade: the new process: cannot: serve; this process keeps"))
        expectEqual(seen.told.withLock { $0 }, [Self.stopping])
    }

    @Test func aSuccessorThatServesTakesOver() throws {
        let folder = try TemporaryFolder("state")
        let seen = try run(
            Plan(
                orders: 1, successor: "printf 'Ra.example: kept' >&4",
                stateFolder: folder.path("kept")))
        let reply = try #require(seen.replies.withLock { $0.first })
        expectEqual(reply.outcome, .findings)
        expectEqual(reply.problems, ["a.example: kept"])
        let told = seen.told.withLock { $0 }
        let successor = told.first?.split(separator: "=").last.flatMap { pid_t($0) } ?? 0
        expectEqual(told, ["MAINPID=\(successor)"], "it does not stop, it is replaced")
        expectEqual(
            reply.lines,
            [
                "process \(successor) is serving; process \(getpid()) finishes its connections and exits"
            ])
        #expect(seen.hasLine("replaced by process \(successor): the listeners are closed"))
        expectEqual(seen.phase.withLock { $0 }, .draining)
        // The state is the successor's: nothing is written any more.
        #expect(seen.isYielded.withLock { $0 })
    }

    /// The successor serves what it was handed; the host is still not confirmed to be gone.
    @Test func whatVanishedIsSaidByAnUpgrade() throws {
        let seen = try run(
            Plan(orders: 1, successor: "printf R >&4", vanished: ["gone.example": 0]))
        let reply = try #require(seen.replies.withLock { $0.first })
        expectEqual(reply.outcome, .findings)
        expectEqual(
            reply.problems,
            [
                "error: gone.example has not been served since 1970-01-01T00:00:00Z: its folder vanished",
                "  fix: restore the folder, or run aasa reload to confirm its removal",
            ])
    }

    @Test func whatIsKeptByNobodyIsGood() throws {
        let seen = try run(Plan(orders: 1, successor: "printf R >&4"))
        expectEqual(seen.replies.withLock { $0.map(\.outcome) }, [.good])
    }

    @Test func whoEndsBeginsNoUpgrade() throws {
        let seen = try run(Plan(signals: [SIGINT, SIGUSR2], orders: 1))
        #expect(seen.hasLine("warning an upgrade or a drain is already in progress"))
        expectEqual(seen.replies.withLock { $0.map(\.outcome) }, [.refused])
        #expect(!seen.hasLine("upgrade: starting the new process"))
    }

    /// Else it would serve on, and who ended the server knows nothing of it.
    @Test(arguments: [SIGTERM, SIGINT])
    func whoIsToldToEndEndsItsSuccessorToo(signal: Int32) throws {
        // The second order is refused at once, and its answer sends the signal.
        let seen = try run(
            Plan(
                orders: 2, signalAfterAnswers: signal, answersBeforeSignal: 1,
                successor: "exec sleep 300"))
        expectEqual(
            seen.replies.withLock { $0.map(\.problems) },
            [
                ["an upgrade or a drain is already in progress: try again when it has ended"],
                ["refused: process \(getpid()) is shutting down"],
            ])
        #expect(seen.hasLine("notice  upgrade: canceled, because this process is shutting down"))
        let line = try #require(seen.log.lines.first { $0.contains("starting the new process") })
        let successor = try #require(line.split(separator: "=").last.flatMap { pid_t($0) })
        #expect(eventually { kill(successor, 0) != 0 && errno == ESRCH }, "it was ended")
    }

    @Test func aProgramThatCannotBeStartedIsSaid() throws {
        var plan = Plan(signals: [SIGUSR2, SIGTERM])
        plan.program = "/no/such/aasa"
        let seen = try run(plan)
        #expect(seen.hasLine("error   upgrade: /no/such/aasa cannot be started: "))
        #expect(seen.hasLine("this process keeps serving"))
    }
}
