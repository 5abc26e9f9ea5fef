import AASAFleet
import Reactor

/// One machine of the fleet: the product's own decisions, with a disk and a process around them.
struct SimulatedMachine {
    /// What its thread is blocked in.
    enum Task {
        case nothing
        case read, grantLease, report
        case keepLease(Int64)
        case apply(RevisionID)
        case watch(from: Int64)

        var isUnderWay: Bool {
            if case .nothing = self { false } else { true }
        }
    }

    /// An open watch.
    struct Watch {
        var member: Int
        var from: Int64
        /// Tells it from every other: what an old one would have said is not heard.
        var opening: Int
    }

    var agent: AgentMachine
    var token: EtcdToken
    /// In which life of the store the token was made.
    var tokenLife = 0
    var isUp = true
    /// Only the last wake that was asked for counts.
    var ticket = 0
    var upSince: MonotonicInstant
    /// What lies on its disk whole.
    var disk: RevisionID?
    var isDiskFull = false
    var task = Task.nothing
    var member = 0
    var failure: EtcdFailure?
    var watch: Watch?
    /// The messages of the watch while the thread was busy (`nil`), and how it ended.
    var inbox: [EtcdFailure?] = []
    /// The last time at which it was allowed to be behind.
    var excusedAt: MonotonicInstant
    var requestsInWindow = 0
    /// In which life of the store its lease was granted.
    var leaseLife = 0
    var isAuthenticating = false

    init(index: Int, seed: UInt64, members: Int, now: MonotonicInstant) {
        agent = AgentMachine(
            members: members, seed: seed &+ UInt64(index) &* 7919, serving: nil, now: now)
        token = EtcdToken()
        upSince = now
        excusedAt = now
    }

    mutating func begin(_ next: Task, _ member: Int) {
        task = next
        self.member = member
    }

    /// Another process of the same machine: it has its disk, and nothing else.
    mutating func startAnew(seed: UInt64, members: Int, now: MonotonicInstant) {
        agent = AgentMachine(members: members, seed: seed, serving: disk, now: now)
        token = EtcdToken()
        task = .nothing
        watch = nil
        inbox = []
        failure = nil
        isUp = true
        upSince = now
    }
}
