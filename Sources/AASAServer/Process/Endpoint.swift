import AppSiteAssociation
import HTTP
package import Logging
import OpenSSL
package import Reactor

/// The whole of `aasa serve`: makes from a configuration a server that runs, reloads, is monitored,
/// drains and hands over. The order of the steps matters:
///
/// ```
/// signals blocked → ports held → keys and site read → sockets bound or taken over
/// → privileges dropped → workers → reloader → admin → "ready" → control loop → drain → end
/// ```
///
/// All failures that an operator can fix happen before the first client is accepted, and before a
/// predecessor has to exit.
package final class Endpoint {
    let configuration: ServerConfiguration
    private let handed: [InheritedSocket]
    let log: Logger
    private var loader: SiteLoader
    let publisher: SnapshotPublisher
    private let tickets: SessionTickets?
    let keeper: StateKeeper
    package let firstReport: LoadReport

    /// For a check: the files on disk have to be correct without any kept state.
    package convenience init(
        checking configuration: ServerConfiguration, log: Logger
    ) throws(Problem) {
        var configuration = configuration
        configuration.stateFolder = nil
        try self.init(configuration: configuration, handed: [], log: log)
    }

    /// Reads and builds everything that is served; binds nothing. What is broken on disk falls back
    /// to what the predecessor served, or else to what the state folder holds.
    ///
    /// - Parameters:
    ///   - handed: sockets from systemd or from the process that this one replaces.
    ///   - predecessor: the state of the process that this one replaces.
    ///   - mayServeLess: whether the operator allows less than the predecessor serves.
    /// - Throws: also if this process would serve less than its predecessor.
    package init(
        configuration: ServerConfiguration, handed: [InheritedSocket], predecessor: [UInt8]? = nil,
        mayServeLess: Bool = false, log: Logger
    ) throws(Problem) {
        self.configuration = configuration
        self.handed = handed
        self.log = log
        do {
            // Each takes some milliseconds, so that all processors work on them.
            let libraries = try ParallelMap.run(
                configuration.workers, threads: ProcessLimits.processorCount,
                name: "aasa-libraries"
            ) { _ throws(OpenSSLError) in try TLSLibrary(for: .serving) }
            tickets =
                configuration.sessionTickets
                ? try SessionTickets(now: MonotonicInstant.now().wholeSeconds) : nil
            loader = SiteLoader(
                configuration: configuration, libraries: libraries, tickets: tickets,
                sign: { try CMSSigner.sign($0, with: $1) })
        } catch {
            throw Problem(
                place: "TLS", cause: error.description,
                remedy: error.remedy ?? "check openssl.cnf (OPENSSL_CONF) and aasa --version")
        }
        keeper = StateKeeper(
            path: configuration.stateFolder, owner: Privileges.owner(configuration.user))
        let kept =
            predecessor.map { KeptArchive.decode($0) } ?? Self.readState(keeper, log)
        if kept == nil, !mayServeLess {
            throw Problem(
                place: "upgrade", cause: "the predecessor's state cannot be read",
                remedy: "restart the server; aasa upgrade --force upgrades without that state")
        }
        for (name, why) in loader.restore(kept ?? KeptTree()) {
            log.error("state: the last good version of \(name) is not used: \(why)")
        }
        if let missing = try? HTTP2Library.missingLimits(), !missing.isEmpty {
            log.warning(
                "libnghttp2 \(HTTP2Library.version) is too old for the Internet: it lacks \(missing.joined(separator: ", ")). Install your distribution's security updates."
            )
        }
        let (publication, report) = try loader.load(now: WallClock.seconds)
        // A signal may ask for an upgrade before the reloader runs.
        keeper.remember(loader.kept)
        publisher = SnapshotPublisher(publication)
        firstReport = report
        let before = predecessor == nil ? [] : kept?.inventory ?? []
        let missing = before.subtracting(loader.inventory ?? before).sorted()
        if !mayServeLess, !missing.isEmpty {
            throw Problem(
                place: "upgrade",
                cause: "it would serve less than its predecessor: \(listed(missing))",
                remedy: "run aasa reload for the reasons; aasa upgrade --force upgrades anyway")
        }
    }

    /// What the state folder holds; logs what it cannot read.
    private static func readState(_ keeper: StateKeeper, _ log: Logger) -> KeptTree {
        let (tree, problems) = keeper.read()
        for problem in problems { log.error("state: \(problem)", metadata: problem.metadata) }
        return tree
    }

    /// What is served now.
    package var snapshot: Snapshot { publisher.latest.snapshot }

    /// Binds and starts the server, and returns when the server has been told to end and has ended.
    ///
    /// - Parameters:
    ///   - signals: from `ControlSignals.block`, before any thread was started.
    ///   - hold: of the ports, made before the site was loaded.
    ///   - started: called once everything runs, with the addresses of the listeners, of those
    ///     without TLS for a terminator, and of the admin listener.
    package func run(
        signals: consuming Signals, _ context: EndpointContext, hold: PortHold? = nil,
        started: (
            _ listeners: [SocketAddress], _ plain: [SocketAddress], _ admin: SocketAddress?
        ) -> Void
    ) throws(Problem) {
        let patience = PortPatience(configuration, log: log)
        let sockets = try EndpointSockets(
            configuration, handed, hold: hold, patience: patience)
        var threads = try makeThreads(sockets, context)
        if let descriptor = sockets.adminDescriptor {
            // The descriptor itself is kept for an upgrade.
            threads.admin = try AdminServer(
                on: descriptor, board: context.board, configuration)
        }
        threads.challenges = try startChallenges(patience)
        threads.plain = try startPlain(
            configuration.plainListen, option: "--listen-plain", thread: "aasa-plain",
            DocumentService(publisher: publisher, access: context.accessLog), patience)
        let run = makeRunFolder()
        if let user = configuration.user {
            // Only root may rename everywhere; and who is root still has no predecessor to leave
            // a name to, as that one would have given root up.
            if CurrentProcess.user == 0 { try takeNames(threads.plain) }
            try Privileges.drop(to: user)
        }
        for part in context.parts { try part.prepare() }
        try start(threads, context)
        threads.commands = run.flatMap { listenForCommands($0, threads, context.board) }
        // The last that can fail: until here a predecessor has to be able to go on.
        try takeNames(threads.plain)
        started(
            sockets.distinct(threads.server.addresses), threads.plain?.addresses ?? [],
            threads.admin?.address)
        var loop = ControlLoop(
            threads, context, drainTime: configuration.drain, keeper: keeper, log: log,
            sockets: UpgradeSockets(
                listening: threads.server.listeningDescriptors, admin: sockets.adminDescriptor,
                areOwn: handed.allSatisfy { $0.isOwn || SocketActivation.isAdmin($0) }))
        let isTold: Bool
        do throws(SystemError) {
            isTold = try loop.run(signals)
        } catch {
            throw .limits("control", error)
        }
        stop(threads, context)
        if !isTold {
            throw Problem(
                place: "serve", cause: "all workers have stopped",
                remedy: "the log has the reason of each; start the server again")
        }
    }

    /// Binds the workers' listeners; runs nothing yet.
    private func makeThreads(
        _ sockets: EndpointSockets, _ context: EndpointContext
    ) throws(Problem) -> EndpointThreads {
        let limits = try limits()
        let log = log
        let threads = try EndpointSockets.explaining("--listen") { () throws(SystemError) in
            try EndpointThreads(
                server: Server(
                    addresses: sockets.addresses, handed: sockets.handed, held: sockets.held,
                    workers: configuration.workers, limits: limits, publisher: publisher,
                    proxies: configuration.proxyProtocol, access: context.accessLog,
                    report: { log.error("\($0)") }),
                reloader: Reloader())
        }
        context.board.read(
            StatusBoard.Sources(
                counters: threads.server.counters,
                connectionsMaximum: limits.connectionsMaximum * configuration.workers,
                publisher: publisher, hasPlainListener: !configuration.plainListen.isEmpty,
                keeper: keeper, accessLog: context.accessLog, messages: context.messages,
                adminTokenFile: configuration.adminTokenFile))
        return threads
    }

    /// The limits of each worker.
    func limits() throws(Problem) -> ServerLimits {
        var limits = configuration.limits
        if configuration.expectsPooledClients { limits.allowPooledClients() }
        limits.shedding.answersPerSecond = configuration.answersPerSecondMaximum.map {
            // The kernel spreads connections evenly over the workers.
            Double($0) / Double(configuration.workers)
        }
        limits.connectionsMaximum = try connectionsMaximum()
        limits.keyReservePairs = ServerLimits.keyReservePairs(
            asked: configuration.keyReservePairs, workers: configuration.workers)
        return limits
    }

    private func start(
        _ threads: EndpointThreads, _ context: EndpointContext
    ) throws(Problem) {
        let (notifier, parts) = (context.notifier, context.parts)
        do {
            try context.accessLog?.start()
            try threads.server.start()
            let (monitor, board, log) = (threads.monitor, context.board, log)
            try monitor.start(name: "aasa-monitor") { Monitor.run(monitor, board, log) }
            let loop = ReloadLoop(
                loader: loader, publisher: publisher, board: board,
                pollInterval: configuration.pollInterval, watches: configuration.watchesFolders,
                keeper: keeper, log: log,
                around: { moment in
                    notifier.tell(moment)
                    if moment == .ended { for part in parts { part.publicationChanged() } }
                })
            try threads.reloader.start(loop, first: firstReport)
            board.write { $0.phase = .serving }
            for part in parts { try part.start(beside: threads.reloader, publisher) }
        } catch {
            throw error as? Problem ?? .limits("start", error)
        }
    }

    private func stop(_ threads: EndpointThreads, _ context: EndpointContext) {
        threads.commands?.stop()
        for part in context.parts { part.stop() }
        threads.challenges?.stop()
        threads.plain?.stop()
        threads.reloader.stop()
        threads.admin?.stop()
        threads.monitor.stop()
        context.accessLog?.stop()
    }

    /// Makes the folder of the control socket, while the process may still be root.
    private func makeRunFolder() -> RunFolder? {
        guard let path = configuration.runFolder else { return nil }
        let folder = RunFolder(path: path)
        do throws(Problem) {
            try folder.make(owner: Privileges.owner(configuration.user))
            folder.removeLeftovers(now: WallClock.seconds)
            return folder
        } catch {
            logNoCommands(error)
            return nil
        }
    }

    private func listenForCommands(
        _ folder: RunFolder, _ threads: EndpointThreads, _ board: StatusBoard
    ) -> AuxiliaryServer? {
        do throws(SystemError) {
            return try AuxiliaryServer(
                path: folder.socket(of: CurrentProcess.id),
                ControlService(reloader: threads.reloader, orders: threads.orders, board: board))
        } catch {
            logNoCommands(
                Problem(
                    place: "", cause: error.description,
                    remedy: "name another run folder: --run"))
            return nil
        }
    }

    private func logNoCommands(_ problem: Problem) {
        log.warning(
            "aasa reload, aasa upgrade and aasa status cannot find this server: \(problem)",
            metadata: problem.metadata)
    }

    private func connectionsMaximum() throws(Problem) -> Int {
        let descriptors = try Problem.explaining(try ProcessLimits.raiseDescriptorLimit()) {
            .limits("descriptors", $0)
        }
        let possible = ServerLimits.connectionsMaximum(
            descriptors: descriptors, workers: configuration.workers)
        let needed = ServerLimits.descriptorsReserved + 32 * configuration.workers
        if descriptors < needed {
            throw Problem(
                place: "descriptors",
                cause: "this process may open \(descriptors) files; at least \(needed) are needed",
                remedy: "raise the limit: ulimit -n 65536, or LimitNOFILE=131072 in the unit")
        }
        guard let wanted = configuration.connectionsMaximum else {
            return min(possible, ServerLimits.standard.connectionsMaximum)
        }
        let share = (wanted + configuration.workers - 1) / configuration.workers
        if share > possible {
            throw Problem(
                place: "--max-connections",
                cause:
                    "\(wanted) connections need \(wanted + ServerLimits.descriptorsReserved) descriptors; the limit is \(descriptors)",
                remedy: "raise the limit: ulimit -n, or LimitNOFILE= in the unit")
        }
        return share
    }

    func startChallenges(_ patience: PortPatience? = nil) throws(Problem) -> AuxiliaryServer? {
        let publisher = publisher
        return try startPlain(
            configuration.challengeListen, option: "--acme-http", thread: "aasa-challenge",
            PlainHTTPResponder(
                challenges: configuration.challenges ?? ChallengeTable(),
                redirects: configuration.redirectsPlain,
                isServed: { publisher.latest.snapshot.host(named: $0) != nil }), patience)
    }

    private func startPlain(
        _ wanted: [SocketAddress], option: String, thread: StaticString,
        _ service: any AuxiliaryService, _ patience: PortPatience?
    ) throws(Problem) -> AuxiliaryServer? {
        if wanted.isEmpty { return nil }
        let addresses = EndpointSockets.addresses(wanted)
        // If sockets were handed over, a predecessor may still use the same port.
        if !isHandedOver { try EndpointSockets.refuseIfTaken(addresses, option: option, patience) }
        return try EndpointSockets.explaining(option) { () throws(SystemError) in
            try AuxiliaryServer(
                on: addresses, name: thread, service: service, replaces: isHandedOver,
                owner: Privileges.owner(configuration.user))
        }
    }

    private var isHandedOver: Bool { handed.contains { !SocketActivation.isAdmin($0) } }

    private func takeNames(_ server: AuxiliaryServer?) throws(Problem) {
        try Problem.explaining(try server?.takeNames()) {
            EndpointSockets.failure($0, option: "--listen-plain")
        }
    }
}
