import AASAClient
import Reactor
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct AgentMachineTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)
    private let gone = EtcdFailure.unanswered(.refused)

    private func id(_ number: Int64) -> RevisionID {
        RevisionID(number: number, hash: String(repeating: "a", count: 63) + "\(number % 10)")
    }

    private func store(_ revision: Int64, cluster: String = "1") -> EtcdStore {
        EtcdStore(cluster: cluster, revision: revision)
    }

    private func machine(serving: RevisionID? = nil, members: Int = 3) -> AgentMachine {
        AgentMachine(members: members, seed: 7, serving: serving, now: start)
    }

    /// Up to the quiet state: pointer read, applied, lease, record, watch.
    private func settled(_ number: Int64 = 1) -> AgentMachine {
        var machine = machine(serving: id(number))
        machine.pointerRead(id(number), store: store(10), now: start)
        machine.leaseKept(5, now: start)
        machine.reported(now: start)
        machine.watchOpened()
        return machine
    }

    @Test func theWholeWayInOrder() {
        var machine = machine()
        guard case .read = machine.step(now: start) else {
            Issue.record("\(machine.step(now: start))")
            return
        }
        machine.pointerRead(id(3), store: store(10), now: start)
        guard case .apply(let wanted, _) = machine.step(now: start), wanted == id(3) else {
            Issue.record("\(machine.step(now: start))")
            return
        }
        machine.applied(id(3), now: start)
        #expect(machine.isCurrent)
        guard case .grantLease = machine.step(now: start) else {
            Issue.record("no lease")
            return
        }
        machine.leaseKept(5, now: start)
        guard case .report(lease: 5, _) = machine.step(now: start) else {
            Issue.record("no record")
            return
        }
        machine.reported(now: start)
        guard case .watch(from: 11, _) = machine.step(now: start) else {
            Issue.record("no watch")
            return
        }
        machine.watchOpened()
        guard case .wait(let until) = machine.step(now: start) else {
            Issue.record("no rest")
            return
        }
        #expect(until > start && until <= start + AgentMachine.Pace.lease)
    }

    @Test func theWatchLeadsToAReadAndNothingElse() {
        var machine = settled()
        machine.watchSpoke(now: start)
        guard case .read = machine.step(now: start) else {
            Issue.record("a message leads to no read")
            return
        }
        machine.pointerRead(id(2), store: store(12), now: start)
        guard case .apply(let wanted, _) = machine.step(now: start) else {
            Issue.record("what is new is applied")
            return
        }
        expectEqual(wanted, id(2))
    }

    /// The poll finds what the watch should have told: it is dead, and is opened anew.
    @Test func aWatchThatDiedSilentlyIsFoundOut() {
        var machine = settled()
        let later = start + AgentMachine.Pace.poll
        guard case .read = machine.step(now: later) else {
            Issue.record("no poll")
            return
        }
        machine.pointerRead(id(2), store: store(12), now: later)
        #expect(!machine.isWatching)
        guard case .apply = machine.step(now: later) else {
            Issue.record("it waits for a watch")
            return
        }
    }

    /// etcd has canceled it, for a compaction or a token: it says so once, and nothing afterwards.
    @Test func aCanceledWatchIsFoundOutAndOpenedAnew() {
        var machine = settled()
        machine.watchSpoke(now: start)
        machine.pointerRead(id(1), store: store(50), now: start)
        #expect(machine.isWatching)
        let later = start + AgentMachine.Pace.poll
        machine.pointerRead(id(2), store: store(60), now: later)
        #expect(!machine.isWatching)
        machine.applied(id(2), now: later)
        machine.leaseKept(5, now: later)
        machine.reported(now: later)
        guard case .watch(from: 61, _) = machine.step(now: later + AgentMachine.Pace.watch) else {
            Issue.record("not watched from there")
            return
        }
    }

    /// A backup was put back: numbers jump back, leases and watches are another cluster's.
    @Test(arguments: [("1", Int64(4)), ("2", 99)])
    func aStoreThatWasPutBackIsFollowed(_ cluster: String, _ revision: Int64) {
        var machine = settled(9)
        let later = start + AgentMachine.Pace.poll
        machine.pointerRead(id(7), store: store(revision, cluster: cluster), now: later)
        #expect(!machine.isWatching)
        guard case .apply(let wanted, _) = machine.step(now: later) else {
            Issue.record("the store's word is not followed")
            return
        }
        expectEqual(wanted, id(7))
        machine.applied(id(7), now: later)
        guard case .grantLease = machine.step(now: later) else {
            Issue.record("the old cluster's lease is kept")
            return
        }
        machine.leaseKept(1, now: later)
        machine.reported(now: later)
        let then = later + AgentMachine.Pace.watch
        guard case .watch(let from, _) = machine.step(now: then) else {
            Issue.record("no watch")
            return
        }
        expectEqual(from, revision + 1)
    }

    @Test func failuresGoRoundTheMembersAndThenPause() {
        var machine = machine()
        var asked: Set<Int> = []
        for _ in 0..<3 {
            guard case .read(let member) = machine.step(now: start) else {
                Issue.record("\(machine.step(now: start))")
                return
            }
            asked.insert(member)
            machine.failed(gone, now: start)
        }
        expectEqual(asked.count, 3)
        guard case .wait(let until) = machine.step(now: start) else {
            Issue.record("no pause")
            return
        }
        #expect(until - start <= MemberRing.pauseMaximum)
        expectEqual(machine.trouble, gone)
        machine.pointerRead(nil, store: store(1), now: until)
        #expect(machine.trouble == nil)
    }

    /// Hours of outage, then an answer: the machine is back within a pause.
    @Test func afterALongOutageItIsBackSoon() {
        var machine = settled()
        var now = start
        machine.watchEnded(gone, now: now)
        while now < start + .seconds(7200) {
            switch machine.step(now: now) {
            case .wait(let until): now = max(until, now + .milliseconds(1))
            default: machine.failed(gone, now: now)
            }
        }
        // The cluster answers from now on.
        let back = now
        while true {
            switch machine.step(now: now) {
            case .wait(let until): now = until
            case .read:
                machine.pointerRead(id(2), store: store(99), now: now)
            case .apply(let id, _): machine.applied(id, now: now)
            default: machine.leaseKept(3, now: now)
            }
            if machine.isCurrent { break }
        }
        #expect(now - back <= .seconds(30))
    }

    @Test func whatIsRefusedIsLookedAtAgainLater() {
        var machine = settled()
        machine.watchSpoke(now: start)
        machine.pointerRead(id(2), store: store(11), now: start)
        machine.refused(id(2), "no", now: start)
        #expect(machine.refusal?.reason == "no" && machine.serving == id(1))
        guard case .report = machine.step(now: start) else {
            Issue.record("the fleet is not told")
            return
        }
        machine.reported(now: start)
        guard case .wait = machine.step(now: start) else {
            Issue.record("it is tried in a loop")
            return
        }
        let later = start + AgentMachine.Pace.refusal
        machine.pointerRead(id(2), store: store(11), now: later)
        guard case .apply = machine.step(now: later) else {
            Issue.record("it is never tried again")
            return
        }
        // A rollback to what is served ends it.
        machine.pointerRead(id(1), store: store(12), now: later)
        #expect(machine.refusal == nil && machine.isCurrent)
    }

    @Test func aDamagedPointerChangesNothing() {
        var machine = settled()
        machine.pointerDamaged("channel: no JSON", store: store(11), now: start)
        #expect(machine.serving == id(1) && machine.refusal != nil)
        machine.pointerRead(id(1), store: store(12), now: start)
        #expect(machine.refusal == nil)
    }

    /// Deleted, or never there: this machine keeps serving its revision, and nothing is current.
    @Test func aChannelThatDoesNotExistIsSaid() {
        var machine = settled()
        #expect(machine.isCurrent && !machine.isChannelMissing)
        machine.watchSpoke(now: start)
        machine.pointerRead(nil, store: store(11), now: start)
        #expect(machine.isChannelMissing && !machine.isCurrent && machine.serving == id(1))
        #expect(machine.target == nil && machine.refusal == nil)
        guard case .wait = machine.step(now: start) else {
            Issue.record("\(machine.step(now: start))")
            return
        }
        machine.watchSpoke(now: start)
        machine.pointerRead(id(1), store: store(12), now: start)
        #expect(!machine.isChannelMissing && machine.isCurrent)
        // A pointer that cannot be read is there.
        machine.watchSpoke(now: start)
        machine.pointerRead(nil, store: store(13), now: start)
        machine.watchSpoke(now: start)
        machine.pointerDamaged("no JSON", store: store(14), now: start)
        #expect(!machine.isChannelMissing && !machine.isCurrent && machine.refusal != nil)
        // What was refused is over with the channel, and the fleet is told.
        machine.reported(now: start)
        machine.watchSpoke(now: start)
        machine.pointerRead(nil, store: store(15), now: start)
        #expect(machine.refusal == nil)
        guard case .report = machine.step(now: start) else {
            Issue.record("\(machine.step(now: start))")
            return
        }
    }

    @Test func aMachineThatDoesNotKnowTheChannelYetSaysNothingOfIt() {
        let machine = machine(serving: id(1))
        #expect(!machine.isChannelMissing && !machine.isCurrent)
    }

    @Test func whatItFellBackToIsNotCurrentUntilTheChannelSaysSo() {
        var machine = settled(2)
        machine.fellBack(to: id(1))
        #expect(machine.serving == id(1) && !machine.isCurrent)
        guard case .apply(let wanted, _) = machine.step(now: start) else {
            Issue.record("it stays behind")
            return
        }
        expectEqual(wanted, id(2))
    }

    /// Whoever may not write its record follows all the same.
    @Test func aDeniedLeaseNeverKeepsItFromFollowing() {
        var machine = machine(serving: id(1))
        machine.pointerRead(id(2), store: store(10), now: start)
        machine.applied(id(2), now: start)
        machine.leaseFailed(.denied("no"), now: start)
        guard case .watch = machine.step(now: start) else {
            Issue.record("\(machine.step(now: start))")
            return
        }
    }

    @Test func aLeaseThatIsGoneIsGrantedAnew() {
        var machine = settled()
        let later = start + AgentMachine.Pace.lease
        guard case .keepLease(5, _) = machine.step(now: later) else {
            Issue.record("not kept")
            return
        }
        machine.leaseFailed(.leaseGone, now: later)
        guard case .grantLease = machine.step(now: later) else {
            Issue.record("not granted")
            return
        }
        machine.leaseKept(6, now: later)
        guard case .report(lease: 6, _) = machine.step(now: later) else {
            Issue.record("the record is not under the new lease")
            return
        }
    }

    /// The arithmetic of `Pace`: requests of one machine in a quiet hour.
    @Test func aQuietMachineAsksLittle() {
        var machine = settled()
        var now = start
        var requests = 0
        while now < start + .seconds(3600) {
            switch machine.step(now: now) {
            case .wait(let until): now = max(until, now + .milliseconds(1))
            case .read:
                requests += 1
                machine.pointerRead(id(1), store: store(10), now: now)
            case .keepLease, .grantLease:
                requests += 1
                machine.leaseKept(5, now: now)
            case .report:
                requests += 1
                machine.reported(now: now)
            case .apply, .watch: Issue.record("\(machine.step(now: now))")
            }
        }
        // 0.19/s, a quarter more by jitter at most.
        #expect(requests < 900, "\(requests)")
    }
}
