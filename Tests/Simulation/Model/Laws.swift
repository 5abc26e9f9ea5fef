import AASAServer
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
    private unowned(unsafe) let world: World
    var worker: Worker?
    /// Clients whose connections moved bytes in this turn.
    var moved: [Peer] = []
    private var hasEnded = false
    private var idleCounted: UInt64 = 0
    /// There were memory and a free slot when the last turn ended.
    private var couldAccept = true
    private static let causes: [Counter] = [
        .shedEgress, .shedMemory, .shedBudget, .shedAge, .shedDraining,
    ]
    private var causesCounted = Array(repeating: UInt64(0), count: causes.count)
    private(set) var violations: [Violation] = []
    private var sleepsSinceLook = 0
    private var checkedEgressAt: Int64 = 0
    private(set) var memoryWasShort = false
    private var slotsWereFull = false
    private var cutsJudged = 0
    private var linkSamples: [(at: Int64, busy: Int64)] = []

    init(_ world: World) { self.world = world }

    /// What the scenario expects is broken: there is nothing more to find.
    var isDone: Bool {
        let expected = world.scenario.expected
        return !expected.isEmpty && expected.isSubset(of: violations.map(\.law))
    }

    private func broken(_ law: Law, _ text: @autoclosure () -> String) {
        guard violations.count < 20, violations.count(where: { $0.law == law }) < 3 else { return }
        let seconds = Double(world.clock - World.start) / 1e9
        violations.append(Violation(law: law, seconds: seconds, text: text()))
    }

    // MARK: Work

    /// Time is about to pass without anything to do.
    func sleeps() {
        guard let worker else { return }
        // Without memory for its handshake a client has to wait.
        if world.waitingHellos > 0, !worker.waitsForMemory {
            broken(
                .workConservation,
                "the loop rests while \(world.waitingHellos) whole ClientHellos wait"
                    + " (\(world.counters.value(.handshakesInFlight)) handshakes are under way)")
        }
        if !world.isWatchingListener, world.isListening, world.queueLength > 0,
            !worker.isMemoryExhausted, !worker.isFull
        {
            broken(
                .workConservation,
                "the loop rests while \(world.queueLength) stand in the kernel's queue")
        }
        sleepsSinceLook += 1
        // A look at all is dear: so often that it costs about as much as the rest.
        if sleepsSinceLook * 16 >= worker.connectionCount {
            sleepsSinceLook = 0
            lookAtAll(worker)
        }
    }

    private func lookAtAll(_ worker: Worker) {
        for peer in world.open where peer.isRegistered && !peer.isListed {
            guard let connection = worker.connection(peer.token), connection.hasSession
            else { continue }
            let machine = connection.machine
            if machine.isBlocked, world.hasRoom(peer) {
                broken(.nothingOverlooked, "a \(peer.kind) could be sent to (\(machine.phase))")
            }
            if !machine.isBlocked, peer.isReadable, !machine.inputHasEnded,
                !connection.isAnswering
            {
                broken(
                    .nothingOverlooked,
                    "input of a \(peer.kind) lies unread (\(machine.phase))")
            }
        }
    }

    // MARK: Memory

    /// The listener is about to be closed.
    func stopsListening() { if worker?.isFull == true { slotsWereFull = true } }

    func turnEnded() {
        guard let worker else { return }
        let limits = world.limits
        if worker.isFull { slotsWereFull = true }
        // The server's own measure.
        let idle = world.counters.value(.idleWhileWaitingNanoseconds)
        if idle > idleCounted, couldAccept {
            broken(.workConservation, "aasa_idle_while_waiting_seconds_total rises")
        }
        idleCounted = idle
        couldAccept = !worker.isMemoryExhausted && !worker.isFull
        let silent = Int(world.counters.value(.handshakesSilent))
        let underWay = Int(world.counters.value(.handshakesInFlight))
        let most = limits.admission.handshakesMaximum + limits.admission.startsPerTurn
        if silent > 0, underWay > most {
            broken(.memoryBound, "\(silent) silent handshakes of \(underWay)")
        }
        // It grows beyond its bound only for as long as nobody may give way.
        if worker.helloBytes > limits.helloBytesInAll + limits.receiveBytes,
            worker.helloGivesWay(now: world.instant)
        {
            broken(.memoryBound, "\(worker.helloBytes) bytes of unfinished ClientHellos")
        }
        if worker.stalledCount > limits.shedding.stalledReadersMaximum {
            broken(.memoryBound, "\(worker.stalledCount) readers that do not read")
        }
        for peer in moved {
            peer.hasMoved = false
            if let connection = worker.connection(peer.token) { judgeBuffers(connection, peer) }
        }
        moved.removeAll(keepingCapacity: true)
        judgeCuts(worker)
        sampleLink()
    }

    /// Bytes of a connection were moved.
    private func judgeBuffers(_ connection: Connection, _ peer: Peer) {
        let kept = connection.keptInputBytes
        world.statistics.keptBytesMaximum = max(world.statistics.keptBytesMaximum, kept)
        let most = world.limits.inputBytesPerConnection
        if kept > most {
            broken(
                .memoryBound,
                "\(kept) bytes of input are kept for a \(peer.kind), \(most) may be")
        }
        let mostUnsent = world.limits.flightBytes + 2 * Wire.recordBytes
        if connection.unsentBytes > mostUnsent {
            broken(
                .memoryBound,
                "\(connection.unsentBytes) bytes wait for a \(peer.kind), \(mostUnsent) may")
        }
    }

    /// The worker looks at its memory.
    func memorySampled(share: Double) {
        world.statistics.memoryShareMaximum = max(world.statistics.memoryShareMaximum, share)
        if share >= world.limits.memoryShareSoft { memoryWasShort = true }
        if share > 1 {
            broken(.memoryBound, "\(Int(share * 100)) % of the machine's memory")
        }
    }

    // MARK: Answers

    /// A client got 503.
    func shed(_ peer: Peer) {
        for (index, cause) in Self.causes.enumerated() {
            let count = world.counters.value(cause)
            if count == causesCounted[index] { continue }
            causesCounted[index] = count
            judge(cause, peer)
        }
    }

    private func judge(_ cause: Counter, _ peer: Peer) {
        switch cause {
        case .shedBudget:
            if world.scenario.machine.budget == 0 {
                broken(.lawful503, "503 for a budget that was not set")
            }
        case .shedDraining:
            if !world.drainBegan { broken(.lawful503, "503 for a drain that is none") }
        case .shedEgress:
            // Whom an attacker's own reading makes look like the link's may well be turned away.
            guard peer.kind.isHonest else { return }
            if world.clock - checkedEgressAt < 100_000_000 { return }
            checkedEgressAt = world.clock
            judgeEgress(peer)
        default: break
        }
    }

    /// Whether the link is as full as was said: it has not rested for a second, or what goes
    /// through it needs two at least.
    private func judgeEgress(_ peer: Peer) {
        // Whose own window holds it back does not wait for the link.
        let answers = world.linkRing[world.linkStart...].count {
            $0.isOnLink && $0.reader.hasContent
        }
        let bytes = answers * world.scenario.machine.documentBytes
        let seconds = Double(bytes) / world.scenario.machine.linkBytes
        if seconds < 2, linkBusyShare < 0.9 {
            broken(
                .lawful503,
                "503 for a full link, to a \(peer.kind): \(bytes) bytes are under way on"
                    + " \(Int(world.scenario.machine.linkBytes)) B/s, with"
                    + " \(worker?.stalledCount ?? 0) who do not read")
        }
    }

    /// How much of the last second, or a little more, the link was busy.
    private var linkBusyShare: Double {
        guard let first = linkSamples.first, world.clock > first.at else { return 1 }
        return Double(world.linkBusyNanoseconds - first.busy) / Double(world.clock - first.at)
    }

    private func sampleLink() {
        guard world.clock - (linkSamples.last?.at ?? 0) >= 100_000_000 else { return }
        linkSamples.append((world.clock, world.linkBusyNanoseconds))
        if linkSamples.count > 12 { linkSamples.removeFirst() }
    }

    private func judgeCuts(_ worker: Worker) {
        let cuts = world.cuts
        while cutsJudged < cuts.count {
            let cut = cuts[cutsJudged]
            cutsJudged += 1
            let reason = reason(of: cut.peer, worker)
            if isLawful(cut, reason) { continue }
            let age = (cut.at - cut.peer.bornAt) / 1_000_000
            broken(
                .nobodyCut,
                "a \(cut.peer.kind) was cut after \(age) ms: \(reason?.label ?? "nothing")")
        }
    }

    private func reason(of peer: Peer, _ worker: Worker) -> CloseReason? {
        if let reason = peer.closeReason { return reason }
        if case .lingering(let reason) = worker.connection(peer.token)?.machine.phase {
            return reason
        }
        return nil
    }

    private func isLawful(_ cut: World.Cut, _ reason: CloseReason?) -> Bool {
        if let drain = world.scenario.drain {
            if world.clock >= World.time(drain.at + drain.lasts) { return true }
            // Without a place for it, who stands in the kernel's queue cannot be taken in.
            if world.drainBegan, !cut.peer.isAccepted, slotsWereFull { return true }
        }
        switch reason {
        case .helloPressure, .handshakePressure, .descriptorPressure:
            // A place was needed, and nothing had been heard of it for a second.
            let silence = cut.at - cut.peer.lastSegmentAt
            return silence >= world.limits.admission.silenceTolerated.inNanoseconds
                || cut.peer.answers > 0
        case .idleTimeout, .requestLimit, .draining, .lifetime:
            // A request that crossed our end on the way: the client asks on a new connection.
            return cut.peer.answers > 0
        default: return false
        }
    }

    // MARK: The end

    /// Nothing will happen any more, or the worker has stopped.
    func ended() {
        guard let worker, !hasEnded else { return }
        hasEnded = true
        judgeCuts(worker)
        world.statistics.turns = Int(world.counters.value(.turns))
        world.statistics.seconds = Double(world.clock - World.start) / 1e9
        world.statistics.count(world.counters)
        if world.scenario.drain != nil { return }
        if worker.connectionCount > 0 {
            broken(.everybodyEnds, "\(worker.connectionCount) connections stay for ever")
        }
        judgeShare()
    }

    private func judgeShare() {
        let statistics = world.statistics
        let bound = FluidBound(world.scenario, statistics)
        guard bound.clients > 0 else { return }
        var answered = 0
        var documents = 0
        for (index, population) in world.scenario.populations.enumerated()
        where population.kind.isHonest && population.kind != .front {
            documents += statistics.populations[index].answered
            answered +=
                statistics.populations[index].answered
                + statistics.populations[index].unavailable
        }
        let share = Double(answered) / bound.clients
        if share < bound.answered {
            broken(
                .answeredShare,
                "\(percent(share)) % were answered, \(percent(bound.answered)) % is the bound")
        }
        // Where documents are refused for the machine's sake, the link is not what counts.
        if world.scenario.machine.budget > 0 || memoryWasShort { return }
        let got = Double(documents) / bound.clients
        if got < bound.documents {
            broken(
                .answeredShare,
                "\(percent(got)) % got the document, \(percent(bound.documents)) % is the bound")
        }
    }

    private func percent(_ share: Double) -> Double { (share * 1000).rounded() / 10 }
}
