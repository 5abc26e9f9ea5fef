import AASAFleet
import AASAServer
import Logging
import Reactor

/// The agent beside the endpoint: gives each what it has to know of the other.
final class FleetFollower: FleetAgentService {
    private let settings: AgentSettings
    private let configuration: ServerConfiguration
    private let agent: FleetAgent
    private let log: Logger

    /// A check, or a successor, waits so long for a revision.
    private static let firstRevisionTime: Duration = .seconds(60)
    /// For the service manager, which is told every ten seconds.
    private static let startTime: Duration = .seconds(60)

    /// - Parameter configuration: with the link that the agent moves.
    init(
        _ settings: AgentSettings, _ configuration: ServerConfiguration,
        revisionDirectory: RevisionDirectory,
        log: Logger
    ) throws(SystemError) {
        self.settings = settings
        self.configuration = configuration
        self.log = log
        agent = try FleetAgent(settings, revisionDirectory: revisionDirectory)
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
    ///   - status: of the process that waits for it; nil: of a check, or a successor, which gives
    ///     up.
    ///   - notifier: the service manager should wait as well.
    func prepare(_ status: ServerStatus?, _ notifier: ServiceNotifier?) throws(Problem) {
        do throws(FleetError) {
            try agent.prepare(
                host(status), within: status == nil ? Self.firstRevisionTime : nil,
                waits: { Self.tell(notifier) })
        } catch {
            throw error.problem
        }
    }

    /// The revision on the disk cannot be loaded: whether a newer one is there now.
    func catchUp(_ status: ServerStatus?, _ notifier: ServiceNotifier?) -> Bool {
        agent.catchUp(
            host(status), within: status == nil ? Self.firstRevisionTime : nil,
            waits: { Self.tell(notifier) })
    }

    private static func tell(_ notifier: ServiceNotifier?) {
        notifier?.starting(
            within: startTime, status: "nothing is served yet: the fleet is asked for a revision")
    }

    /// The server before it serves.
    private func host(_ status: ServerStatus?) -> AgentHost {
        let (configuration, log) = (configuration, log)
        var host = AgentHost(
            trial: { FleetTrial.problem(folder: $0, configuration: configuration) },
            log: { Self.tell($0, log) })
        if let status { host.health = { Self.health(status) } }
        return host
    }

    func start(beside endpoint: FleetEndpoint) throws(SystemError) {
        let (configuration, log) = (configuration, log)
        let judges = configuration.revisionLink?.hasCertificates ?? false
        try agent.start(
            AgentHost(
                trial: { FleetTrial.problem(folder: $0, configuration: configuration) },
                swapped: {
                    guard let outcome = endpoint.reload() else { return "loading took too long" }
                    if let failure = outcome.failure { return "\(failure)" }
                    return outcome.report?.refusal(judgesCertificates: judges)
                }, health: { Self.health(endpoint.status) },
                isDraining: { endpoint.status.phase() == .draining },
                log: { Self.tell($0, log) }))
    }

    func stop() { agent.stop() }

    var report: StatusReport.Fleet {
        let status = agent.status
        var report = StatusReport.Fleet(
            name: settings.keys.fleet, channel: settings.channel, machine: settings.machine)
        report.serving = status.serving?.number
        report.target = status.target?.number
        report.isCurrent = status.target != nil && status.target == status.serving
        report.since = status.since
        report.refused = status.refusal.map { ($0.revision.number, $0.reason) }
        report.damaged = status.damage.map { ($0.revision, $0.reason) }
        report.isChannelMissing = status.isChannelMissing
        report.contact = status.contact
        report.trouble = status.trouble
        return report
    }

    private static func health(_ status: ServerStatus) -> MachineRecord.Health {
        let now = WallClock.seconds
        let report = status.report(now: now)
        let view = status.view()
        let judged = Health(
            report, shedNow: view.history.shedLately(now: now), load: view.load)
        var health = MachineRecord.Health()
        health.level = judged.level.rawValue
        health.reason = judged.reasons.first
        health.answered = Int64(view.history.points.last?.answered ?? 0)
        health.unavailable = Int64(view.history.points.last?.unavailable ?? 0)
        health.certificateEnd = report.certificates.map(\.notAfter).min()
        return health
    }

    private static func tell(_ event: AgentEvent, _ log: Logger) {
        var metadata: Logger.Metadata = [:]
        if let remedy = event.remedy { metadata["remedy"] = "\(remedy)" }
        log.log(level: event.needsAttention ? .error : .notice, "\(event.text)", metadata: metadata)
    }
}
