import AASAServer
import Glibc
import Reactor

// What the worker calls: the kernel, the cryptography, and its own log.
extension World: SimulatedKernel {
    static let listener = Kernel.firstDescriptor
    private static let firstSocket = Kernel.firstDescriptor + 1
    static let reasons = CloseReason.allCases

    private func peer(_ descriptor: Int32) -> Peer {
        guard let peer = peers[Int(descriptor - Self.firstSocket)] else {
            preconditionFailure("the descriptor \(descriptor) is not open")
        }
        return peer
    }

    var now: MonotonicInstant { instant }

    // MARK: The poller

    func wait(
        milliseconds: Int32, atMost maximum: Int
    ) throws(SystemError) -> [(token: UInt64, readiness: Readiness)] {
        noteClose()
        laws?.turnEnded()
        let isOver =
            laws?.worker?.connectionCount == 0 && isOver || isTooLate || laws?.isDone == true
        if isOver || !sleep(timeout: milliseconds < 0 ? nil : Int64(milliseconds) * 1_000_000) {
            laws?.ended()
            hasEnded = true
            throw SystemError(call: "epoll_wait", number: ESHUTDOWN)
        }
        return takeReady(atMost: maximum)
    }

    func watch(_ descriptor: Int32, _ interest: Interest?, token: UInt64) {
        if descriptor == Self.listener {
            listenerToken = token
            isWatchingListener = interest != nil
            return listListener()
        }
        guard descriptor >= Kernel.firstDescriptor else {
            wakeupToken = token
            return
        }
        let peer = peer(descriptor)
        spend(CostModel.watch, on: peer)
        peer.token = token
        peer.isRegistered = true
        peer.wantsOut = interest?.contains(.write) == true
        var readiness = inputReadiness(peer)
        if peer.wantsOut, hasRoom(peer) { readiness.insert(.writable) }
        if !readiness.isEmpty { tell(peer, readiness) }
    }

    // MARK: The listener

    func accept() -> (descriptor: Int32, peer: SocketAddress)? {
        spend(CostModel.accept)
        guard acceptStart < acceptQueue.count else { return nil }
        let peer = acceptQueue[acceptStart]
        acceptStart += 1
        if acceptStart > 4096 {
            acceptQueue.removeSubrange(..<acceptStart)
            acceptStart = 0
        }
        peer.isAccepted = true
        peer.openIndex = open.count
        open.append(peer)
        countWaiting(peer)
        return (
            Self.firstSocket + Int32(peer.id),
            .v6(high: peer.network, low: UInt64(peer.id), port: 443)
        )
    }

    func setBacklog(_ backlog: Int) { self.backlog = backlog }

    // MARK: Sockets

    func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> IOOutcome {
        let peer = peer(descriptor)
        spend(CostModel.receive, on: peer)
        moved(peer)
        if peer.hasUnread { return .bytes(peer.take(into: buffer)) }
        if peer.resetArrived { return .failed(SystemError(call: "recv", number: ECONNRESET)) }
        return peer.finArrived ? .endOfStream : .wouldBlock
    }

    func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> IOOutcome {
        let peer = peer(descriptor)
        spend(CostModel.send, on: peer)
        moved(peer)
        if peer.resetArrived { return .failed(SystemError(call: "send", number: EPIPE)) }
        let count = min(bytes.count, limits.sendBufferBytes - peer.unacknowledged)
        if count <= 0 { return .wouldBlock }
        // Whether or not the client is still there to read it.
        peer.reader.read(UnsafeRawBufferPointer(rebasing: bytes[..<count])) {
            take($0, for: peer)
        }
        pushOnLink(peer)
        return .bytes(count)
    }

    func shutdownWrite(_ descriptor: Int32) {
        let peer = peer(descriptor)
        spend(CostModel.ask, on: peer)
        peer.finQueued = true
        sendFinIfDue(peer)
    }

    func abortOnClose(_ descriptor: Int32) { peer(descriptor).abortsOnClose = true }

    func tcpInfo(_ descriptor: Int32) -> TCPInfo? {
        stolen += CostModel.ask
        let peer = peer(descriptor)
        return TCPInfo(
            isEstablished: peer.isEstablished,
            sinceLastData: .nanoseconds(clock - peer.lastDataAt),
            sinceLastSegment: .nanoseconds(clock - peer.lastSegmentAt),
            isWindowClosed: peer.inFlight == 0 && peer.outboxBytes > 0 && peer.window == 0)
    }

    func hasUnreadBytes(_ descriptor: Int32) -> Bool { peer(descriptor).hasUnread }

    func unacknowledgedBytes(_ descriptor: Int32) -> Int {
        stolen += CostModel.ask
        return peer(descriptor).unacknowledged
    }

    func close(_ descriptor: Int32) {
        if descriptor == Self.listener { return stopListening() }
        noteClose()
        let peer = peer(descriptor)
        closing = peer
        close(peer, abort: peer.abortsOnClose)
        peers[Int(peer.id)] = nil
        let last = open.removeLast()
        if last !== peer {
            open[peer.openIndex] = last
            last.openIndex = peer.openIndex
        }
    }

    /// Ends the socket: what was not read, or comes later, is answered by a reset, which costs the
    /// client what it has not received.
    func close(_ peer: Peer, abort: Bool) {
        let isReset = abort || peer.hasUnread
        peer.serverClosed = true
        peer.isRegistered = false
        countWaiting(peer)
        if isReset {
            peer.dropOutput()
            events.add(.closedByServer(peer, isReset: true), at: clock + peer.roundTrip / 2)
        } else {
            peer.finQueued = true
            sendFinIfDue(peer)
        }
        spend(CostModel.close, on: peer)
    }

    /// The worker counts why it has closed a connection, right behind the close.
    private func noteClose() {
        guard let peer = closing else { return }
        closing = nil
        for (index, reason) in Self.reasons.enumerated() {
            let count = counters.closes(reason)
            if count == closesCounted[index] { continue }
            closesCounted[index] = count
            peer.closeReason = reason
        }
    }

    private func moved(_ peer: Peer) {
        if peer.hasMoved { return }
        peer.hasMoved = true
        laws?.moved.append(peer)
    }

    // MARK: Cryptography

    /// A session works for its client.
    func work(_ client: UInt32, _ work: SessionWork) {
        guard let peer = peers[Int(client)] else { return }
        switch work {
        case .start:
            peer.handshakeBegan = true
            countWaiting(peer)
            spend(Int64(scenario.machine.startMicroseconds * 1000), on: peer)
        case .completion:
            spend(Int64(scenario.machine.completionMicroseconds * 1000), on: peer)
        case .encryption(let bytes):
            spend(Int64(Double(bytes) * CostModel.nanosPerByte), on: peer)
        }
    }
}

/// The worker's answers, one by one.
struct Answers: AccessSink {
    nonisolated(unsafe) let world: World

    func answered(_ entry: AccessEntry) {
        guard let client = entry.peer?.bits?.low, let peer = world.peers[Int(client)] else {
            return
        }
        world.spend(CostModel.request, on: peer)
        if entry.status == 503 { world.laws?.shed(peer) }
    }
}
