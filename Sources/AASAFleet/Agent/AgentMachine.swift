package import Reactor

/// The state machine of a fleet's machine: it follows a channel, loads new revisions and reports.
///
/// ```
///            due, or the watch spoke              differs from what is served
///  waiting ─────────────────────────► read the pointer ───────────────────────► apply
///     ▲                                     │ same                                │
///     └─────────── lease kept, reported, watch open ◄── applied, or refused ◄─────┘
/// ```
///
/// The watch is only an optimization: whatever it says leads to a linearizable read of the pointer,
/// and the read also happens every ``Pace/poll``. So a watch that died silently or was canceled, a
/// watch before a compaction and a store restored from a backup all recover without special
/// detection.
///
/// A value: no clock, no sockets, no disk; time is a parameter. The driver reports the result of
/// each step.
package struct AgentMachine: Sendable {
    /// The request intervals. One machine: a read every 20 s, a lease renewal every 10 s and a
    /// record every 30 s are 0.05 + 0.1 + 0.033 = 0.18 requests/s; 1,000 machines send 180 per
    /// second, and etcd handles tens of thousands. After an outage every machine is back within a
    /// pause of the ring (8 s) and a read.
    package enum Pace {
        package static let poll: Duration = .seconds(20)
        package static let leaseSeconds = 30
        package static let lease: Duration = .seconds(10)
        package static let report: Duration = .seconds(30)
        /// A rejected revision is tried again: a full disk or a damaged blob may be fixed.
        package static let refusal: Duration = .seconds(60)
        /// The delay before a watch that ended is reopened.
        package static let watch: Duration = .seconds(1)
    }

    package enum Step: Sendable, Equatable {
        /// Read the channel's pointer: ``pointerRead(_:store:now:)``.
        case read(member: Int)
        /// Fetch, verify and activate: ``applied(_:now:)``, ``refused(_:_:now:)`` or
        /// ``failed(_:now:)``.
        case apply(RevisionID, member: Int)
        /// ``leaseKept(_:now:)`` or ``leaseFailed(_:now:)``.
        case grantLease(member: Int)
        case keepLease(Int64, member: Int)
        /// ``reported(now:)`` or ``leaseFailed(_:now:)``.
        case report(lease: Int64, member: Int)
        /// ``watchOpened()`` or ``watchEnded(_:now:)``.
        case watch(from: Int64, member: Int)
        /// Wait until then, or for a message of the watch, if it is open.
        case wait(until: MonotonicInstant)
    }

    private var ring: MemberRing
    private var random: SplitMix
    /// The served revision.
    package private(set) var serving: RevisionID?
    /// The channel's revision; nil if not read yet, or nothing was published.
    package private(set) var target: RevisionID?
    /// The store answers and has no such channel: nothing was published to it, or its name or the
    /// fleet's is misspelled.
    package private(set) var isChannelMissing = false
    /// The rejected revision, with the reason.
    package private(set) var refusal: MachineRecord.Refusal?
    /// The last state of the store; nil if there was no response yet.
    package private(set) var store: EtcdStore?
    /// The time of the store's last response; nil if there was none.
    package private(set) var contact: MonotonicInstant?
    /// The current error of the store; nil if it responds.
    package private(set) var trouble: EtcdFailure?

    private var readAt: MonotonicInstant
    private var applyAt: MonotonicInstant
    package private(set) var lease: Int64?
    private var leaseAt: MonotonicInstant
    private var reportAt: MonotonicInstant
    /// Whether the watch is open. Without one, the driver closes its stream.
    package private(set) var isWatching = false
    private var watchAt: MonotonicInstant
    /// Whether the watch has spoken since the last read.
    private var isTold = false

    /// - Parameters:
    ///   - members: the number of cluster members.
    ///   - seed: different on every machine.
    ///   - serving: the revision on the machine's disk.
    package init(members: Int, seed: UInt64, serving: RevisionID?, now: MonotonicInstant) {
        ring = MemberRing(count: members, seed: seed)
        random = SplitMix(seed: seed ^ 0x5DEE_CE66)
        self.serving = serving
        readAt = now
        applyAt = now
        leaseAt = now
        reportAt = now
        watchAt = now
    }

    /// Whether the machine serves its channel's revision.
    package var isCurrent: Bool { target != nil && target == serving }

    // MARK: Next step

    package func step(now: MonotonicInstant) -> Step {
        if let pause = ring.pauseEnds, now < pause { return .wait(until: pause) }
        let member = ring.current
        if now >= readAt { return .read(member: member) }
        if let target, target != serving, now >= applyAt {
            return .apply(target, member: member)
        }
        if now >= leaseAt {
            return lease.map { .keepLease($0, member: member) } ?? .grantLease(member: member)
        }
        if let lease, now >= reportAt { return .report(lease: lease, member: member) }
        if !isWatching, now >= watchAt, let store {
            return .watch(from: store.revision + 1, member: member)
        }
        return .wait(until: nextDue)
    }

    private var nextDue: MonotonicInstant {
        var due = min(readAt, leaseAt)
        if lease != nil { due = min(due, reportAt) }
        if target != nil, target != serving { due = min(due, applyAt) }
        if !isWatching, store != nil { due = min(due, watchAt) }
        return due
    }

    // MARK: The pointer

    /// The channel's pointer was read; nil if the channel has none.
    package mutating func pointerRead(
        _ read: RevisionID?, store answered: EtcdStore, now: MonotonicInstant
    ) {
        succeeded(now)
        let isOther = store.map {
            $0.cluster != answered.cluster || answered.revision < $0.revision
        }
        if isOther == true {
            // Another cluster, or a restored one: leases belong to the old one.
            lease = nil
            leaseAt = now
        }
        // A watch of the old cluster is of no use, nor one that should have reported the change.
        if isWatching, isOther == true || (!isTold && target != read) {
            watchEnded(nil, now: now)
        }
        isTold = false
        store = answered
        readAt = now + random.shortened(Pace.poll)
        isChannelMissing = read == nil
        if read == nil {
            target = nil
            if refusal != nil { reportAt = now }
            refusal = nil
        }
        if let read, read != target {
            target = read
            applyAt = now
            if refusal?.revision != read { refusal = nil }
            // Reported at once, so that observers of the fleet see the machine's target.
            if read == serving { reportAt = now }
        }
        if read == serving, refusal != nil {
            refusal = nil
            reportAt = now
        }
    }

    /// The pointer is not valid.
    package mutating func pointerDamaged(
        _ reason: String, store answered: EtcdStore, now: MonotonicInstant
    ) {
        succeeded(now)
        isTold = false
        store = answered
        readAt = now + random.shortened(Pace.poll)
        isChannelMissing = false
        target = nil
        refuse(RevisionID(number: 0, hash: String(repeating: "0", count: 64)), reason, now)
    }

    // MARK: Revisions

    package mutating func applied(_ id: RevisionID, now: MonotonicInstant) {
        succeeded(now)
        serving = id
        refusal = nil
        reportAt = now
    }

    /// The served revision was gone when a revision was taken back that could not be loaded.
    package mutating func fellBack(to id: RevisionID) { serving = id }

    /// This machine rejects the revision and keeps serving the current one.
    package mutating func refused(_ id: RevisionID, _ reason: String, now: MonotonicInstant) {
        applyAt = now + random.shortened(Pace.refusal)
        refuse(id, reason, now)
    }

    private mutating func refuse(_ id: RevisionID, _ reason: String, _ now: MonotonicInstant) {
        let new = MachineRecord.Refusal(revision: id, reason: reason)
        if refusal != new { reportAt = now }
        refusal = new
    }

    // MARK: The store

    /// A request to a member failed, or the store did not provide a whole revision.
    package mutating func failed(_ failure: EtcdFailure, now: MonotonicInstant) {
        trouble = failure
        ring.failed(now: now)
    }

    private mutating func succeeded(_ now: MonotonicInstant) {
        ring.succeeded()
        trouble = nil
        contact = now
    }

    // MARK: Lease and record

    package mutating func leaseKept(_ id: Int64, now: MonotonicInstant) {
        succeeded(now)
        if lease != id { reportAt = now }
        lease = id
        leaseAt = now + random.shortened(Pace.lease)
    }

    /// The record could not be written, or its lease has expired. This does not stop the machine
    /// from following.
    package mutating func leaseFailed(_ failure: EtcdFailure, now: MonotonicInstant) {
        if failure.isTransient {
            failed(failure, now: now)
        } else {
            lease = nil
            leaseAt = failure == .leaseGone ? now : now + random.shortened(Pace.lease)
        }
    }

    package mutating func reported(now: MonotonicInstant) {
        succeeded(now)
        reportAt = now + random.shortened(Pace.report)
    }

    // MARK: The watch

    package mutating func watchOpened() { isWatching = true }

    /// A message came: the watch was created or is alive, the key was changed, or the watch is
    /// canceled.
    package mutating func watchSpoke(now: MonotonicInstant) {
        isTold = true
        readAt = now
    }

    /// The watch ended, could not be opened, or is of no use any more.
    package mutating func watchEnded(_ failure: EtcdFailure?, now: MonotonicInstant) {
        isWatching = false
        watchAt = max(watchAt, now + random.shortened(Pace.watch))
        guard let failure else { return }
        // Read what was missed meanwhile.
        readAt = min(readAt, now)
        failed(failure, now: now)
    }
}
