import Logging
package import Reactor

/// The signals that the server handles. They are blocked before the first thread starts, and the
/// control loop reads them.
package enum ControlSignals {
    /// SIGHUP reload · SIGUSR1 reopen log files · SIGUSR2 upgrade · SIGTERM, SIGINT end, as
    /// ``TerminationStateMachine`` decides.
    package static func block() throws(SystemError) -> Signals {
        try Signals(blocking: [Signals.hangup, Signals.user1, Signals.user2] + Signals.ending)
    }
}

/// The main thread while the server runs: turns signals into orders, informs the service manager,
/// and supervises an upgrade. It does nothing that takes long.
struct ControlLoop: ~Copyable {
    private let threads: EndpointThreads
    private let context: EndpointContext
    private let keeper: StateKeeper
    private let log: Logger
    private var sockets: UpgradeSockets
    /// The answer is to the command that waits for the outcome; nil: a signal asked.
    private var upgrade: (running: Upgrade, answer: ControlReply.Answer?)?
    private var leaving: WorkerThread?
    private var termination: TerminationStateMachine

    init(
        _ threads: EndpointThreads, _ context: EndpointContext, drainTime: Duration,
        keeper: StateKeeper, log: Logger, sockets: UpgradeSockets
    ) {
        self.threads = threads
        self.context = context
        self.keeper = keeper
        self.log = log
        self.sockets = sockets
        termination = TerminationStateMachine(
            drainTime: drainTime, ownsSockets: sockets.areOwn)
    }

    /// Runs until all workers have ended.
    ///
    /// - Returns: whether they were told to.
    /// - Throws: if there is no thread or descriptor to wait for them.
    @discardableResult
    mutating func run(_ signals: consuming Signals) throws(SystemError) -> Bool {
        let ended = try Wakeup()
        let (server, overdue, notifier) = (threads.server, context.deadline, context.notifier)
        let waiting = try WorkerThread(name: "aasa-join") {
            server.join()
            // Here, as this thread waits for nothing else.
            overdue?.begin()
            ended.signal()
        }
        var watchdogAt = notifier.watchdogInterval.map { MonotonicInstant.now() + $0 }
        while true {
            let deadline = min(
                min(watchdogAt ?? .distantFuture, upgrade?.running.deadline ?? .distantFuture),
                termination.deadline)
            let isReady = Waiting.wait(
                [
                    .init(signals.descriptor), .init(ended.descriptor),
                    .init(threads.orders.wakeup.descriptor),
                    .init(upgrade?.running.readiness ?? -1),
                ], until: deadline)
            let now = MonotonicInstant.now()
            while let signal = signals.next() { obey(signal, now) }
            watchUpgrade(isReady[3], now)
            let isClosing = termination.isClosing
            end(
                termination.turn(now: now),
                isClosing
                    ? "clients had \(TerminationStateMachine.closingTime.inSeconds) s to send their ClientHello"
                    : "the time of --drain has expired")
            for order in threads.orders.take() {
                beginUpgrade(order, now)
            }
            if let due = watchdogAt, now >= due {
                notifier.watchdog()
                watchdogAt = notifier.watchdogInterval.map { now + $0 }
            }
            if isReady[1] { break }
        }
        waiting.join()
        leaving?.join()
        return termination.isEnding
    }

    /// Releases the state folder for the next process, on a thread: it waits for a write under
    /// way, and so for a disk.
    private mutating func leaveState() {
        if leaving != nil { return }
        let keeper = keeper
        do throws(SystemError) {
            leaving = try WorkerThread(name: "aasa-leave") { keeper.yield() }
        } catch {
            log.error("this process keeps the state folder until it exits: \(error)")
        }
    }

    private mutating func obey(_ signal: Int32, _ now: MonotonicInstant) {
        switch signal {
        case Signals.hangup: threads.reloader.reload()
        case Signals.user1:
            let problems = context.reopenLogs()
            for problem in problems { log.error("\(problem)", metadata: problem.metadata) }
            if problems.isEmpty { log.info("log files reopened") }
        case Signals.user2: beginUpgrade(nil, now)
        case _ where Signals.ending.contains(signal):
            if !termination.isEnding {
                context.notifier.stopping(within: termination.timeMaximum)
            }
            giveUpgradeUp()
            let isInterrupt = signal == Signals.interrupt
            end(
                termination.told(isInterrupt: isInterrupt, now: now),
                "\(isInterrupt ? "SIGINT" : "SIGTERM") received")
            // Who is started now needs the folder before the last connection here has ended.
            leaveState()
        default: break
        }
    }

    private mutating func end(_ action: TerminationStateMachine.Action?, _ why: String) {
        guard let action else { return }
        context.board.write { $0.phase = .draining }
        switch action {
        case .leave(let until):
            log.notice(
                "\(why): shutting down. aasa still accepts connections for the time of --drain, so that load balancers notice that /readyz fails. A second SIGTERM stops at once.",
                metadata: [
                    "seconds": .stringConvertible(
                        Int(max(.zero, until - .now()).inSeconds.rounded())),
                    "readyz": "draining",
                ])
        case .refuseNewClients:
            log.notice(
                "\(why): shutting down. No new connection begins; clients that have connected are answered."
            )
            threads.server.refuseNewClients()
            threads.plain?.refuseNewClients()
        case .drain(let time):
            log.notice(
                time == .zero
                    ? "\(why): stopping at once"
                    : "\(why): the listeners are closed; finishing open connections",
                metadata: ["seconds": .stringConvertible(time.components.seconds)])
            threads.server.drain(within: time)
            threads.leave()
            if let admin = sockets.admin { FileDescriptor.close(admin) }
            sockets.admin = nil
        }
    }

    // MARK: Upgrade

    /// - Parameter order: of a command; nil: a signal asks.
    private mutating func beginUpgrade(_ order: UpgradeOrder?, _ now: MonotonicInstant) {
        if termination.isEnding || upgrade != nil {
            let why = "an upgrade or a drain is already in progress"
            log.warning("\(why)")
            order?.answer(
                ControlReply(.refused, problems: ["\(why): try again when it has ended"]))
            return
        }
        do throws(Problem) {
            try Upgrade.check(CurrentProcess.id)
            let begun = try Upgrade(
                sockets: sockets, arguments: context.arguments,
                environment: context.environment, state: keeper.archive,
                isForced: order?.isForced == true, now: now)
            log.notice(
                "upgrade: starting the new process",
                metadata: ["pid": .stringConvertible(begun.process)])
            upgrade = (begun, order?.answer)
        } catch {
            refuseUpgrade(error.cause, order?.answer)
        }
    }

    private mutating func watchUpgrade(_ isReadable: Bool, _ now: MonotonicInstant) {
        guard let (running, answer) = upgrade else { return }
        switch running.outcome(isReadable: isReadable, now: now) {
        case .waiting: return
        case .ready(let reported):
            let problems = reported + standingLines
            log.notice(
                "upgrade: the new process is serving",
                metadata: ["pid": .stringConvertible(running.process)])
            context.notifier.mainProcess(running.process)
            running.end()
            upgrade = nil
            // Commands that see the new process no longer reach the old one.
            end(termination.replaced(), "replaced by process \(running.process)")
            answer?(
                ControlReply(
                    problems.isEmpty ? .good : .findings,
                    lines: [
                        "process \(running.process) is serving; process \(CurrentProcess.id) finishes its connections and exits"
                    ], problems: problems))
            leaveState()
        case .failed(let why):
            running.abandon()
            upgrade = nil
            refuseUpgrade(why, answer)
        }
    }

    /// What this process knows and its successor, which has just started, may not.
    private var standingLines: [String] {
        Health.vanished(context.board.vanished).flatMap { errorLines($0.text, fix: $0.fix) }
            + (keeper.problem?.stateLines ?? [])
    }

    /// Shuts down during an upgrade: the new process would keep serving without a supervisor.
    private mutating func giveUpgradeUp() {
        guard let (running, answer) = upgrade else { return }
        running.abandon()
        upgrade = nil
        log.notice("upgrade: canceled, because this process is shutting down")
        answer?(
            ControlReply(
                .refused, problems: ["refused: process \(CurrentProcess.id) is shutting down"]))
    }

    private func refuseUpgrade(_ why: String, _ answer: ControlReply.Answer?) {
        log.error("upgrade: \(why); this process keeps serving")
        answer?(
            ControlReply(
                .refused,
                problems: ["refused: \(why); process \(CurrentProcess.id) keeps serving"]))
    }
}
