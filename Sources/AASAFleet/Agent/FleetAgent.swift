import OpenSSL
package import Reactor

/// The identity of a machine and its channel.
package struct AgentSettings: Sendable {
    package var access: EtcdAccess
    package var keys: FleetKeys
    package var channel: String
    package var machine: String
    package var version: String
    /// Decrypts certificates of the fleet; nil: the machine has its own certificates.
    package var keyRing: KeyRing?
    /// Distributes the machines over time and members.
    package var seed: UInt64

    package init(
        access: EtcdAccess, keys: FleetKeys, channel: String, machine: String, version: String,
        keyRing: KeyRing?, seed: UInt64
    ) {
        self.access = access
        self.keys = keys
        self.channel = channel
        self.machine = machine
        self.version = version
        self.keyRing = keyRing
        self.seed = seed
    }
}

/// The server's interface for the agent. Called on the agent's thread.
package struct AgentHost: Sendable {
    /// Loads a revision's folder like the server, without serving it; returns the error, if any.
    package var trial: @Sendable (_ folder: String) -> String?
    /// Called after the link was moved: loads and serves the revision; returns the error, if any.
    package var swapped: @Sendable () -> String? = { nil }
    package var health: @Sendable () -> MachineRecord.Health = { MachineRecord.Health() }
    /// Whether the process drains: its successor follows the channel.
    package var isDraining: @Sendable () -> Bool = { false }
    package var log: @Sendable (AgentEvent) -> Void

    package init(
        trial: @escaping @Sendable (_ folder: String) -> String?,
        log: @escaping @Sendable (AgentEvent) -> Void
    ) {
        self.trial = trial
        self.log = log
    }
}

/// A log message.
package struct AgentEvent: Sendable, Equatable {
    package let text: String
    package var remedy: String?
    /// Whether an operator's attention is needed.
    package var needsAttention = false
}

/// A machine's state in its fleet, for its status page and metrics.
package struct AgentStatus: Sendable, Equatable {
    package var serving: RevisionID?
    package var target: RevisionID?
    /// Seconds since 1970.
    package var since: Int64 = 0
    package var refusal: MachineRecord.Refusal?
    /// The damaged revision on disk that should be served; nil: none.
    package var damage: RevisionDamage?
    /// The store has no such channel.
    package var isChannelMissing = false
    /// The time of the store's last response, in seconds since 1970; nil if there was none.
    package var contact: Int64?
    /// The current error of the store; nil if it responds.
    package var trouble: String?

    package init() {}
}

/// Follows a channel on its own thread. The server never waits for it: without the store it
/// continues to serve, and it starts from its disk.
package final class FleetAgent: Sendable {
    private let settings: AgentSettings
    private let revisionDirectory: RevisionDirectory
    private let publish: @Sendable (AgentStatus) -> Void
    /// Created by `prepare`, passed to the thread.
    private let waiting = Lock<AgentDriver?>(nil)
    private let thread: StoppableThreads

    /// - Parameter publish: called whenever the machine's state has changed.
    package init(
        _ settings: AgentSettings, revisionDirectory: RevisionDirectory,
        publish: @escaping @Sendable (AgentStatus) -> Void
    ) throws(SystemError) {
        self.publish = publish
        self.settings = settings
        self.revisionDirectory = revisionDirectory
        thread = try StoppableThreads()
    }

    /// Ensures that there is a revision to start with: at once if there is an intact one on disk,
    /// even if it is not the wanted one, else from the store.
    ///
    /// - Parameters:
    ///   - limit: how long to wait for the store; nil: until there is one.
    ///   - waits: called again and again meanwhile, at least every ten seconds.
    /// - Throws: ``FleetError`` if there is none.
    package func prepare(
        _ host: AgentHost, within limit: Duration?, waits: () -> Void = {}
    ) throws(FleetError) {
        try revisionDirectory.prepare()
        let first = try revisionDirectory.best()
        let run: AgentDriver
        do throws(OpenSSLError) {
            run = try AgentDriver(
                settings, revisionDirectory, start: first, stop: thread.wakeup, publish: publish)
        } catch {
            throw FleetError(
                place: "fleet", cause: error.cause, remedy: error.remedy ?? "reinstall OpenSSL")
        }
        run.tellStart(host)
        Self.turn(run, host, within: limit, waits) { run.serving != nil }
        guard run.serving != nil else { throw run.whyNothing }
        waiting.withLock { $0 = run }
    }

    private static let waitTime: Duration = .seconds(10)

    private static func turn(
        _ run: AgentDriver, _ host: AgentHost, within limit: Duration?, _ waits: () -> Void,
        until isDone: () -> Bool
    ) {
        let end = limit.map { MonotonicInstant.now() + $0 } ?? .distantFuture
        while !isDone(), MonotonicInstant.now() < end {
            waits()
            run.turn(host, until: min(end, MonotonicInstant.now() + waitTime))
        }
    }

    /// Looks for a newer revision if the one on disk can no longer be served (its certificates have
    /// expired).
    ///
    /// - Returns: whether another revision is on disk now.
    package func catchUp(
        _ host: AgentHost, within limit: Duration?, waits: () -> Void = {}
    ) -> Bool {
        waiting.withLock { run -> Bool in
            guard let run else { return false }
            let before = run.serving
            Self.turn(run, host, within: limit, waits) { run.serving != before }
            return run.serving != before
        }
    }

    /// Starts the thread.
    package func start(_ host: AgentHost) throws(SystemError) {
        try thread.start(name: "aasa-fleet") {
            let run = self.waiting.withLock { run in
                defer { run = nil }
                return run
            }
            run?.follow(host)
        }
    }

    /// Ends the thread and waits for it.
    package func stop() {
        thread.stop()
    }
}
