import Reactor

@testable import AASAFleet

/// etcd as a machine of the fleet sees it: members that answer, refuse, or keep silent; one channel
/// with its history; backups that are put back.
struct SimulatedCluster {
    enum Member: Sendable, Equatable {
        case up
        /// Connections are refused at once.
        case killed
        /// The kernel accepts, nobody reads.
        case paused
        /// Packets are lost.
        case cut
    }

    /// The channel's pointer, and the store's revision at which it was written.
    struct Pointer: Sendable, Equatable {
        var revision: RevisionID
        var at: Int64
    }

    /// A member's answer, and how long it takes.
    struct Answer {
        var failure: EtcdFailure?
        var takes: Duration
    }

    /// Of the client: `EtcdAccess.requestTime`.
    static let patience: Duration = .seconds(8)
    /// A member without a leader gives up after this: an election and twice the heartbeat.
    static let election: Duration = .seconds(7)

    private(set) var members: [Member]
    private(set) var store = EtcdStore(cluster: "1", revision: 1)
    private(set) var pointer: Pointer?
    /// Watches that begin before this revision are told to read again.
    private(set) var compacted: Int64 = 0
    /// Tokens are of the store's life in which they were made.
    private(set) var life = 1
    /// Everything that was ever published to the channel, in its order.
    private(set) var published: [RevisionID] = []
    // Asked, never walked or drawn from: the order of a set is another in each run.
    private var known: Set<RevisionID> = []
    private var poisoned: Set<RevisionID> = []
    private var backup: (EtcdStore, Pointer?)?
    private var number: Int64 = 0
    private var serial = 0

    init(members count: Int) { members = Array(repeating: .up, count: count) }

    func wasPublished(_ id: RevisionID) -> Bool { known.contains(id) }

    /// No machine takes it.
    func isPoisoned(_ id: RevisionID) -> Bool { poisoned.contains(id) }

    /// A majority answers.
    var hasQuorum: Bool {
        members.count { $0 == .up } > members.count / 2
    }

    /// What becomes of a request, decided when it is sent.
    func answer(
        from member: Int, tokenOf tokenLife: Int?, random: inout SplitMix
    ) -> Answer {
        let quick = Duration.milliseconds(Int64(1 + random.next() % 9))
        switch members[member] {
        case .killed: return Answer(failure: .unanswered(.refused), takes: quick)
        case .paused:
            return Answer(failure: .unanswered(.timeout(.handshake)), takes: Self.patience)
        case .cut:
            return Answer(
                failure: .unanswered(.timeout(.connecting)), takes: EtcdAccess.connectTime)
        case .up where !hasQuorum:
            return Answer(failure: .unavailable("no leader"), takes: Self.election)
        case .up:
            if let tokenLife, tokenLife != life {
                // A simple token from before the backup waits for the log to get there.
                return Answer(failure: .unanswered(.timeout(.head)), takes: Self.patience)
            }
            return Answer(failure: nil, takes: quick)
        }
    }

    mutating func set(_ member: Int, _ state: Member) { members[member] = state }

    /// A publication; the channel names it at once.
    mutating func publish(poisoned isPoisoned: Bool) {
        serial += 1
        number += 1
        let id = RevisionID(number: number, hash: "\(serial)")
        published.append(id)
        known.insert(id)
        if isPoisoned { poisoned.insert(id) }
        point(to: id)
    }

    mutating func point(to id: RevisionID) {
        store.revision += 3
        pointer = Pointer(revision: id, at: store.revision)
    }

    /// Writes beside: records and leases of machines.
    mutating func touched() { store.revision += 1 }

    mutating func compact() { compacted = store.revision }

    mutating func backUp() { backup = (store, pointer) }

    /// Puts the backup back: revisions jump back, and tokens are of another life.
    ///
    /// - Parameter keepsIdentity: whether the cluster keeps its name.
    mutating func restore(keepsIdentity: Bool) -> Bool {
        guard let (kept, old) = backup else { return false }
        store.revision = kept.revision
        if !keepsIdentity { store.cluster = "\(life + 1)" }
        pointer = old
        number = old?.revision.number ?? 0
        compacted = 0
        life += 1
        members = members.map { _ in .up }
        return true
    }
}
