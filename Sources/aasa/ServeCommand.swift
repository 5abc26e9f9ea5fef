import AASAClient
import AASAFleet
import AASAServer
import ACME
import ArgumentParser
import Logging
import OpenSSL
import Reactor

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        _superCommandName: "aasa",
        abstract: "Serve the association documents of a site over HTTPS.",
        discussion: """
            A site has one folder per host. aasa reads the certificate of each host from \
            CERTS/HOST/fullchain.pem and privkey.pem, as certbot stores them.

            Each option is also an environment variable: --listen is AASA_LISTEN, and AASA_ACME=on \
            sets a flag. The command line overrides the environment.

            Signals: HUP reloads, USR1 reopens log files, USR2 upgrades, TERM shuts down.

            Options that are rarely needed: aasa serve --help-hidden
            """)

    @OptionGroup var options: ServeOptions

    func run() throws { try serve { _, _ in } }

    /// Serves until told to end.
    ///
    /// - Parameter announce: called when it serves, with the listeners and the admin listener.
    func serve(
        announce: @escaping (_ listeners: [String], _ admin: String?) -> Void
    ) throws {
        // A person waits for a check; a server must not wait for the reader of its notes.
        let environment = CurrentProcess.environment
        if !options.check {
            Terminal.logNotes(options.log.logFormat ?? environment["AASA_LOG_FORMAT"])
        }
        // Before anything is opened: a descriptor that should have been handed over and was not
        // would be taken by a file.
        let handed = try Self.handedSockets(environment)
        do {
            try serve(handed, environment, announce)
        } catch {
            UpgradeEnvironment.notifyFailure(Self.cause(of: error), environment: environment)
            throw error
        }
    }

    /// Why this process does not take over, for the one that it was to replace.
    private static func cause(of error: any Error) -> String {
        guard let problem = error as? Problem ?? (error as? CommandError)?.problem else {
            return "\(error)"
        }
        return problem.place == "upgrade" ? problem.cause : problem.description
    }

    private func serve(
        _ handed: [InheritedSocket], _ environment: [String: String],
        _ announce: @escaping (_ listeners: [String], _ admin: String?) -> Void
    ) throws {
        let state = UpgradeEnvironment.state(environment: environment)
        let (configuration, renewals, machine) = try options.configuration(
            environment: environment)
        let owner = Privileges.owner(configuration.user)
        let sink = try Self.open(configuration.log.file, owner, default: .standardError)
        let (format, level) = (configuration.log.format, configuration.log.level)
        let log = Logger(label: "aasa") { _ in
            ServerLogHandler(format: format, level: level, sink: sink)
        }
        let board = StatusBoard(version: Version.line)
        let follower = try Self.follower(machine, configuration, board, log)
        if options.check { return try Self.check(configuration, follower, renewals, log) }
        let signals = try ControlSignals.block()
        var sinks = [sink]
        var accessLog: AccessLog?
        if let file = configuration.log.accessFile {
            let access = try Self.open(file, owner, default: .standardOutput)
            sinks.append(access)
            accessLog = try? AccessLog(
                workers: configuration.workers,
                linesPerSecond: configuration.log.accessLinesPerSecond, format: format,
                sink: access, log: log)
        }
        let reopenable = sinks
        let notifier = ServiceNotifier(environment: environment, process: CurrentProcess.id)
        // The setting applies to a thread and to those that it starts: so it is made before the
        // first one that stays.
        if configuration.user != nil { try Privileges.forbidMore() }
        // The predecessor's admin listener answers until a successor serves.
        let startup =
            state == nil ? try StartupPhase(board: board, log: log) : nil
        // The site is loaded while a server that shuts down still has the ports.
        let patience = PortPatience(configuration, waits: false, log: log)
        try EndpointSockets.refuseIfTaken(
            EndpointSockets.wanted(configuration, handed), option: "--listen", patience)
        let started = try StartedFiles(configuration, isSuccessor: state != nil)
        var sockets = handed
        if let admin = try EndpointSockets.bindAdmin(configuration, handed, patience) {
            sockets.append(admin)
        }
        try startup?.answer(on: sockets, configuration)
        try follower?.waitForRevision(isPatient: startup != nil, notifier)
        let hold = PortHold(configuration, sockets)
        let endpoint = try Self.endpoint(follower, startup, notifier, log) { () throws(Problem) in
            try Endpoint(
                configuration: configuration, handed: sockets, predecessor: state,
                mayServeLess: UpgradeEnvironment.isForced(environment: environment), log: log)
        }
        endpoint.firstReport.logAll(to: log)
        let renewalService = try Self.renewalService(
            renewals, machine, configuration, board, log)
        let deadline = try ShutdownDeadline(log: log)
        var context = EndpointContext(
            notifier: notifier, board: board, arguments: CurrentProcess.arguments,
            environment: environment)
        context.reopenLogs = { reopenable.compactMap { $0.reopen() } }
        context.accessLog = accessLog
        context.messages = sink
        let parts: [(any EndpointPart)?] = [renewalService, follower]
        context.parts = parts.compactMap { $0 }
        context.deadline = deadline
        try endpoint.run(signals: signals, context, hold: hold) { listeners, plain, admin in
            startup?.end()
            let names = listeners.map(\.description)
            let plainNames = plain.map(\.description)
            if format == .json {
                StartupTable.write(
                    endpoint.snapshot, listeners: names, plain: plainNames,
                    admin: admin?.description, now: WallClock.seconds, to: log)
            } else {
                Terminal.note(
                    lines: StartupTable.text(
                        endpoint.snapshot, listeners: names, plain: plainNames,
                        admin: admin?.description, now: WallClock.seconds))
            }
            started.write(
                listeners: names, plain: plainNames, admin: admin?.description, log: log)
            notifier.ready(status: "hosts served: \(endpoint.snapshot.hosts.count)")
            UpgradeEnvironment.notifyReady(
                environment: environment,
                problems: endpoint.firstReport.keptLines + endpoint.firstReport.refusedLines)
            CurrentProcess.releaseCodePages()
            announce(names, admin?.description)
        }
        started.remove()
        log.notice("the server has stopped")
        deadline.met()
    }

    /// What renews certificates beside the endpoint; nil without `--acme`.
    private static func renewalService(
        _ renewals: ACMEOptions.Configuration?, _ machine: AgentSettings?,
        _ configuration: ServerConfiguration, _ board: StatusBoard, _ log: Logger
    ) throws -> RenewalServiceAdapter? {
        guard let renewals, let challenges = configuration.challenges else { return nil }
        let folder = FolderStore(path: configuration.certificateFolder)
        var store: any CertificateStore = folder
        if let machine, let keyRing = renewals.fleetKeys {
            store = try EtcdCertificateStore(machine, keyRing: keyRing, local: folder)
        }
        if CurrentProcess.user == 0, let owner = Privileges.owner(configuration.user) {
            try store.prepare(for: owner)
        }
        return RenewalServiceAdapter(
            configuration: renewals, store: store, challenges: challenges,
            service: try RenewalService(), board: board, log: log)
    }

    /// What follows the fleet beside the endpoint; nil without `--fleet`.
    private static func follower(
        _ machine: AgentSettings?, _ configuration: ServerConfiguration, _ board: StatusBoard,
        _ log: Logger
    ) throws -> FleetFollower? {
        guard let machine, let state = configuration.stateFolder else { return nil }
        let owner = Privileges.owner(configuration.user)
        return try FleetFollower(
            machine, configuration,
            revisionDirectory: FleetFollower.revisionDirectory(
                machine, state: state, owner: owner), board: board, log: log)
    }

    /// A machine of a fleet whose revision cannot be loaded (its certificates have expired while it
    /// was off) asks for a newer one until it has one that can.
    private static func endpoint(
        _ follower: FleetFollower?, _ startup: StartupPhase?, _ notifier: ServiceNotifier,
        _ log: Logger, _ make: () throws(Problem) -> Endpoint
    ) throws(Problem) -> Endpoint {
        while true {
            do throws(Problem) {
                return try make()
            } catch {
                guard let follower else { throw error }
                log.error("\(error); asking the fleet for a newer revision")
                startup?.failed(error)
                guard follower.catchUp(isPatient: startup != nil, notifier) else { throw error }
            }
        }
    }

    /// Everything up to the first snapshot, and nothing after it: what `nginx -t` is. With `--acme`
    /// also what an order would meet (``RenewalPreflight``).
    private static func check(
        _ configuration: ServerConfiguration, _ follower: FleetFollower?,
        _ renewals: ACMEOptions.Configuration?, _ log: Logger
    ) throws {
        let endpoint: Endpoint
        do {
            try follower?.waitForRevision(isPatient: false, nil)
            endpoint = try Endpoint(checking: configuration, log: log)
        } catch {
            throw CommandError(error, status: .findings)
        }
        let site = try? SiteFolder.read(configuration.siteFolder).withoutConflicts()
        let report =
            site.map { endpoint.firstReport.reviewed($0, now: WallClock.seconds) }
            ?? endpoint.firstReport
        report.logFindings(to: log)
        Terminal.print(
            lines: StartupTable.text(
                endpoint.snapshot, listeners: [], plain: [], admin: nil, now: WallClock.seconds))
        let look = try renewals.map {
            try RenewalPreflight.take(endpoint, configuration, $0, resolver: Resolver(), hosts: [])
        }
        for line in look?.lines ?? [] { Terminal.print(line) }
        let problems = endpoint.startProblems
        for problem in problems { log.error("\(problem)", metadata: problem.metadata) }
        if let problem = StateFolder.problem(configuration.stateFolder) {
            log.warning("state: \(problem)", metadata: problem.metadata)
        }
        if report.hasErrors || look?.hasErrors == true || !problems.isEmpty {
            Terminal.note("configuration has errors: they are listed above")
            throw ExitStatus.findings
        }
        Terminal.note("configuration OK")
    }

    private static func handedSockets(
        _ environment: [String: String]
    ) throws -> [InheritedSocket] {
        let handed = try UpgradeEnvironment.sockets(environment: environment)
        try UpgradeEnvironment.verify(handed, place: "AASA_HANDED_SOCKETS")
        let activated = SocketActivation.sockets(
            environment: environment, process: CurrentProcess.id)
        try UpgradeEnvironment.verify(activated, place: "LISTEN_FDS")
        UpgradeEnvironment.forget()
        return handed.isEmpty ? activated : handed
    }

    private static func open(
        _ path: String?, _ owner: Files.Owner?, default sink: LogSink
    ) throws -> LogSink {
        guard let path else { return sink }
        if path == "-" { return .standardOutput }
        return try LogSink(path: path, owner: owner)
    }
}

/// What a running server leaves in the file system for others to read.
private struct StartedFiles {
    private let pidFile: PidFile?
    private let readyFile: String?

    init(_ configuration: ServerConfiguration, isSuccessor: Bool) throws(Problem) {
        pidFile =
            if let path = configuration.pidFile {
                try PidFile(
                    path: path, process: CurrentProcess.id,
                    owner: Privileges.owner(configuration.user)
                ) { holder in
                    if isSuccessor { return true }
                    return PortPatience.isShuttingDown(holder, in: configuration.runFolder)
                }
            } else {
                nil
            }
        readyFile = configuration.readyFile
        // Of a server that was killed: a process that waits for the file would go on too early.
        if !isSuccessor, let readyFile { Files.remove(readyFile) }
    }

    func write(listeners: [String], plain: [String], admin: String?, log: Logger) {
        var lines = listeners.map { "listen \($0)\n" } + plain.map { "plain \($0)\n" }
        if let admin { lines.append("admin \(admin)\n") }
        do throws(Problem) {
            try pidFile?.write()
        } catch {
            log.error("\(error)", metadata: error.metadata)
        }
        guard let readyFile else { return }
        do throws(FileError) {
            try Files.replace(readyFile, with: Array(lines.joined().utf8), mode: 0o644)
        } catch {
            let problem = Problem(cannotWrite: "--ready-file \(readyFile)", error)
            log.error("\(problem)", metadata: problem.metadata)
        }
    }

    /// After an upgrade the files are the successor's.
    func remove() {
        pidFile?.remove()
    }
}
