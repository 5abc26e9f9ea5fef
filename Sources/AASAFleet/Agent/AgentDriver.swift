import AASAClient
import OpenSSL
import Reactor

/// Performs the steps of ``AgentMachine`` with sockets, disk and clock. One thread at a time.
///
/// `@unchecked Sendable`: the main thread creates it and passes it to the agent's thread once; the
/// lock that it is passed through orders the accesses.
final class AgentDriver: @unchecked Sendable {
    private let settings: AgentSettings
    private let revisionDirectory: RevisionDirectory
    private let stop: Wakeup
    private let publish: @Sendable (AgentStatus) -> Void
    private let client: EtcdClient
    private var machine: AgentMachine
    private var stream: ClientStream?
    private var isStopped = false
    /// Since when the current revision is served; seconds since 1970.
    private var since = WallClock.seconds
    /// What should be served and is damaged on the disk.
    private var damage: RevisionDamage?
    /// Why the machine's record cannot be written; nil: it can.
    private var leaseTrouble: String?
    private var news: AgentNews

    init(
        _ settings: AgentSettings, _ revisionDirectory: RevisionDirectory,
        start: RevisionDirectory.Start, stop: Wakeup,
        publish: @escaping @Sendable (AgentStatus) -> Void
    ) throws(OpenSSLError) {
        self.settings = settings
        self.revisionDirectory = revisionDirectory
        self.stop = stop
        self.publish = publish
        damage = start.damage
        news = AgentNews(keys: settings.keys, channel: settings.channel)
        client = try EtcdClient(settings.access, seed: settings.seed, stop: stop)
        machine = AgentMachine(
            members: settings.access.members.count, seed: settings.seed, serving: start.serving,
            now: .now())
        publish(status)
    }

    var serving: RevisionID? { machine.serving }

    /// Runs until the agent is stopped.
    func follow(_ host: AgentHost) {
        if let serving = machine.serving {
            host.log(AgentEvent(text: "fleet: starting with revision \(serving)"))
        }
        while !isStopped, !host.isDraining() { turn(host, until: .distantFuture) }
        stream = nil
        // Removes the machine from the list at once, instead of at the end of its lease. By now a
        // successor has written its record with its own lease.
        if let lease = machine.lease {
            EtcdClient.revoke(lease, settings.access, seed: settings.seed)
        }
    }

    /// Performs one step.
    func turn(_ host: AgentHost, until end: MonotonicInstant) {
        if !machine.isWatching { stream = nil }
        do throws(EtcdFailure) {
            switch machine.step(now: .now()) {
            case .read(let member): try readPointer(member)
            case .apply(let id, let member): apply(id, member, host)
            case .grantLease(let member):
                try keep(.grantLease(seconds: AgentMachine.Pace.leaseSeconds), member)
            case .keepLease(let id, let member): try keep(.keepLease(id), member)
            case .report(let lease, let member): try report(lease, member, host)
            case .watch(let revision, let member): try watch(from: revision, member)
            case .wait(let due): listen(until: min(due, end))
            }
        } catch {
            if error == .stopped { isStopped = true } else { machine.failed(error, now: .now()) }
        }
        tell(host)
    }

    // MARK: Steps

    private func readPointer(_ member: Int) throws(EtcdFailure) {
        let key = settings.keys.channel(settings.channel)
        let range = try EtcdReplyReader.range(client.ask(.range(key), member: member))
        guard let entry = range.entries.first else {
            return machine.pointerRead(nil, store: range.store, now: .now())
        }
        do throws(FleetError) {
            let pointer = try ChannelPointer(decoding: entry.value, place: key)
            machine.pointerRead(pointer.revision, store: range.store, now: .now())
            settle()
        } catch {
            machine.pointerDamaged(error.description, store: range.store, now: .now())
        }
    }

    /// What is damaged is not wanted any more where the channel says what is served.
    private func settle() {
        guard damage != nil, machine.isCurrent, let serving = machine.serving else { return }
        revisionDirectory.tidy(serving: serving, after: nil)
        damage = nil
    }

    private func apply(_ id: RevisionID, _ member: Int, _ host: AgentHost) {
        let before = machine.serving
        do throws(FleetError) {
            try bring(id, member, host)
            try revisionDirectory.swap(to: id)
            if let problem = host.swapped() {
                if let before { try goBack(to: before, from: id, host) }
                throw FleetError(place: "revision \(id)", cause: problem, remedy: "")
            }
            since = WallClock.seconds
            damage = nil
            machine.applied(id, now: .now())
            revisionDirectory.tidy(serving: id, after: before)
            host.log(AgentEvent(text: "fleet: serving revision \(id)"))
        } catch {
            switch error.store {
            case .stopped: isStopped = true
            case let failure?: machine.failed(failure, now: .now())
            case nil: machine.refused(id, error.description, now: .now())
            }
        }
    }

    /// The last revision but one is served again, or where it was damaged meanwhile the best of the
    /// others.
    private func goBack(
        to before: RevisionID, from id: RevisionID, _ host: AgentHost
    ) throws(FleetError) {
        try revisionDirectory.swap(to: before)
        let found = try revisionDirectory.best()
        damage = found.damage
        guard let serving = found.serving, serving != id else { return }
        _ = host.swapped()
        machine.fellBack(to: serving)
    }

    private func bring(
        _ id: RevisionID, _ member: Int, _ host: AgentHost
    ) throws(FleetError) {
        if revisionDirectory.has(id) {
            if let problem = host.trial(revisionDirectory.folder(of: id)) {
                throw FleetError(place: "revision \(id)", cause: problem, remedy: "")
            }
            return
        }
        let client = client
        let store = FleetStore(keys: settings.keys) { request throws(EtcdFailure) in
            try client.ask(request, member: member)
        }
        try RevisionFetcher(
            store: store, revisionDirectory: revisionDirectory, keyRing: settings.keyRing
        )
        .fetch(id, trial: host.trial)
    }

    // MARK: Lease and record

    private func keep(_ request: EtcdRequest, _ member: Int) throws(EtcdFailure) {
        do throws(EtcdFailure) {
            let kept = try EtcdReplyReader.lease(client.ask(request, member: member))
            guard kept.seconds > 0 else { throw EtcdFailure.leaseGone }
            leaseTrouble = nil
            machine.leaseKept(kept.id, now: .now())
        } catch {
            try leaseFailed(error)
        }
    }

    private func report(
        _ lease: Int64, _ member: Int, _ host: AgentHost
    ) throws(EtcdFailure) {
        var record = MachineRecord(
            machine: settings.machine, version: settings.version, channel: settings.channel)
        record.revision = machine.serving
        record.since = since
        record.refused = machine.refusal
        record.damage = damage
        record.health = host.health()
        record.time = WallClock.seconds
        do throws(EtcdFailure) {
            _ = try client.ask(
                .put(settings.keys.machine(settings.machine), record.encoded, lease: lease),
                member: member)
            machine.reported(now: .now())
        } catch {
            try leaseFailed(error)
        }
    }

    private func leaseFailed(_ failure: EtcdFailure) throws(EtcdFailure) {
        if failure == .stopped { throw failure }
        if !failure.isTransient, failure != .leaseGone { leaseTrouble = failure.description }
        machine.leaseFailed(failure, now: .now())
    }

    // MARK: The watch

    private func watch(from revision: Int64, _ member: Int) throws(EtcdFailure) {
        let key = settings.keys.channel(settings.channel)
        do throws(EtcdFailure) {
            stream = try client.open(.watch(key, from: revision), member: member)
            machine.watchOpened()
        } catch {
            if error == .stopped { throw error }
            machine.watchEnded(error, now: .now())
        }
    }

    /// Waits for a message of the watch, the time, or the end.
    private func listen(until due: MonotonicInstant) {
        let left = due - .now()
        guard left > .zero else { return }
        guard let stream else {
            if Waiting.wait([.init(stop.descriptor)], until: due)[0] { isStopped = true }
            return
        }
        do throws(ClientFailure) {
            guard try stream.next(within: left) != nil else {
                return end(.unavailable("etcd ended the watch"))
            }
            machine.watchSpoke(now: .now())
        } catch {
            switch error {
            case .timeout: break
            case .stopped: isStopped = true
            default: end(.unanswered(error))
            }
        }
    }

    private func end(_ failure: EtcdFailure) {
        stream = nil
        machine.watchEnded(failure, now: .now())
    }

    // MARK: Status and log

    /// What was found on the disk.
    func tellStart(_ host: AgentHost) {
        if damage == nil, machine.serving == nil {
            host.log(
                AgentEvent(
                    text: "fleet: this machine's disk has no revision; fetching it from etcd"))
        }
        tell(host)
    }

    private func tell(_ host: AgentHost) {
        publish(status)
        let remedy = machine.trouble?.remedy ?? EtcdFailure.denied("").remedy
        for event in news.events(status, remedy: remedy) { host.log(event) }
    }

    private var status: AgentStatus {
        var status = AgentStatus()
        status.serving = machine.serving
        status.target = machine.target
        status.since = since
        status.refusal = machine.refusal
        status.damage = damage
        status.isChannelMissing = machine.isChannelMissing
        status.trouble = machine.trouble?.description ?? leaseTrouble
        status.contact = machine.contact.map {
            WallClock.seconds - (MonotonicInstant.now() - $0).inNanoseconds / 1_000_000_000
        }
        return status
    }

    /// Why there is no revision to start with.
    var whyNothing: FleetError { news.whyNothing(status, trouble: machine.trouble) }
}
