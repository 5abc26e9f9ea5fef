import AASAFleet
import Reactor

// What happens around the machines, and the laws that they are judged by.

extension FleetSimulation {
    // MARK: Chance

    func part(of duration: Duration) -> Duration {
        .nanoseconds(Int64(random.next() % UInt64(max(1, duration.inNanoseconds))))
    }

    /// Between nothing and twice as long.
    func around(_ duration: Duration) -> Duration { part(of: duration * 2) }

    func oneIn(_ count: Int) -> Bool { random.next() % UInt64(max(1, count)) == 0 }

    // MARK: The world

    /// A publication, or a fault of the cluster, or its end.
    func worldTurns() {
        let isPublication =
            random.next() % 1000
            < UInt64(
                1000 * setting.fault.inNanoseconds
                    / max(1, setting.fault.inNanoseconds + setting.publication.inNanoseconds))
        if isPublication { publish() } else { fault() }
        // Two of these are under way at any time.
        let pace = min(setting.fault, setting.publication)
        plan(now + around(pace), .world)
    }

    private func publish() {
        guard cluster.hasQuorum else { return }
        summary.publications += 1
        if let old = cluster.published.randomElement(using: &random), oneIn(5) {
            cluster.point(to: old)  // a rollback
        } else {
            cluster.publish(poisoned: oneIn(10))
        }
        if oneIn(10) { cluster.backUp() }
        if oneIn(4) { cluster.compact() }
        channelMoved()
    }

    private func channelMoved() {
        steadySince = now
        guard let pointer = cluster.pointer else { return }
        for index in machines.indices {
            guard let watch = machines[index].watch, pointer.at >= watch.from,
                cluster.members[watch.member] == .up
            else { continue }
            plan(
                now + part(of: .milliseconds(20)),
                .speak(machine: index, nil, opening: watch.opening))
        }
    }

    private func fault() {
        summary.faults += 1
        let member = Int(random.next() % UInt64(setting.members))
        if cluster.members[member] != .up { return rise(member) }
        switch random.next() % 8 {
        case 0, 1: fall(member, .killed)
        case 2, 3: fall(member, .paused)
        case 4: fall(member, .cut)
        case 5:
            // Everybody at once.
            let state: SimulatedCluster.Member = oneIn(2) ? .killed : .paused
            for one in 0..<setting.members { fall(one, state) }
        case 6:
            if cluster.restore(keepsIdentity: oneIn(2)) {
                summary.restores += 1
                for one in 0..<setting.members { breakWatches(of: one) }
                channelMoved()
            }
        default:
            let index = Int(random.next() % UInt64(setting.machines))
            machines[index].isDiskFull = true
            machines[index].excusedAt = .distantFuture
            plan(now + around(.seconds(300)), .diskMended(machine: index))
        }
    }

    private func fall(_ member: Int, _ state: SimulatedCluster.Member) {
        guard cluster.members[member] == .up else { return }
        cluster.set(member, state)
        if state == .killed { breakWatches(of: member) }
        if !cluster.hasQuorum { steadySince = .distantFuture }
        // It comes back by itself, also where nobody hits it a second time.
        let back = around(.seconds(120))
        plan(now + back, .mended(member: member))
    }

    func rise(_ member: Int) {
        guard cluster.members[member] != .up else { return }
        let hadQuorum = cluster.hasQuorum
        let wasKilled = cluster.members[member] == .killed
        cluster.set(member, .up)
        if !hadQuorum, cluster.hasQuorum { steadySince = now }
        if wasKilled { return }
        // What a paused member had to tell may come late, or, after a cut, never.
        guard let pointer = cluster.pointer else { return }
        for index in machines.indices {
            guard let watch = machines[index].watch, watch.member == member,
                pointer.at >= watch.from, oneIn(2)
            else { continue }
            plan(
                now + part(of: .seconds(1)),
                .speak(machine: index, nil, opening: watch.opening))
        }
    }

    private func breakWatches(of member: Int) {
        for index in machines.indices {
            guard let watch = machines[index].watch, watch.member == member else { continue }
            plan(
                now + part(of: .milliseconds(5)),
                .speak(
                    machine: index, .unanswered(.reset(.body)), opening: watch.opening))
        }
    }

    // MARK: Processes

    func restart(_ index: Int) {
        plan(now + around(setting.restart), .restart(machine: index))
        guard machines[index].isUp else { return }
        summary.restarts += 1
        machines[index].isUp = false
        machines[index].ticket += 1
        plan(now + around(.seconds(10)), .started(machine: index))
    }

    func started(_ index: Int) {
        machines[index].startAnew(
            seed: random.next(), members: setting.members, now: now)
        schedule(index, now)
    }

    // MARK: The laws

    /// Whoever had the time follows the channel.
    func look() {
        plan(now + Self.look, .look)
        guard let pointer = cluster.pointer, steadySince < now,
            !cluster.isPoisoned(pointer.revision)
        else { return }
        for index in machines.indices where machines[index].isUp {
            let machine = machines[index]
            if machine.agent.serving == pointer.revision { continue }
            let free = max(steadySince, machine.upSince, machine.excusedAt)
            guard free < now else { continue }
            let behind = now - free
            summary.slowest = max(summary.slowest, behind)
            if behind > Self.convergence {
                violated(
                    "every machine follows within \(Self.convergence)",
                    "machine \(index) serves \(machine.agent.serving.map { "\($0)" } ?? "nothing")"
                        + " and not \(pointer.revision): \(machine.agent.step(now: now))"
                        + ", \(machine.agent.trouble.map { "\($0)" } ?? "no trouble")")
            }
        }
    }

    /// What it served once it serves a successor of, or itself: never nothing. And it asks no more
    /// than it may.
    func endWindow() {
        plan(now + Self.window, .window)
        for index in machines.indices {
            let requests = machines[index].requestsInWindow
            machines[index].requestsInWindow = 0
            summary.busiest = max(summary.busiest, requests)
            if requests > Self.requestsPerWindow {
                violated("a bounded load", "machine \(index): \(requests) requests in 10 minutes")
            }
            if machines[index].disk != nil, machines[index].isUp,
                machines[index].agent.serving == nil
            {
                violated("never nothing", "machine \(index)")
            }
        }
    }

    func violated(_ law: String, _ detail: String) {
        summary.violations.append(
            Violation(seconds: now.wholeSeconds, law: law, detail: detail))
    }
}
