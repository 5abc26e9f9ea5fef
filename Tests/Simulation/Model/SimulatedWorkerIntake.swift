import AASAServer
import Reactor

// `ConnectionAcceptor`, `HandshakeAdmission` and `HandshakeStarter`: taking connections in, and
// starting handshakes.
extension SimulatedWorker {
    func acceptConnections() {
        if acceptPause != nil { return }
        let count = pace.take(turn: turns, atMost: limits.acceptsPerTurn)
        accept(atMost: count, whateverTheRate: false)
    }

    func accept(atMost budget: Int, whateverTheRate: Bool) {
        for _ in 0..<budget where whateverTheRate || admission.mayAccept(now: now) {
            guard !isMemoryExhausted, !keptHellos.isFull(now: now), hasFreeSlot() else {
                return pauseAccepting()
            }
            guard let peer = world.accept() else {
                pace.emptyAt = now
                return
            }
            takeIn(peer)
        }
    }

    private func takeIn(_ peer: Peer) {
        guard
            let connection = slots.insert({
                SimulatedConnection(token: $0, peer: peer, times: times, now: now)
            })
        else { return }
        peer.token = connection.token
        admission.accepted()
        let mayHaveWaited = pace.mayHaveWaited(
            longerThan: limits.admission.queueAgeTolerated, now: now)
        if mayHaveWaited { connection.machine.cameOutOfFullQueue() }
        if admission.startsAtOnce && !mayHaveWaited {
            receiveHello(connection)
        } else {
            awaitHello(connection)
        }
        arm(connection)
    }

    private struct Info {
        let isEstablished: Bool
        let sinceLastData: Duration
        let sinceLastSegment: Duration
    }

    /// `TCP_INFO`.
    private func info(_ connection: SimulatedConnection) -> Info {
        world.spend(CostModel.ask)
        let peer = connection.peer
        let time = world.instant
        return Info(
            isEstablished: peer.isEstablished,
            sinceLastData: time - MonotonicInstant(nanoseconds: peer.lastDataAt),
            sinceLastSegment: time - MonotonicInstant(nanoseconds: peer.lastSegmentAt))
    }

    func leftUnseen(_ connection: SimulatedConnection) {
        let known = info(connection)
        admission.left(waited: known.sinceLastData - known.sinceLastSegment)
        close(connection, .leftWhileWaiting)
    }

    private func awaitHello(_ connection: SimulatedConnection) {
        hellos.add(connection.token, now: now)
        watch(connection, forOutput: false)
    }

    @discardableResult
    func receiveHello(_ connection: SimulatedConnection) -> Bool {
        switch world.receive(connection.peer) {
        case .pieces(let pieces, let count, let filled):
            connection.machine.received(filled: filled)
            if connection.hello == nil {
                var scanner = ClientHelloScanner()
                if scan(pieces, &scanner) != .incomplete {
                    return beginHandshake(connection, with: pieces)
                }
                connection.hello = SimulatedHello(scanner: scanner)
                return receivedPart(connection, .incomplete, count)
            }
            var scanner = connection.hello?.scanner ?? ClientHelloScanner()
            let verdict = scan(pieces, &scanner)
            connection.hello?.scanner = scanner
            return receivedPart(connection, verdict, count)
        case .wouldBlock:
            connection.machine.receivedNothing()
            awaitHello(connection)
        case .endOfStream:
            close(connection, connection.hello == nil ? .silent : .handshakeAbandoned)
        case .failed: close(connection, connection.machine.networkFailure())
        }
        return false
    }

    private func scan(
        _ pieces: ArraySlice<Piece>, _ scanner: inout ClientHelloScanner
    ) -> ClientHelloScanner.Verdict {
        var verdict = ClientHelloScanner.Verdict.incomplete
        for piece in pieces {
            if case .plain(let bytes) = piece {
                verdict = bytes.withUnsafeBytes { scanner.scan($0) }
            }
        }
        return verdict
    }

    private func receivedPart(
        _ connection: SimulatedConnection, _ verdict: ClientHelloScanner.Verdict, _ count: Int
    ) -> Bool {
        guard var hello = connection.hello else { return false }
        hello.count += count
        connection.hello = hello
        keptHellos.keep(connection.token, bytes: count, now: now)
        connection.machine.helloBegan(now: now)
        if verdict == .incomplete, hello.count <= limits.helloBytes {
            if connection.machine.mayReceive { queue(connection) }
            awaitHello(connection)
            boundHelloBytes()
            return false
        }
        connection.hello?.isWhole = true
        if admission.startsAtOnce { return beginHandshake(connection) }
        enqueue(connection)
        boundHelloBytes()
        return false
    }

    func boundHelloBytes() {
        while let token = keptHellos.victim(now: now), let connection = slots[token] {
            close(connection, .helloPressure)
        }
    }

    private func enqueue(_ connection: SimulatedConnection) {
        hellos.remove(connection.token)
        connection.machine.firstBytesArrived(now: now)
        admission.arrived(connection.token, helloAt: connection.helloAt)
        watch(connection, forOutput: false)
    }

    func helloArrived(_ connection: SimulatedConnection, someTimeAgo: Bool) {
        connection.helloAt = now
        if someTimeAgo {
            let known = info(connection)
            guard known.isEstablished else { return leftUnseen(connection) }
            connection.helloAt = now.advanced(
                byNanoseconds: -known.sinceLastData.inNanoseconds)
        }
        enqueue(connection)
    }

    func helloGoesOn(_ connection: SimulatedConnection) {
        connection.helloAt = now
        hellos.peerSpoke(connection.token, now: now)
        receiveHello(connection)
    }

    func leftWhileWaiting(_ connection: SimulatedConnection) {
        admission.left(waited: now - connection.helloAt)
        close(connection, .leftWhileWaiting)
    }

    func startHandshakes() {
        while let candidate = admission.next(now: now) {
            guard let connection = slots[candidate.token], connection.machine.isWaiting
            else { continue }
            let waited = now - candidate.helloAt
            if waited > limits.admission.inspectionAge {
                guard info(connection).isEstablished else {
                    admission.left(waited: waited)
                    close(connection, .leftWhileWaiting)
                    continue
                }
            }
            if connection.hello?.isWhole == true {
                beginHandshake(connection)
            } else {
                receiveHello(connection)
            }
            if connection.isOpen { arm(connection) }
        }
    }

    @discardableResult
    private func beginHandshake(_ connection: SimulatedConnection) -> Bool {
        guard connection.hello != nil else { return false }
        return beginHandshake(connection, with: [.plain(Wire.hello[...])])
    }

    private func beginHandshake(
        _ connection: SimulatedConnection, with pieces: ArraySlice<Piece>
    ) -> Bool {
        let began = world.instant
        connection.tls = SimulatedTLS()
        hellos.remove(connection.token)
        connection.countsAsHandshake = true
        connection.peer.handshakeBegan = true
        world.countWaiting(connection.peer)
        connection.machine.handshakeStarted(now: now)
        admission.started(connection.token, now: now)
        offer(Array(pieces))
        proceedAfterReceiving(connection)
        forgetHello(connection)
        let took = (world.instant - began).inNanoseconds
        admission.startTook(nanoseconds: took)
        world.statistics.charge(connection.peer, took)
        return true
    }

    func forgetHello(_ connection: SimulatedConnection) {
        keptHellos.remove(connection.token)
        connection.hello = nil
    }

    func endHandshake(_ connection: SimulatedConnection, completed: Bool = false) {
        guard connection.countsAsHandshake else { return }
        connection.countsAsHandshake = false
        admission.ended(connection.token, isCompleted: completed)
    }

    func boundSilentHandshakes() {
        // The old defect had no bound on them.
        if holes.contains(.silentPeersHoldPlaces) { return }
        while let token = stillSilent({ admission.handshakeToEvict }),
            let connection = slots[token]
        {
            close(connection, .handshakePressure)
        }
    }

    private func stillSilent(_ next: () -> SlotToken?) -> SlotToken? {
        while let token = next() {
            guard let connection = slots[token] else {
                admission.ended(token, isCompleted: false)
                hellos.remove(token)
                continue
            }
            if !connection.peer.hasUnread { return token }
            hellos.peerSpoke(token, now: now)
            admission.peerSpoke(token, now: now)
        }
        return nil
    }

    // MARK: Running out of slots

    private func hasFreeSlot() -> Bool { !slots.isFull || evictOne() }

    private func evictOne() -> Bool {
        for kind in EvictionClass.allCases {
            guard let token = first(kind), let connection = slots[token] else { continue }
            close(connection, .descriptorPressure, abort: kind == .stalledReader)
            return true
        }
        return false
    }

    func makeRoom(atMost count: Int) {
        for kind in [EvictionClass.idleAfterAnswer, .silentHandshake, .holdsPlace] {
            for _ in 0..<count {
                guard let token = first(kind), let connection = slots[token] else { break }
                close(connection, .descriptorPressure)
            }
        }
    }

    private func first(_ kind: EvictionClass) -> SlotToken? {
        switch kind {
        case .silentHello: stillSilent { hellos.firstToEvict }
        case .silentHandshake:
            stillSilent { admission.silentHandshake }
        case .holdsPlace:
            find {
                $0.machine.holdsPlace(for: limits.admission.silenceTolerated, now: clock.judged)
                    && !$0.peer.hasUnread
            }
        case .leastRecent:
            stillSilent {
                hellos.leastRecent(silentFor: limits.silenceUnderPressure, now: clock.judged)
            }
        case .lingering: find { $0.machine.isLingering }
        case .idleAfterAnswer: find { $0.machine.isIdleAfterAnswer && $0.large == nil }
        case .stalledReader:
            stalledReaders.firstToEvict
                ?? stalledReaders.leastRecent(silentFor: .zero, now: .distantFuture)
        case .answerTravels: takeDelivered()
        }
    }

    private func find(_ isMissedLeast: (SimulatedConnection) -> Bool) -> SlotToken? {
        for _ in 0..<min(256, slots.extent) {
            clockHand = (clockHand + 1) % slots.extent
            if let connection = slots[index: clockHand], isMissedLeast(connection) {
                return connection.token
            }
        }
        return nil
    }

    private func pauseAccepting() {
        world.isWatchingListener = false
        acceptPause = (now + limits.acceptPause, closedCount, keptHellos.isFull(now: now))
    }

    func resumeAccepting() {
        acceptPause = nil
        world.isWatchingListener = true
        world.listListener()
    }
}
