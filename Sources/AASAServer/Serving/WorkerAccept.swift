import HTTP
import OpenSSL
import Reactor

// Taking connections in, and starting their handshakes.
extension Worker {
    /// Takes connections from the listeners whose bit is set in `ready`, as many as a turn allows.
    func acceptConnections(from ready: UInt64, draining: Bool = false) {
        if ready == 0 || (acceptPausedUntil != nil && !draining) { return }
        for (index, listener) in listeners.enumerated() where ready & (1 << UInt64(index)) != 0 {
            let isBacklogged = turns == listener.readyTurn + 1
            listener.batch = isBacklogged ? min(listener.batch * 2, limits.acceptsPerTurn) : 1
            listener.readyTurn = turns
            // While draining the whole queue is taken in; it is bounded by the backlog.
            accept(from: listener, atMost: draining ? Int(limits.backlog) * 2 : listener.batch)
        }
    }

    private func accept(from listener: Listener, atMost budget: Int) {
        for _ in 0..<budget where budget > limits.acceptsPerTurn || admission.mayAccept(now: now) {
            guard !isMemoryExhausted, hasRoom() else { return pauseAccepting() }
            switch listener.socket.accept() {
            case .accepted(let socket, let peer): welcome(socket, peer, listener)
            case .wouldBlock:
                listener.emptyAt = now
                return
            case .aborted: counters.add(.acceptAborts)
            case .exhausted: return pauseAccepting()
            case .failed(let error):
                shared.report("accepting on \(listener.socket.address): \(error)")
                return pauseAccepting()
            }
        }
    }

    private func welcome(
        _ socket: consuming Socket, _ peer: SocketAddress?, _ listener: Listener
    ) {
        var raw = socket.release()
        guard
            let connection = slots.insert({ token in
                defer { raw = -1 }
                return Connection(
                    token: token, socket: Socket(owning: raw), peer: peer,
                    times: connectionTimes, now: now)
            })
        else { return }
        counters.add(.connectionsAccepted)
        counters.set(.connectionsOpen, slots.count)
        admission.accepted()
        connection.mayHaveWaited = now - listener.emptyAt > limits.admission.queueAgeTolerated
        if connection.mayHaveWaited { connection.machine.cameOutOfFullQueue() }
        if limits.admission.policy == .kernelQueue {
            takeOutOfQueue(connection)
        } else if admission.startsAtOnce && !connection.mayHaveWaited {
            // Try before you wait: the ClientHello is often there already.
            receiveFirst(connection)
        } else {
            watch(connection, .edgeRead)
        }
        arm(connection)
    }

    /// Policy K: now is the time to look whether the client is still there, and for how long it
    /// will be.
    private func takeOutOfQueue(_ connection: Connection) {
        guard let info = connection.socket.tcpInfo, info.isEstablished else {
            return hasLeftUnseen(connection)
        }
        connection.helloAt = now.advanced(byNanoseconds: -info.sinceLastData.inNanoseconds)
        if admission.isTooOld(waited: info.sinceLastData) {
            connection.machine.firstBytesArrived(now: now)
            admission.arrivedTooOld(connection.token, helloAt: connection.helloAt)
            watch(connection, .edgeRead)
        } else {
            receiveFirst(connection)
        }
    }

    /// A client that was gone before it was looked at first: its whole stay in the kernel's queue
    /// is known to TCP.
    private func hasLeftUnseen(_ connection: Connection) {
        if let info = connection.socket.tcpInfo {
            admission.left(waited: info.sinceLastData - info.sinceLastSegment)
        }
        counters.add(.handshakesSpared)
        close(connection, .leftWhileWaiting)
    }

    /// Reads the ClientHello if it is there and starts the handshake with it, else waits for it.
    private func receiveFirst(_ connection: Connection) {
        switch connection.socket.receive(into: buffers.receive) {
        case .bytes(let count):
            connection.mayHaveInput = count == buffers.receive.count
            counters.add(.bytesReceived, count)
            transport.receive(UnsafeRawBufferPointer(rebasing: buffers.receive[..<count]))
            admission.startedAtOnce()
            beginHandshake(connection, waited: (now - connection.helloAt).inNanoseconds)
            proceedAfterReceiving(connection)
        case .wouldBlock:
            connection.mayHaveInput = false
            watch(connection, .edgeRead)
        case .endOfStream: close(connection, .silent)
        case .failed: close(connection, connection.machine.networkFailure())
        }
    }

    /// An event for a connection whose handshake has not begun: its first bytes are there, or it
    /// has left.
    func firstEvent(_ connection: Connection) {
        if connection.peerHasClosed {
            switch connection.machine.phase {
            case .waiting:
                admission.left(waited: now - connection.helloAt)
                counters.add(.handshakesSpared)
            case .silent where connection.mayHaveWaited: return hasLeftUnseen(connection)
            default: break
            }
            return close(connection, connection.machine.networkFailure())
        }
        guard connection.machine.phase == .silent else { return }
        connection.helloAt = now
        if connection.mayHaveWaited {
            guard let info = connection.socket.tcpInfo, info.isEstablished else {
                return hasLeftUnseen(connection)
            }
            connection.helloAt = now.advanced(byNanoseconds: -info.sinceLastData.inNanoseconds)
        }
        connection.machine.firstBytesArrived(now: now)
        admission.arrived(connection.token, helloAt: connection.helloAt)
        counters.set(.connectionsWaiting, admission.waitingCount)
    }

    /// Starts handshakes of those who wait: a small batch, so that whoever has paid is looked at
    /// again soon.
    func startHandshakes(queueIsEmpty: Bool = true) {
        while let candidate = admission.next(now: now, queueIsEmpty: queueIsEmpty) {
            guard let connection = slots[candidate.token], connection.machine.phase == .waiting
            else {
                admission.gone()
                continue
            }
            let waited = now - candidate.helloAt
            if waited > limits.admission.inspectionAge {
                // The bytes stay readable after FIN and after RST: only TCP knows that the client
                // has left.
                guard let info = connection.socket.tcpInfo, info.isEstablished else {
                    admission.gone()
                    admission.left(waited: waited)
                    counters.add(.handshakesSpared)
                    close(connection, .leftWhileWaiting)
                    continue
                }
            }
            admission.started()
            beginHandshake(connection, waited: waited.inNanoseconds)
            connection.mayHaveInput = true
            proceed(connection)
        }
        counters.set(.connectionsWaiting, admission.waitingCount)
    }

    private func beginHandshake(_ connection: Connection, waited: Int64) {
        do throws(OpenSSLError) {
            connection.tls = try TLSSession(context: context)
        } catch {
            shared.report("a TLS session could not be made: \(error)")
            return close(connection, .internalError)
        }
        connection.countsAsHandshake = true
        connection.handshakeAt = now
        connection.machine.handshakeStarted(now: now)
        counters.add(.handshakesStarted)
        counters.add(.handshakesInFlight)
        counters.record(.waitingTime, nanoseconds: waited)
    }

    /// The handshake is over, well or not.
    func endHandshake(_ connection: Connection, completed: Bool) {
        guard connection.countsAsHandshake else { return }
        connection.countsAsHandshake = false
        counters.add(.handshakesInFlight, -1)
        if !completed { counters.add(.handshakesWasted) }
        admission.ended(completed: completed)
    }

    // MARK: Running out of room

    /// Whether a slot is free, by ending an idle or silent connection if need be (those are the
    /// first to go).
    private func hasRoom() -> Bool {
        if !slots.isFull { return true }
        // A clock hand over the table: each look is bounded, and all are looked at in the end.
        for _ in 0..<min(256, slots.extent) {
            clockHand = (clockHand + 1) % slots.extent
            guard let connection = slots[index: clockHand], mayBeGivenUp(connection) else {
                continue
            }
            close(connection, .descriptorPressure)
            return true
        }
        return false
    }

    /// Idle after an answer, or silent for longer than a client that means it.
    private func mayBeGivenUp(_ connection: Connection) -> Bool {
        switch connection.machine.phase {
        case .idle: connection.machine.requestCount > 0
        case .silent: now - connection.acceptedAt > limits.firstByteTime
        case .waiting, .handshaking, .inHead, .answering, .lingering, .closed: false
        }
    }

    /// No descriptor, slot or memory is left: the clients stay in the kernel's queue. The listeners
    /// leave the poller, else it would report them without end.
    private func pauseAccepting() {
        if acceptPausedUntil == nil {
            counters.add(.acceptPauses)
            for listener in listeners where listener.isWatched {
                listener.isWatched = false
                try? poller.remove(listener.socket.raw)
            }
        }
        acceptPausedUntil = now + limits.acceptPause
    }

    /// A connection has ended, or the pause is over.
    func resumeAccepting() {
        guard acceptPausedUntil != nil else { return }
        acceptPausedUntil = nil
        for (index, listener) in listeners.enumerated() where !listener.isWatched {
            do throws(SystemError) {
                try poller.add(listener.socket.raw, .read, token: UInt64(index))
                listener.isWatched = true
            } catch {
                shared.report("listening on \(listener.socket.address): \(error)")
                acceptPausedUntil = now + limits.acceptPause
            }
        }
    }
}
