import AASAFleet
import AASAServer
import Logging
import Reactor

/// The agent beside the endpoint: gives each what it has to know of the other.
final class FleetFollower: EndpointPart {
    private let configuration: ServerConfiguration
    private let agent: FleetAgent
    private let board: StatusBoard
    private let log: Logger

    /// A check, or a successor, waits so long for a revision.
    private static let firstRevisionTime: Duration = .seconds(60)
    /// For the service manager, which gets it every ten seconds.
    private static let startTime: Duration = .seconds(60)

    /// - Parameter configuration: with the link that the agent moves.
    init(
        _ settings: AgentSettings, _ configuration: ServerConfiguration,
        revisionDirectory: RevisionDirectory, board: StatusBoard, log: Logger
    ) throws(SystemError) {
        self.configuration = configuration
        self.board = board
        self.log = log
        let section = FleetSection(
            name: settings.keys.fleet, channel: settings.channel, machine: settings.machine)
        board.write { $0.fleet = section }
        agent = try FleetAgent(settings, revisionDirectory: revisionDirectory) { status in
            var section = section
            section.status = status
            let now = section
            board.write { $0.fleet = now }
        }
    }

    /// Where the revisions lie.
    static func revisionDirectory(
        _ settings: AgentSettings, state: String, owner: Files.Owner?
    ) -> RevisionDirectory {
        RevisionDirectory(
            path: "\(state)/fleet/\(settings.keys.fleet)", holdsSecrets: settings.keyRing != nil,
            owner: owner)
    }

    /// Sees to it that there is something to serve.
    ///
    /// - Parameters:
    ///   - isPatient: whether the process waits for it; a check, or a successor, gives up.
    ///   - notifier: the service manager should wait as well.
    func waitForRevision(isPatient: Bool, _ notifier: ServiceNotifier?) throws(Problem) {
        do throws(FleetError) {
            try agent.prepare(
                host(isPatient: isPatient), within: isPatient ? nil : Self.firstRevisionTime,
                waits: { Self.tell(notifier) })
        } catch {
            throw error.problem
        }
    }

    /// The revision on the disk cannot be loaded: whether a newer one is there now.
    func catchUp(isPatient: Bool, _ notifier: ServiceNotifier?) -> Bool {
        agent.catchUp(
            host(isPatient: isPatient), within: isPatient ? nil : Self.firstRevisionTime,
            waits: { Self.tell(notifier) })
    }

    private static func tell(_ notifier: ServiceNotifier?) {
        notifier?.starting(
            within: startTime, status: "nothing is served yet: asking the fleet for a revision")
    }

    /// The server before it serves.
    private func host(isPatient: Bool) -> AgentHost {
        let (configuration, log, board) = (configuration, log, board)
        var host = AgentHost(
            trial: { FleetTrial.problem(folder: $0, configuration: configuration) },
            log: { Self.tell($0, log) })
        if isPatient { host.health = { Self.health(board.report()) } }
        return host
    }

    func prepare() {}

    func publicationChanged() {}

    func start(beside reloader: Reloader, _ publisher: SnapshotPublisher) throws(SystemError) {
        let judges = configuration.revisionHasCertificates
        var host = host(isPatient: true)
        host.swapped = {
            switch reloader.revisionMoved()?.load {
            case nil: "loading took too long"
            case .failure(let failure): "\(failure)"
            case .success(let report): report.refusal(judgesCertificates: judges)
            }
        }
        host.isDraining = { [board] in board.phase == .draining }
        try agent.start(host)
    }

    func stop() { agent.stop() }

    private static func health(_ report: StatusReport) -> MachineRecord.Health {
        let judged = Health(report)
        var health = MachineRecord.Health()
        health.level = judged.level.rawValue
        health.reason = judged.reasons.first?.text
        health.answered = Int64(report.load.lastSecond.rate(\.traffic.answered))
        health.unavailable = Int64(report.load.lastSecond.rate(\.traffic.unavailable))
        health.certificateEnd = report.certificates.map(\.notAfter).min()
        return health
    }

    private static func tell(_ event: AgentEvent, _ log: Logger) {
        var metadata: Logger.Metadata = [:]
        if let remedy = event.remedy { metadata["fix"] = "\(remedy)" }
        log.log(level: event.needsAttention ? .error : .notice, "\(event.text)", metadata: metadata)
    }
}
