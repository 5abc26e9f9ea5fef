import AASAServer
import Glibc
import Reactor

// What happens outside of the worker.
extension World {
    /// After how many seconds each more a SYN is sent again (overload.md section 1).
    private static let synRetries: [Int64] = [1, 1, 1, 1, 1, 2, 4, 8, 16]

    func handle(_ event: Event, at time: Int64) {
        switch event {
        case .arrival(let population):
            connect(makePeer(population, at: time), at: time)
            planArrival(population, after: time)
        case .connect(let peer): connect(peer, at: time)
        case .deferralEnded(let peer): if !peer.isAccepted { enqueue(peer, at: time) }
        case .segment(let peer, let bytes): arrive(peer, bytes, at: time)
        case .fin(let peer):
            guard !peer.serverClosed, !peer.resetArrived else { return }
            stolen += CostModel.softSegment
            peer.finArrived = true
            peer.lastSegmentAt = time
            countWaiting(peer)
            tell(peer, inputReadiness(peer))
        case .reset(let peer):
            peer.dropOutput()
            guard !peer.serverClosed, !peer.resetArrived else { return }
            stolen += CostModel.softSegment
            peer.resetArrived = true
            peer.lastSegmentAt = time
            countWaiting(peer)
            tell(peer, inputReadiness(peer))
        case .linkFree: transmit(at: time)
        case .delivered(let peer, let message): delivered(peer, message, at: time)
        case .closedByServer(let peer, let isReset): closed(peer, isReset: isReset, at: time)
        case .script(let peer): step(peer, at: time)
        case .patienceEnds(let peer): patienceEnded(peer, at: time)
        case .read(let peer): readOn(peer, at: time)
        case .drain:
            drainBegan = true
            if let drain = scenario.drain {
                beginDrain(MonotonicInstant(nanoseconds: Self.time(drain.at + drain.lasts)))
            }
            wakeupPending = true
        }
    }

    func makePeer(_ index: Int, at time: Int64) -> Peer {
        let population = scenario.populations[index]
        let member =
            population.addresses == 0
            ? random.next() : random.next() % UInt64(population.addresses)
        let spread = 0.8 + 0.4 * ScenarioGrammar.unit(&random)
        let peer = Peer(
            id: UInt32(peers.count), kind: population.kind, population: index,
            network: UInt64(index + 1) << 48 | (member & 0xFFFF_FFFF_FFFF),
            roundTrip: Int64(population.roundTrip * spread * 1e9),
            patience: Int64(population.patience * 1e9), now: time)
        peers.append(peer)
        statistics.populations[index].arrived += 1
        return peer
    }

    func planArrival(_ index: Int, after time: Int64) {
        let population = scenario.populations[index]
        let gap = -log(1 - ScenarioGrammar.unit(&random)) / population.rate
        let next = time + Int64(gap * 1e9)
        if next < Self.time(population.from + population.lasts) {
            events.add(.arrival(population: index), at: next)
        }
    }

    // MARK: The kernel

    private func connect(_ peer: Peer, at time: Int64) {
        guard peer.stage == .connecting, !peer.isGone else { return }
        guard isListening else {
            // Another process listens by now, or nobody: no case of this worker's.
            statistics.populations[peer.population].arrivedAfterEnd += 1
            peer.isGone = true
            return
        }
        if peer.retries == 0 { events.add(.patienceEnds(peer), at: peer.leavesAt) }
        if queueLength >= backlog {
            stolen += CostModel.softDrop
            guard peer.retries < Self.synRetries.count else { return }
            let after = Self.synRetries[peer.retries] * 1_000_000_000
            peer.retries += 1
            events.add(.connect(peer), at: time + after)
            return
        }
        peer.stage = .waiting
        stolen += CostModel.softConnection
        // TCP_DEFER_ACCEPT: without data it is given out late.
        if begin(peer, at: time) {
            enqueue(peer, at: time)
        } else {
            let deferral = Int64(limits.deferAcceptSeconds + 2) * 1_000_000_000
            events.add(.deferralEnded(peer), at: time + deferral)
        }
    }

    private func enqueue(_ peer: Peer, at time: Int64) {
        guard isListening, !peer.isGone else { return }
        acceptQueue.append(peer)
        listListener()
    }

    func arrive(_ peer: Peer, _ bytes: ArraySlice<UInt8>, at time: Int64) {
        stolen += CostModel.softSegment
        if peer.serverClosed {
            // Data for a socket that is closed is answered by a reset.
            if !peer.finSent || peer.unacknowledged > 0 {
                peer.dropOutput()
                events.add(.closedByServer(peer, isReset: true), at: time + peer.roundTrip / 2)
            }
            return
        }
        if peer.resetArrived || peer.finArrived { return }
        peer.inbox.append(bytes)
        peer.inboxBytes += bytes.count
        peer.lastDataAt = time
        peer.lastSegmentAt = time
        countWaiting(peer)
        tell(peer, .readable)
    }

    private func delivered(_ peer: Peer, _ message: Message, at time: Int64) {
        peer.inFlight -= message.count
        if peer.resetArrived { return }
        if peer.wantsOut, hasRoom(peer) { tell(peer, .writable) }
        pushOnLink(peer)
        sendFinIfDue(peer)
        if peer.isGone {
            events.add(.reset(peer), at: time + peer.roundTrip / 2)
        } else {
            received(peer, message, at: time)
        }
    }

    // MARK: Leaving

    private func patienceEnded(_ peer: Peer, at time: Int64) {
        guard !peer.isGone, peer.stage != .done else { return }
        if peer.stage == .connecting || peer.kind.isHonest {
            statistics.gaveUp(peer)
            settle(peer, .gaveUp)
        }
        leave(peer, byReset: false, at: time)
    }

    /// The client goes: by the end of its direction, or at once.
    func leave(_ peer: Peer, byReset: Bool, at time: Int64) {
        if peer.isGone { return }
        peer.stage = .done
        peer.isGone = true
        let arrival = time + peer.roundTrip / 2
        events.add(byReset ? .reset(peer) : .fin(peer), at: arrival)
        // What is still on its way to it is answered by a reset.
        if !byReset, peer.unacknowledged > 0 || peer.window != nil {
            events.add(.reset(peer), at: arrival + peer.roundTrip)
        }
    }

    private func closed(_ peer: Peer, isReset: Bool, at time: Int64) {
        if peer.isGone { return }
        let isIdle = peer.kind.isHonest && peer.stage == .asking && peer.answers > 0
        if peer.kind.isHonest, peer.stage != .done {
            // Between two requests we may end a connection; the client asks on a new one.
            settle(peer, isIdle && !isReset ? .answered : .cut)
        }
        if isReset {
            peer.isGone = true
        } else {
            leave(peer, byReset: false, at: time)
        }
        peer.stage = .done
    }

    /// What became of a client is known.
    func settle(_ peer: Peer, _ outcome: Peer.Outcome) {
        guard case .underWay = peer.outcome else { return }
        peer.outcome = outcome
        statistics.settle(peer)
        if case .cut = outcome, peer.kind.isHonest {
            cuts.append(Cut(peer: peer, at: clock))
        }
    }

    private func readOn(_ peer: Peer, at time: Int64) {
        guard !peer.isGone, let perSecond = peer.kind.bytesReadPerSecond, perSecond > 0 else {
            return
        }
        peer.window = min(65_536, (peer.window ?? 0) + max(1, perSecond / 10))
        pushOnLink(peer)
        events.add(.read(peer), at: time + 100_000_000)
    }
}
