import AASAServer
import HTTP
import Reactor

/// What must hold at every step of every run.
package enum Law: String, CaseIterable, Sendable {
    /// The loop does not rest while a client with its ClientHello there waits.
    case workConservation = "work-conservation"
    /// No input, and no room for output, lies unnoticed while the loop rests.
    case nothingOverlooked = "nothing-overlooked"
    /// We end no connection of a client that means it before its answer is whole.
    case nobodyCut = "nobody-cut"
    /// 503 comes of a full link, short memory, a budget or a drain.
    case lawful503 = "lawful-503"
    /// What is kept for a connection, and for all, is bounded.
    case memoryBound = "memory-bound"
    /// As many get their answer as the fluid bound's fraction, less the attackers' fair share.
    case answeredShare = "answered-share"
    /// Every connection ends.
    case everybodyEnds = "everybody-ends"
}

package struct Violation: Sendable {
    package let law: Law
    /// Since the run's beginning.
    package let seconds: Double
    package let text: String
}

/// Watches one run.
final class Laws {
    private(set) var violations: [Violation] = []
    private var sleeps = 0
    private var checkedEgressAt: Int64 = 0
    private(set) var memoryWasShort = false
    private var slotsWereFull = false
    private var cutsJudged = 0
    private var linkSamples: [(at: Int64, busy: Int64)] = []

    private func broken(_ law: Law, _ worker: SimulatedWorker, _ text: @autoclosure () -> String) {
        guard violations.count < 20, violations.count(where: { $0.law == law }) < 3 else { return }
        let seconds = Double(worker.world.now - World.start) / 1e9
        violations.append(Violation(law: law, seconds: seconds, text: text()))
    }

    // MARK: Work

    /// Time is about to pass without anything to do.
    func sleeps(_ worker: SimulatedWorker) {
        let world = worker.world
        // Without memory for its handshake a client has to wait.
        if world.waitingHellos > 0, worker.admission.memoryAllows > 0 {
            broken(
                .workConservation, worker,
                "the loop rests while \(world.waitingHellos) whole ClientHellos wait"
                    + " (\(worker.admission.workingCount) handshakes count as work)")
        }
        if !world.isWatchingListener, world.isListening, world.queueLength > 0,
            !worker.isMemoryExhausted, !worker.slots.isFull
        {
            broken(
                .workConservation, worker,
                "the loop rests while \(world.queueLength) stand in the kernel's queue")
        }
        sleeps += 1
        // A look at all is dear: so often that it costs about as much as the rest.
        if sleeps * 16 >= worker.slots.extent {
            sleeps = 0
            lookAtAll(worker)
        }
    }

    private func lookAtAll(_ worker: SimulatedWorker) {
        for index in 0..<worker.slots.extent {
            guard let connection = worker.slots[index: index], !connection.peer.isListed,
                connection.tls != nil
            else { continue }
            let peer = connection.peer
            let blocked = connection.machine.isBlocked
            if blocked, worker.world.hasRoom(peer) {
                broken(.nothingOverlooked, worker, "a \(peer.kind) could be sent to")
            }
            if !blocked, peer.isReadable, !connection.machine.inputHasEnded,
                !connection.exchange.isAnswering
            {
                broken(
                    .nothingOverlooked, worker,
                    "input of a \(peer.kind) lies unread (\(connection.machine.phase))")
            }
        }
    }

    /// The server's own measure: `aasa_idle_while_waiting_seconds_total`.
    func sleptWhileSomebodyWaited(_ worker: SimulatedWorker) {
        if worker.isMemoryExhausted || worker.slots.isFull { return }
        broken(.workConservation, worker, "aasa_idle_while_waiting_seconds_total rises")
    }

    // MARK: Memory

    /// The listener is about to be closed.
    func drainBegan(_ worker: SimulatedWorker) {
        if worker.slots.isFull { slotsWereFull = true }
    }

    func turnEnded(_ worker: SimulatedWorker) {
        let limits = worker.limits
        if worker.slots.isFull { slotsWereFull = true }
        let (silent, working) = (worker.admission.silentCount, worker.admission.workingCount)
        let most = limits.admission.handshakesMaximum + limits.admission.startsPerTurn
        if silent > 0, silent + working > most {
            broken(
                .memoryBound, worker, "\(silent) silent handshakes of \(silent + working)")
        }
        // It grows beyond its bound only for as long as nobody may give way.
        if worker.keptHellos.bytes > limits.helloBytesInAll + limits.receiveBytes,
            worker.keptHellos.victim(now: worker.now) != nil
        {
            broken(
                .memoryBound, worker,
                "\(worker.keptHellos.bytes) bytes of unfinished ClientHellos")
        }
        if worker.stalledReaders.count > limits.shedding.stalledReadersMaximum {
            broken(.memoryBound, worker, "\(worker.stalledReaders.count) readers that do not read")
        }
        judgeCuts(worker)
        sampleLink(worker.world)
    }

    /// Bytes of a connection were moved.
    func moved(_ connection: SimulatedConnection, _ worker: SimulatedWorker) {
        let limits = worker.limits
        let kept = connection.keptBytes
        if kept > worker.world.statistics.keptBytesMaximum {
            worker.world.statistics.keptBytesMaximum = kept
        }
        let most = limits.inputBytesPerConnection
        if kept > most {
            broken(
                .memoryBound, worker,
                "\(kept) bytes of input are kept for a \(connection.peer.kind), \(most) may be")
        }
        let mostUnsent = limits.flightBytes + 2 * Wire.recordBytes
        if connection.unsentBytes > mostUnsent {
            broken(
                .memoryBound, worker,
                "\(connection.unsentBytes) bytes wait for a \(connection.peer.kind),"
                    + " \(mostUnsent) may")
        }
    }

    func memorySampled(share: Double, _ worker: SimulatedWorker) {
        worker.world.statistics.memoryShareMaximum = max(
            worker.world.statistics.memoryShareMaximum, share)
        if share >= worker.limits.memoryShareSoft { memoryWasShort = true }
        if share > 1 {
            broken(.memoryBound, worker, "\(Int(share * 100)) % of the machine's memory")
        }
    }

    // MARK: Answers

    func shed(
        _ cause: ShedCause, _ connection: SimulatedConnection, _ worker: SimulatedWorker
    ) {
        let world = worker.world
        switch cause {
        case .memory, .age: break
        case .budget:
            if world.scenario.machine.budget == 0 {
                broken(.lawful503, worker, "503 for a budget that was not set")
            }
        case .draining:
            if !world.drainBegan { broken(.lawful503, worker, "503 for a drain that is none") }
        case .egress:
            if world.now - checkedEgressAt < 100_000_000 { return }
            checkedEgressAt = world.now
            judgeEgress(connection, worker)
        }
    }

    /// Whether the link is as full as was said: it has not rested for a second, or what goes
    /// through it needs two at least.
    private func judgeEgress(_ connection: SimulatedConnection, _ worker: SimulatedWorker) {
        var bytes = 0
        for token in worker.large {
            guard let other = worker.slots[token], let answer = other.large else { continue }
            // Whose own window holds it back does not wait for the link.
            if other.peer.isOnLink { bytes += answer.bytes }
        }
        let seconds = Double(bytes) / worker.world.scenario.machine.linkBytes
        if seconds < 2, linkBusyShare(worker.world) < 0.9 {
            let believed = worker.shedding
            broken(
                .lawful503, worker,
                "503 for a full link, to a \(connection.peer.kind): \(bytes) bytes are under way"
                    + " on \(Int(worker.world.scenario.machine.linkBytes)) B/s, but"
                    + " \(believed.backlogBytes) on \(Int(believed.drainBytesPerSecond ?? 0)) B/s"
                    + " are believed, with \(worker.stalledReaders.count) who do not read")
        }
    }

    /// How much of the last second, or a little more, the link was busy.
    private func linkBusyShare(_ world: World) -> Double {
        guard let first = linkSamples.first, world.now > first.at else { return 1 }
        return Double(world.linkBusyNanoseconds - first.busy) / Double(world.now - first.at)
    }

    private func sampleLink(_ world: World) {
        guard world.now - (linkSamples.last?.at ?? 0) >= 100_000_000 else { return }
        linkSamples.append((world.now, world.linkBusyNanoseconds))
        if linkSamples.count > 12 { linkSamples.removeFirst() }
    }

    private func judgeCuts(_ worker: SimulatedWorker) {
        let cuts = worker.world.cuts
        while cutsJudged < cuts.count {
            let cut = cuts[cutsJudged]
            cutsJudged += 1
            if isLawful(cut, worker) { continue }
            let age = (cut.at - cut.peer.bornAt) / 1_000_000
            broken(
                .nobodyCut, worker,
                "a \(cut.peer.kind) was cut after \(age) ms: \(cut.reason?.label ?? "nothing"),"
                    + " when it was \(cut.peer.phaseAtClose)")
        }
    }

    private func isLawful(_ cut: World.Cut, _ worker: SimulatedWorker) -> Bool {
        let world = worker.world
        if let drain = world.scenario.drain {
            if world.now >= World.time(drain.at + drain.lasts) { return true }
            // Without a place for it, who stands in the kernel's queue cannot be taken in.
            if world.drainBegan, !cut.peer.isAccepted, slotsWereFull { return true }
        }
        switch cut.reason {
        case .helloPressure, .handshakePressure, .descriptorPressure:
            // A place was needed, and nothing had been heard of it for a second.
            let silence = cut.at - cut.peer.lastSegmentAt
            return silence >= worker.limits.admission.silenceTolerated.inNanoseconds
                || cut.peer.answers > 0
        case .idleTimeout, .requestLimit, .draining, .lifetime:
            // A request that crossed our end on the way: the client asks on a new connection.
            return cut.peer.answers > 0
        default: return false
        }
    }

    // MARK: The end

    func ended(_ worker: SimulatedWorker) {
        judgeCuts(worker)
        let world = worker.world
        world.statistics.turns = Int(worker.turns)
        world.statistics.seconds = Double(world.now - World.start) / 1e9
        if worker.slots.count > 0, world.scenario.drain == nil {
            broken(.everybodyEnds, worker, "\(worker.slots.count) connections stay for ever")
        }
        if world.scenario.drain == nil { judgeShare(worker) }
    }

    private func judgeShare(_ worker: SimulatedWorker) {
        let statistics = worker.world.statistics
        let bound = FluidBound(worker.world.scenario, statistics)
        guard bound.clients > 0 else { return }
        var answered = 0
        var documents = 0
        for (index, population) in worker.world.scenario.populations.enumerated()
        where population.kind.isHonest && population.kind != .front {
            documents += statistics.populations[index].answered
            answered +=
                statistics.populations[index].answered
                + statistics.populations[index].unavailable
        }
        let share = Double(answered) / bound.clients
        if share < bound.answered {
            broken(
                .answeredShare, worker,
                "\(percent(share)) % were answered, \(percent(bound.answered)) % is the bound")
        }
        // Where documents are refused for the machine's sake, the link is not what counts.
        if worker.world.scenario.machine.budget > 0 || memoryWasShort { return }
        let got = Double(documents) / bound.clients
        if got < bound.documents {
            broken(
                .answeredShare, worker,
                "\(percent(got)) % got the document, \(percent(bound.documents)) % is the bound")
        }
    }

    private func percent(_ share: Double) -> Double { (share * 1000).rounded() / 10 }
}
