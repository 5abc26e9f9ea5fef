import AASAClient
import Logging
import OpenSSL
import Reactor

/// The body of the service's thread.
struct RenewalLoop {
    private var engine: RenewalEngine
    private var state: StoredState
    private let store: any CertificateStore
    private let host: RenewalHost
    private let client: AuthorityClient
    private let log: Logger
    private let stop: Wakeup
    private let change: Wakeup
    private let question: Wakeup
    private var lookedAt: MonotonicSeconds = -.infinity
    private var holdsLease = false
    private var leaseRenewedAt: MonotonicSeconds = 0
    private var isFirst = true
    private var wanted: [WantedCertificate] = []
    private var covered: [String: String] = [:]
    private var challenges: [ChallengeAnswer] = []
    private var storeError: String?
    /// The problems of single values that were already reported.
    private var unusable: Set<String> = []
    private var taken: String?

    /// Seconds between publishing challenges and responding to the authority: by then every process
    /// on this folder has read them.
    static let settleSeconds: Int64 = 2
    /// Minimum of seconds between reads of challenges that validators request here: requests from
    /// strangers to a thousand machines cause at most a thousand reads per second in etcd.
    static let lookPause: MonotonicSeconds = 1
    /// The lease is released if nothing is due for longer than this.
    static let idleSeconds: Int64 = 30
    /// Seconds until a failed store is retried.
    static let storeRetrySeconds: Int64 = 30

    init(
        settings: RenewalSettings, store: any CertificateStore, host: RenewalHost,
        authorityFile: String?, agent: String, log: Logger, stop: Wakeup, change: Wakeup,
        question: Wakeup
    ) throws {
        engine = RenewalEngine(settings: settings)
        state = StoredState(store: store)
        self.store = store
        self.host = host
        self.log = log
        self.stop = stop
        self.change = change
        self.question = question
        client = AuthorityClient(
            client: try HTTPClient(stop: stop), authorityFile: authorityFile, agent: agent)
    }

    private static var unixTime: Int64 { WallClock.seconds }

    private static var monotonic: MonotonicSeconds {
        Double(MonotonicInstant.now().nanoseconds) / 1e9
    }

    mutating func run(isStopped: () -> Bool) {
        refresh()
        while !isStopped() {
            answerQuestions()
            let pause = turn()
            host.publish(status())
            if pause > 0 { wait(pause) }
        }
        if holdsLease { store.release() }
    }

    private func status() -> RenewalStatus {
        var status = engine.status(now: Self.unixTime)
        status.isOrdering = holdsLease
        status.storeError = storeError
        return status
    }

    // MARK: One turn

    /// - Returns: seconds until the next turn.
    private mutating func turn() -> Int64 {
        let now = Self.unixTime
        do throws(Problem) {
            guard try keepLease() else {
                try follow()
                return store.lookSeconds
            }
        } catch {
            fail(error)
            // Who cannot use the store must not keep the others from ordering: a machine of a fleet
            // with another key, or with a full disk.
            store.release()
            return Self.storeRetrySeconds
        }
        let action = engine.next(now: now)
        if case .wait(let until) = action {
            let left = max(1, until - now)
            if left > Self.idleSeconds { letGo() }
            return holdsLease ? min(left, Int64(LeaseTerms.renewal)) : store.lookSeconds
        }
        perform(action, now)
        return 0
    }

    private mutating func fail(_ error: Problem) {
        if storeError != error.description {
            log.error("certificates cannot be kept: \(error); \(error.remedy)")
        }
        storeError = error.description
        holdsLease = false
    }

    /// Takes the lease if something is due, and renews it in time.
    private mutating func keepLease() throws(Problem) -> Bool {
        let clock = Self.monotonic
        if holdsLease, clock - leaseRenewedAt < LeaseTerms.renewal { return true }
        if !holdsLease, !isFirst, !isDue() { return false }
        switch try store.lease(now: clock) {
        case .taken(let other):
            if taken != other {
                log.info(
                    "another process is ordering certificates; this one waits",
                    metadata: ["holder": "\(other)"])
            }
            taken = other
            holdsLease = false
            return false
        case .ours(let isNew):
            taken = nil
            leaseRenewedAt = clock
            if isNew || isFirst || !holdsLease && storeError != nil { try remember() }
            storeError = nil
            holdsLease = true
            isFirst = false
            return true
        }
    }

    /// Whether the engine's next action is not a wait.
    private mutating func isDue() -> Bool {
        var copy = engine
        let now = Self.unixTime
        guard case .wait(let until) = copy.next(now: now) else { return true }
        // It remembers how long there is nothing to do.
        engine = copy
        return until <= now + 1
    }

    private mutating func letGo() {
        guard holdsLease else { return }
        store.release()
        holdsLease = false
    }

    private mutating func remember() throws(Problem) {
        let log = log
        let known = try state.read(
            directories: engine.settings.authorities.map(\.directory),
            tell: { log.error("\($0)") })
        engine.remember(
            records: known.records, accounts: known.accounts, isStart: isFirst)
        if try store.bring() { host.installed() }
        tellUnusable()
        try readFolders()
    }

    /// Says once what one of many values lacks.
    private mutating func tellUnusable() {
        let problems = store.unusable
        for problem in problems where !unusable.contains(problem.description) {
            log.error("a certificate of the fleet cannot be used: \(problem); \(problem.remedy)")
        }
        unusable = Set(problems.map(\.description))
    }

    /// Reads the certificates that the site needs and the contents of its folders.
    private mutating func refresh() {
        (wanted, covered) = host.site()
        do throws(Problem) { try readFolders() } catch { fail(error) }
    }

    private mutating func readFolders() throws(Problem) {
        engine.update(wanted: wanted, contents: try store.contents(of: wanted, covered: covered))
    }

    // MARK: Actions

    private mutating func perform(_ action: RenewalEngine.Action, _ now: Int64) {
        switch action {
        case .say(let event): EventLog(log: log).tell(event)
        case .wait: break
        case .send(let request):
            log.debug("asking", metadata: ["url": "\(request.url)"])
            switch client.send(request) {
            case .success(let answer): engine.answered(answer, now: Self.unixTime)
            case .failure(let failure): engine.failed(failure, now: Self.unixTime)
            }
        case .save(let key, let bytes):
            attempt { (loop) throws(Problem) in try loop.state.write(key, bytes) }
        case .publish(let answers):
            attempt { (loop) throws(Problem) in try loop.publish(answers) }
        case .install(let id, let issued):
            attempt { (loop) throws(Problem) in
                var key = issued.pair.key.unencryptedPEM()
                defer { for index in key.indices { key[index] = 0 } }
                try loop.store.install(
                    id, chain: issued.chainPEM, key: key,
                    keepsOther: loop.engine.settings.keys.contains { $0.isRSA != id.isRSA })
                try loop.readFolders()
                loop.host.installed()
            }
        }
    }

    private mutating func attempt(_ body: (inout RenewalLoop) throws(Problem) -> Void) {
        do throws(Problem) {
            try body(&self)
            storeError = nil
            engine.done(now: Self.unixTime)
        } catch {
            storeError = error.description
            log.error("certificates cannot be kept: \(error); \(error.remedy)")
            engine.notDone(error.description, remedy: error.remedy, now: Self.unixTime)
        }
    }

    private mutating func publish(_ answers: [ChallengeAnswer]) throws(Problem) {
        try state.write(answers)
        try apply(answers)
        if !answers.isEmpty { pause(Self.settleSeconds) }
    }

    private mutating func apply(_ answers: [ChallengeAnswer]) throws(Problem) {
        if answers == challenges { return }
        do {
            try host.answer(answers)
        } catch {
            throw Problem(
                place: "challenges", cause: "\(error)", remedy: "see the log for the reason")
        }
        challenges = answers
    }

    /// Another process orders: we answer its challenges and load its certificates.
    private mutating func follow() throws(Problem) {
        if try store.bring() {
            try readFolders()
            host.installed()
        }
        tellUnusable()
        try apply(StoredState.challenges(in: store))
    }

    /// Validators request challenges here that another machine may have published: a read that
    /// began after the request has them (in etcd a linearizable one).
    private mutating func answerQuestions() {
        guard Self.monotonic - lookedAt >= Self.lookPause, let look = host.questions.beginLook()
        else { return }
        lookedAt = Self.monotonic
        do throws(Problem) {
            // The holder of the lease has published all of them itself.
            if !holdsLease { try apply(StoredState.challenges(in: store)) }
        } catch {
            // Not answered: validators that still wait cause another read.
            return fail(error)
        }
        host.questions.endLook(look)
    }

    // MARK: Waiting

    private mutating func wait(_ seconds: Int64) {
        let end = MonotonicInstant.now() + .seconds(seconds)
        while true {
            // A question does not end the pause: strangers ask, and a turn reads all keys.
            answerQuestions()
            let next = MonotonicInstant.now() + .seconds(1)
            let isReady = Waiting.wait(
                [
                    .init(stop.descriptor), .init(change.descriptor), .init(question.descriptor),
                ], until: host.questions.isLookWanted ? min(end, next) : end)
            if isReady[2] { question.drain() }
            if isReady[1] {
                change.drain()
                refresh()
            }
            if isReady[0] || isReady[1] || .now() >= end { return }
        }
    }

    /// Only the end of the service interrupts it.
    private func pause(_ seconds: Int64) {
        _ = Waiting.wait([.init(stop.descriptor)], until: .now() + .seconds(seconds))
    }
}
