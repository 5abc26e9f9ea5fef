import AASAFleet
import Reactor
import SimulatedTime

/// A fleet on a simulated clock: the product's `AgentMachine`, `MemberRing` and `EtcdToken` on
/// machines that restart, with a cluster that fails, and publications. See README.md.
///
/// It has no socket and no thread; a seed replays a run.
package final class FleetSimulation {
    package struct Setting: Sendable {
        package var machines = 1000
        package var members = 3
        package var length: Duration = .seconds(86_400)
        package var seed: UInt64 = 1
        /// Between two publications, two faults of the cluster, two of each machine: on average.
        package var publication: Duration = .seconds(3600)
        package var fault: Duration = .seconds(1800)
        package var restart: Duration = .seconds(86_400)
        /// Puts an old defect back: tokens of a store's earlier life are used for ever.
        package var keepsTokens = false

        package init() {}
    }

    /// A law that did not hold.
    package struct Violation: Sendable, Equatable, CustomStringConvertible {
        package var seconds: Int64
        package var law: String
        package var detail: String
        package var description: String { "at \(seconds) s: \(law): \(detail)" }
    }

    package struct Summary: Sendable, Equatable {
        package var steps = 0
        package var requests = 0
        package var publications = 0
        package var faults = 0
        package var restores = 0
        package var restarts = 0
        package var applied = 0
        /// The longest that a machine was behind with nothing in its way.
        package var slowest: Duration = .zero
        /// The most requests of one machine in a window of ten minutes.
        package var busiest = 0
        /// The most requests of all machines in one second.
        package var peak = 0
        package var violations: [Violation] = []
    }

    enum Event {
        case wake(machine: Int, ticket: Int)
        /// A message of a watch (`nil`), or how it ended.
        case speak(machine: Int, EtcdFailure?, opening: Int)
        case world
        case restart(machine: Int)
        case started(machine: Int)
        case diskMended(machine: Int)
        case mended(member: Int)
        case look
        case window
    }

    /// The bound: everybody follows within this of the cluster's return.
    package static let convergence: Duration = .seconds(30)
    /// Per machine and ten minutes. Steady: a read in 15 s at the shortest, a lease in 7.5, a
    /// record in 22.5 are 147. Beside an outage: three members and a pause of 4 s or more are 450.
    /// Publications, blobs and tokens come on top.
    package static let requestsPerWindow = 650
    static let look: Duration = .seconds(5)
    static let window: Duration = .seconds(600)

    let setting: Setting
    var random: SplitMix
    var events = EventQueue<Event>()
    private(set) var now = MonotonicInstant(nanoseconds: 0)
    var cluster: SimulatedCluster
    var machines: [SimulatedMachine] = []
    /// Since when a majority answers and the channel says the same.
    var steadySince = MonotonicInstant(nanoseconds: 0)
    var summary = Summary()
    private var openings = 0
    private var second = Int64(0)
    private var inSecond = 0

    package init(_ setting: Setting) {
        self.setting = setting
        random = SplitMix(seed: setting.seed)
        cluster = SimulatedCluster(members: setting.members)
    }

    package func run() -> Summary {
        cluster.publish(poisoned: false)
        for index in 0..<setting.machines {
            machines.append(
                SimulatedMachine(
                    index: index, seed: setting.seed, members: setting.members, now: now))
            schedule(index, now + part(of: .seconds(5)))
            plan(now + around(setting.restart), .restart(machine: index))
        }
        for _ in 0..<2 { plan(now + around(setting.fault), .world) }
        plan(now + Self.look, .look)
        plan(now + Self.window, .window)
        let end = now + setting.length
        while let (time, event) = events.removeFirst(), time < end.nanoseconds {
            now = MonotonicInstant(nanoseconds: time)
            summary.steps += 1
            handle(event)
            if summary.violations.count > 20 { break }
        }
        return summary
    }

    private func handle(_ event: Event) {
        switch event {
        case .wake(let index, let ticket):
            guard machines[index].ticket == ticket, machines[index].isUp else { return }
            complete(index)
            advance(index)
        case .speak(let index, let end, let opening):
            guard machines[index].isUp, machines[index].watch?.opening == opening else { return }
            machines[index].inbox.append(end)
            if !machines[index].task.isUnderWay { advance(index) }
        case .world: worldTurns()
        case .restart(let index): restart(index)
        case .started(let index): started(index)
        case .diskMended(let index):
            machines[index].isDiskFull = false
            machines[index].excusedAt = now + AgentMachine.Pace.refusal
        case .mended(let member): rise(member)
        case .look: look()
        case .window: endWindow()
        }
    }

    // MARK: A machine's thread

    /// What the machine is asked to do until it waits for something.
    private func advance(_ index: Int) {
        while true {
            if !machines[index].agent.isWatching {
                machines[index].watch = nil
                machines[index].inbox = []
            }
            if !machines[index].inbox.isEmpty, case .wait = machines[index].agent.step(now: now) {
                hear(index)
                continue
            }
            let step = machines[index].agent.step(now: now)
            switch step {
            case .wait(let until):
                machines[index].task = .nothing
                return schedule(index, until)
            case .read(let member): machines[index].begin(.read, member)
            case .apply(let id, let member): machines[index].begin(.apply(id), member)
            case .grantLease(let member): machines[index].begin(.grantLease, member)
            case .keepLease(let id, let member): machines[index].begin(.keepLease(id), member)
            case .report(_, let member): machines[index].begin(.report, member)
            case .watch(let from, let member): machines[index].begin(.watch(from: from), member)
            }
            return ask(index)
        }
    }

    /// Sends what the machine is about to do, after a token where it has none.
    private func ask(_ index: Int) {
        let hasToken = machines[index].token.text != nil
        let answer = cluster.answer(
            from: machines[index].member, tokenOf: hasToken ? machines[index].tokenLife : nil,
            random: &random)
        machines[index].isAuthenticating = !hasToken
        machines[index].failure = answer.failure
        var takes = answer.takes
        if case .apply = machines[index].task, hasToken, answer.failure == nil {
            let blobs = 1 + Int(random.next() % 8)
            count(index, blobs)
            takes = takes * blobs
        }
        count(index, 1)
        schedule(index, now + takes)
    }

    /// What was sent has come back.
    private func complete(_ index: Int) {
        guard case let task = machines[index].task, task.isUnderWay else { return }
        let failure = machines[index].failure
        if machines[index].isAuthenticating {
            if failure == nil {
                machines[index].token.received("token")
                machines[index].tokenLife = cluster.life
                return
            }
        } else if let failure, !setting.keepsTokens {
            machines[index].token.failed(failure, members: setting.members)
        } else if failure == nil {
            machines[index].token.answered()
        }
        machines[index].task = .nothing
        if let failure { return fail(index, task, failure) }
        perform(index, task)
    }

    private func perform(_ index: Int, _ task: SimulatedMachine.Task) {
        switch task {
        case .nothing: break
        case .read:
            machines[index].agent.pointerRead(
                cluster.pointer?.revision, store: cluster.store, now: now)
        case .grantLease:
            machines[index].leaseLife = cluster.life
            machines[index].agent.leaseKept(Int64(index + 1), now: now)
        case .keepLease(let id):
            if machines[index].leaseLife == cluster.life {
                machines[index].agent.leaseKept(id, now: now)
            } else {
                machines[index].agent.leaseFailed(.leaseGone, now: now)
            }
        case .report:
            cluster.touched()
            machines[index].agent.reported(now: now)
        case .apply(let id): apply(index, id)
        case .watch(let from): open(index, from)
        }
    }

    private func fail(_ index: Int, _ task: SimulatedMachine.Task, _ failure: EtcdFailure) {
        switch task {
        case .nothing: break
        case .read: machines[index].agent.failed(failure, now: now)
        case .grantLease, .keepLease, .report:
            machines[index].agent.leaseFailed(failure, now: now)
        case .apply: machines[index].agent.failed(failure, now: now)
        case .watch: machines[index].agent.watchEnded(failure, now: now)
        }
    }

    private func apply(_ index: Int, _ id: RevisionID) {
        if cluster.isPoisoned(id) || machines[index].isDiskFull {
            return machines[index].agent.refused(id, "no", now: now)
        }
        if !cluster.wasPublished(id) { violated("only what was published", "\(id)") }
        machines[index].agent.applied(id, now: now)
        machines[index].disk = id
        summary.applied += 1
    }

    private func open(_ index: Int, _ from: Int64) {
        openings += 1
        machines[index].watch = SimulatedMachine.Watch(
            member: machines[index].member, from: from, opening: openings)
        machines[index].agent.watchOpened()
        // That it was created; what it has missed may come with that, and is read in any case.
        machines[index].inbox.append(nil)
        // It says that it is canceled, and nothing afterwards.
        if from <= cluster.compacted { machines[index].watch = nil }
    }

    private func hear(_ index: Int) {
        if let end = machines[index].inbox.removeFirst() {
            machines[index].agent.watchEnded(end, now: now)
        } else {
            machines[index].agent.watchSpoke(now: now)
        }
    }

    func plan(_ time: MonotonicInstant, _ event: Event) {
        events.add(event, at: time.nanoseconds)
    }

    /// The only wake of the machine that counts is its last.
    func schedule(_ index: Int, _ time: MonotonicInstant) {
        machines[index].ticket += 1
        plan(max(time, now), .wake(machine: index, ticket: machines[index].ticket))
    }

    private func count(_ index: Int, _ requests: Int) {
        machines[index].requestsInWindow += requests
        summary.requests += requests
        if now.wholeSeconds != second {
            second = now.wholeSeconds
            inSecond = 0
        }
        inSecond += requests
        summary.peak = max(summary.peak, inSecond)
    }
}
