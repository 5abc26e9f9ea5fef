import OpenSSL
package import Reactor

/// Who a machine is, and what it follows.
package struct AgentSettings: Sendable {
    package var access: EtcdAccess
    package var keys: FleetKeys
    package var channel: String
    package var machine: String
    package var version: String
    /// Opens certificates of the fleet; nil: the machine has certificates of its own.
    package var keyRing: KeyRing?
    /// Spreads the machines over time and members.
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

/// What the agent asks of the server beside it. Called on the agent's thread.
package struct AgentHost: Sendable {
    /// Loads a revision's folder as the server would, without serving it: what is wrong, or nil.
    package var trial: @Sendable (_ folder: String) -> String?
    /// The link was moved: loads it and serves it; what is wrong, or nil.
    package var swapped: @Sendable () -> String?
    package var health: @Sendable () -> MachineRecord.Health
    /// A process that drains has a successor: it follows no more.
    package var isDraining: @Sendable () -> Bool
    package var log: @Sendable (AgentEvent) -> Void

    package init(
        trial: @escaping @Sendable (_ folder: String) -> String?,
        swapped: @escaping @Sendable () -> String? = { nil },
        health: @escaping @Sendable () -> MachineRecord.Health = { MachineRecord.Health() },
        isDraining: @escaping @Sendable () -> Bool = { false },
        log: @escaping @Sendable (AgentEvent) -> Void
    ) {
        self.trial = trial
        self.swapped = swapped
        self.health = health
        self.isDraining = isDraining
        self.log = log
    }
}

/// What the log is told.
package struct AgentEvent: Sendable, Equatable {
    package let text: String
    package let remedy: String?
    /// Somebody should look.
    package let isLoud: Bool

    package init(_ text: String, remedy: String? = nil, isLoud: Bool = false) {
        self.text = text
        self.remedy = remedy
        self.isLoud = isLoud
    }
}

/// What a machine knows of its fleet; for its status page and metrics.
package struct AgentStatus: Sendable, Equatable {
    package var serving: RevisionID?
    package var target: RevisionID?
    /// Seconds since 1970.
    package var since: Int64 = 0
    package var refusal: MachineRecord.Refusal?
    /// What should be served and is damaged on the disk; nil: nothing.
    package var damage: ShelfDamage?
    /// The store has no such channel.
    package var isChannelMissing = false
    /// When the store answered last; seconds since 1970; nil: not yet.
    package var contact: Int64?
    /// Why it does not answer; nil: it does.
    package var trouble: String?

    package init() {}
}

/// Follows a channel on a thread of its own. The server never waits for it: without a store it
/// serves on, and starts from its disk.
package final class FleetAgent: Sendable {
    private let settings: AgentSettings
    private let shelf: RevisionShelf
    private let stopSignal: Wakeup
    private let statusBox = Lock(AgentStatus())
    /// Made by `prepare`, handed to the thread.
    private let waiting = Lock<AgentRun?>(nil)
    private let thread = Lock<WorkerThread?>(nil)

    package init(_ settings: AgentSettings, shelf: RevisionShelf) throws(SystemError) {
        self.settings = settings
        self.shelf = shelf
        stopSignal = try Wakeup()
    }

    package var status: AgentStatus { statusBox.withLock { $0 } }

    /// Sees to it that there is a revision to start with: at once where one lies on the disk whole,
    /// also where it is not the one that is wanted; else from the store.
    ///
    /// - Parameter limit: how long the store is asked.
    /// - Throws: ``FleetError`` where there is none to be had.
    package func prepare(_ host: AgentHost, within limit: Duration) throws(FleetError) {
        try shelf.prepare()
        let first = try shelf.best()
        let run: AgentRun
        do throws(OpenSSLError) {
            run = try AgentRun(
                settings, shelf, start: first, stop: stopSignal,
                publish: { status in self.statusBox.withLock { $0 = status } })
        } catch {
            throw FleetError(
                place: "fleet", cause: error.cause, remedy: error.remedy ?? "is OpenSSL broken?")
        }
        run.tellStart(host)
        let end = MonotonicInstant.now() + limit
        while !run.hasRevision, MonotonicInstant.now() < end {
            run.turn(host, until: end)
        }
        guard run.hasRevision else { throw run.whyNothing }
        waiting.withLock { $0 = run }
    }

    /// What lies on the disk cannot be served any more (its certificates have ended): is there
    /// something newer?
    ///
    /// - Returns: whether another revision lies there now.
    package func catchUp(_ host: AgentHost, within limit: Duration) -> Bool {
        waiting.withLock { run -> Bool in
            guard let run else { return false }
            let before = run.serving
            let end = MonotonicInstant.now() + limit
            while run.serving == before, MonotonicInstant.now() < end {
                run.turn(host, until: end)
            }
            return run.serving != before
        }
    }

    /// Starts the thread.
    package func start(_ host: AgentHost) throws(SystemError) {
        let started = try WorkerThread(name: "aasa-fleet") {
            let run = self.waiting.withLock { run in
                defer { run = nil }
                return run
            }
            run?.follow(host)
        }
        thread.withLock { $0 = started }
    }

    /// Ends the thread and waits for it.
    package func stop() {
        stopSignal.signal()
        let ended = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        ended?.join()
    }
}
