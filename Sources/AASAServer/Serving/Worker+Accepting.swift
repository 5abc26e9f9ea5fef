import Reactor

/// Accepts connections from the kernel's queues, as many as a turn allows, and pauses while there
/// is no room for them.
extension Worker {
    func listen(on listener: Listener, _ index: Int) throws(SystemError) {
        try table.poller.add(listener.socket.raw, listener.interest, token: UInt64(index))
        listener.isWatched = true
    }

    /// How long the loop may sleep because of a pause; `nil`: no limit.
    var pauseLeft: Duration? { pause.map { max(.zero, $0.until - now) } }

    /// Whether accepting is paused while clients wait in the kernel's queue.
    var turnsAway: Bool { pause != nil && listeners.contains { $0.socket.queue.waiting > 0 } }

    /// A turn has begun.
    ///
    /// - Parameter hasBlocked: the loop slept, so all queues were empty until now.
    func measureQueues(hasBlocked: Bool) {
        for listener in listeners where listener.isWatched && (hasBlocked || !listener.isReady) {
            listener.pace.emptyAt = now
        }
    }

    /// The turn ends: connections closed in it may have made room, which ends the pause.
    func resumeIfThereIsRoom() {
        guard let pause else { return }
        if now >= pause.until || closedCount != pause.closedCount
            || pause.isForHellos && !keptHellos.isFull(now: now)
        {
            resumeAccepting()
        }
    }

    func setBacklog(_ backlog: Int) {
        for listener in listeners { listener.socket.setBacklog(backlog * listener.sharers) }
    }

    /// Stops listening. The poller would report a closed socket as long as another process holds it
    /// (epoll(7)): with a successor or systemd each client would wake this one instead of it.
    func stopListening() {
        for listener in listeners where listener.isWatched {
            try? table.poller.remove(listener.socket.raw)
        }
        listeners.removeAll()
    }

    /// Clients in the kernel's queue have connected already: they are accepted and served before
    /// the listeners close.
    func drainListeners() {
        for listener in listeners {
            // Accepts the whole queue, which is bounded by the backlog.
            accept(from: listener, atMost: Int(limits.backlog) * 2, whateverTheRate: true)
        }
        stopListening()
    }

    /// Takes connections from the listeners that are ready, as many as a turn allows.
    func acceptClients() {
        for listener in listeners where listener.isReady {
            listener.isReady = false
            if pause != nil { continue }
            let count = listener.pace.take(turn: turnNumber, atMost: limits.acceptsPerTurn)
            accept(from: listener, atMost: count, whateverTheRate: false)
        }
    }

    private func accept(from listener: Listener, atMost budget: Int, whateverTheRate: Bool) {
        var gaveWay = false
        for _ in 0..<budget
        where whateverTheRate || admission.mayAccept(now: now) {
            guard !isMemoryExhausted, !keptHellos.isFull(now: now),
                !table.isFull || evictOne()
            else { return pauseAccepting() }
            switch listener.socket.accept() {
            case .accepted(let socket, let peer):
                gaveWay = false
                takeIn(socket, peer, listener)
            case .wouldBlock:
                listener.pace.emptyAt = now
                return
            case .aborted: counters.add(.acceptAborts)
            case .exhausted:
                // The table may be larger than what the machine, or other listeners, have left: the
                // same give way as for a slot. If that was of no use, it is not the table.
                if gaveWay || !evictOne() { return pauseAccepting() }
                gaveWay = true
            case .failed(let error):
                shared.report("accepting on \(listener.socket.address): \(error)")
                return pauseAccepting()
            }
        }
    }

    private func takeIn(
        _ socket: consuming Socket, _ peer: SocketAddress?, _ listener: Listener
    ) {
        var raw = socket.release()
        guard
            let connection = table.insert({ token in
                defer { raw = -1 }
                return Connection(
                    token: token, socket: Socket(owning: raw), peer: peer, limits: sharedLimits,
                    now: now)
            })
        else { return }
        counters.add(.connectionsAccepted)
        counters.set(.connectionsOpen, table.count)
        admission.accepted()
        if let peer, !listener.fronts.isEmpty {
            connection.awaitsProxyHeader = listener.fronts.contains { $0.contains(peer) }
        }
        if listener.pace.mayHaveWaited(
            longerThan: limits.admission.queueAgeTolerated, now: now)
        {
            connection.machine.cameOutOfFullQueue()
        }
        welcome(connection)
    }

    // MARK: Running out of room

    /// Ends connections that have their answer and wait for another request, and those whose peer
    /// has been silent in its handshake or has held its place for a second, because there is no
    /// memory left for the others.
    func makeRoom(atMost count: Int) {
        for kind in [EvictionClass.idleAfterAnswer, .silentHandshake, .holdsPlace] {
            for _ in 0..<count {
                guard let connection = first(kind) else { break }
                if kind == .silentHandshake {
                    close(connection, .handshakePressure)
                } else {
                    evict(connection, kind)
                }
            }
        }
    }

    /// Ends the connection whose loss harms least, if there is one.
    private func evictOne() -> Bool {
        for kind in EvictionClass.allCases {
            guard let connection = first(kind) else { continue }
            evict(connection, kind)
            return true
        }
        return false
    }

    private func evict(_ connection: Connection, _ kind: EvictionClass) {
        switch kind {
        case .stalledReader: abort(connection, .descriptorPressure)
        // It has ended already, and for a reason of its own.
        case .lingering: closeFailed(connection)
        case .silentHello, .idleAfterAnswer, .silentHandshake, .holdsPlace,
            .answerTravels, .leastRecent:
            close(connection, .descriptorPressure)
        }
    }

    private func first(_ kind: EvictionClass) -> Connection? {
        switch kind {
        case .silentHello: stillSilent { silent.first(.old)?.token }
        case .lingering:
            // Its peer has received everything, or never had an answer: an unacknowledged alert is
            // no reason to keep others out. A broken ClientHello costs nothing and lingers for as
            // long as an answer does: without this, 42 bytes hold a slot for seconds.
            table.find {
                $0.machine.isLingering
                    && ($0.machine.requestCount == 0 || $0.socket.unacknowledgedBytes == 0)
            }
        case .idleAfterAnswer:
            // Its next request may be there, and unread: a close would be a reset.
            table.find {
                $0.machine.isIdleAfterAnswer && $0.large == nil && !$0.socket.hasUnreadBytes
            }
        case .silentHandshake:
            stillSilent { admission.silentHandshake }
        case .holdsPlace:
            table.find {
                $0.machine.holdsPlace(for: limits.admission.silenceTolerated, now: judged)
                    && !$0.socket.hasUnreadBytes
            }
        case .leastRecent:
            stillSilent {
                silent.first(.young).flatMap {
                    judged - $0.since >= limits.silenceUnderPressure ? $0.token : nil
                }
            }
        case .stalledReader: stalledReaders.first(.young).flatMap { table[$0.token] }
        case .answerTravels: takeDelivered()
        }
    }

    /// Removes the listeners from the poller, which would otherwise report them again and again.
    private func pauseAccepting() {
        let isForHellos = keptHellos.isFull(now: now)
        if pause == nil {
            counters.add(.acceptPauses)
            if isMemoryExhausted || isForHellos { counters.add(.memoryPauses) }
            for listener in listeners where listener.isWatched {
                listener.isWatched = false
                try? table.poller.remove(listener.socket.raw)
            }
        }
        pause = (now + limits.acceptPause, closedCount, isForHellos)
    }

    private func resumeAccepting() {
        pause = nil
        for (index, listener) in listeners.enumerated() where !listener.isWatched {
            do throws(SystemError) {
                try listen(on: listener, index)
            } catch {
                shared.report("listening on \(listener.socket.address): \(error)")
                pause = (now + limits.acceptPause, closedCount, false)
            }
        }
    }
}
