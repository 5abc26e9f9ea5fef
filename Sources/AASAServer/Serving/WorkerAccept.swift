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
            guard !isMemoryExhausted, hasFreeSlot() else { return pauseAccepting() }
            switch listener.socket.accept() {
            case .accepted(let socket, let peer): takeIn(socket, peer, listener)
            case .wouldBlock:
                listener.emptyAt = now
                return
            case .aborted: counters.add(.acceptAborts)
            case .exhausted:
                // The table may be larger than what the machine has left.
                guard let token = hellos.firstToGo ?? admission.silentHandshake,
                    let connection = slots[token]
                else { return pauseAccepting() }
                close(connection, .descriptorPressure)
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
        if admission.startsAtOnce && !connection.mayHaveWaited {
            // Try before you wait: the ClientHello is often there already.
            receiveHello(connection)
        } else {
            awaitHello(connection)
        }
        arm(connection)
    }

    /// A client that was gone before it was looked at first: its whole stay in the kernel's queue
    /// is known to TCP.
    private func leftUnseen(_ connection: Connection) {
        if let info = connection.socket.tcpInfo {
            admission.left(waited: info.sinceLastData - info.sinceLastSegment)
        }
        counters.add(.handshakesSpared)
        close(connection, .leftWhileWaiting)
    }

    /// The client has to send its ClientHello, or the rest of it.
    private func awaitHello(_ connection: Connection) {
        hellos.add(connection.token, network: connection.peer?.network ?? 0, now: now)
        watch(connection, .edgeRead)
    }

    /// Reads what there is of the ClientHello. A whole one starts its handshake, or waits for its
    /// turn if that is not now; a part is kept, and is no handshake.
    ///
    /// - Returns: whether a handshake was started.
    @discardableResult
    private func receiveHello(_ connection: Connection) -> Bool {
        switch connection.socket.receive(into: buffers.receive) {
        case .bytes(let count):
            counters.add(.bytesReceived, count)
            connection.mayHaveInput = count == buffers.receive.count || connection.peerHasClosed
            let bytes = UnsafeRawBufferPointer(rebasing: buffers.receive[..<count])
            if connection.hello == nil {
                var scanner = ClientHelloScanner()
                let verdict = scanner.scan(bytes)
                if verdict == .notAHello, PlainHTTP.isRequest(bytes) {
                    return refusePlainHTTP(connection)
                }
                if verdict != .incomplete { return beginHandshake(connection, with: bytes) }
                connection.hello = PartialHello(scanner)
            }
            return receivedPart(connection, bytes)
        case .wouldBlock:
            connection.mayHaveInput = false
            awaitHello(connection)
        case .endOfStream:
            close(connection, connection.hello == nil ? .silent : .handshakeAbandoned)
        case .failed: close(connection, connection.machine.networkFailure())
        }
        return false
    }

    private func receivedPart(
        _ connection: Connection, _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
        guard let hello = connection.hello else { return false }
        let verdict = hello.append(bytes)
        helloBytes += bytes.count
        connection.machine.helloBegan(now: now)
        if verdict == .incomplete, hello.bytes.count <= limits.helloBytes {
            if connection.mayHaveInput {
                queue(connection)
            }
            awaitHello(connection)
            boundHelloBytes()
            return false
        }
        if verdict == .notAHello, hello.bytes.withUnsafeBytes(PlainHTTP.isRequest) {
            return refusePlainHTTP(connection)
        }
        hello.isWhole = true
        if admission.startsAtOnce { return beginHandshake(connection) }
        enqueue(connection)
        return false
    }

    /// Somebody has written http:// in place of https://: one answer says so, no handshake is begun.
    private func refusePlainHTTP(_ connection: Connection) -> Bool {
        _ = PlainHTTP.answer.withUTF8Buffer {
            connection.socket.send(UnsafeRawBufferPointer($0))
        }
        connection.socket.shutdownWrite()
        close(connection, .notTLS)
        return false
    }

    /// The parts of ClientHellos are bounded together.
    private func boundHelloBytes() {
        while helloBytes > limits.helloBytesInAll {
            guard let token = hellos.firstToGo ?? hellos.leastRecent(silentFor: .zero, now: now),
                let connection = slots[token]
            else { return }
            close(connection, .helloPressure)
        }
    }

    /// A client waits for its turn, with its ClientHello in the kernel or kept.
    private func enqueue(_ connection: Connection) {
        hellos.remove(connection.token)
        connection.machine.firstBytesArrived(now: now)
        admission.arrived(connection.token, helloAt: connection.helloAt)
        counters.set(.connectionsWaiting, admission.waitingCount)
        watch(connection, .edgeRead)
    }

    /// An event for a connection whose handshake has not begun: bytes are there, or it has left.
    func helloEvent(_ connection: Connection) {
        if connection.peerHasClosed {
            switch connection.machine.phase {
            case .waiting:
                admission.left(waited: now - connection.helloAt)
                counters.add(.handshakesSpared)
            case .silent where connection.mayHaveWaited: return leftUnseen(connection)
            default: break
            }
            return close(connection, connection.machine.networkFailure())
        }
        switch connection.machine.phase {
        case .silent:
            connection.helloAt = now
            if connection.mayHaveWaited {
                guard let info = connection.socket.tcpInfo, info.isEstablished else {
                    return leftUnseen(connection)
                }
                connection.helloAt = now.advanced(
                    byNanoseconds: -info.sinceLastData.inNanoseconds)
            }
            enqueue(connection)
        case .inHello:
            connection.helloAt = now
            hellos.peerSpoke(connection.token, now: now)
            receiveHello(connection)
        default: break
        }
    }

    /// Starts handshakes of those who wait: a small batch, so that those under way are looked at
    /// again soon.
    func startHandshakes() {
        while let candidate = admission.next(now: now) {
            guard let connection = slots[candidate.token], connection.machine.phase == .waiting
            else { continue }
            let waited = now - candidate.helloAt
            if waited > limits.admission.inspectionAge {
                // The bytes stay readable after FIN and after RST: only TCP knows that the client
                // has left.
                guard let info = connection.socket.tcpInfo, info.isEstablished else {
                    admission.left(waited: waited)
                    counters.add(.handshakesSpared)
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
        counters.set(.connectionsWaiting, admission.waitingCount)
    }

    /// Starts the handshake of a client whose ClientHello was kept in parts.
    @discardableResult
    private func beginHandshake(_ connection: Connection) -> Bool {
        guard let hello = connection.hello else { return false }
        return hello.bytes.withUnsafeBytes { beginHandshake(connection, with: $0) }
    }

    private func beginHandshake(
        _ connection: Connection, with bytes: UnsafeRawBufferPointer
    ) -> Bool {
        let began = MonotonicInstant.now()
        let waited = (now - connection.helloAt).inNanoseconds
        do throws(OpenSSLError) {
            connection.tls = try TLSSession(context: context)
        } catch {
            shared.report("a TLS session could not be made: \(error)")
            close(connection, .internalError)
            return false
        }
        hellos.remove(connection.token)
        connection.countsAsHandshake = true
        connection.handshakeAt = now
        connection.machine.handshakeStarted(now: now)
        admission.started(
            connection.token, network: connection.peer?.network ?? 0, now: now)
        counters.add(.handshakesStarted)
        counters.add(.handshakesInFlight)
        counters.record(.waitingTime, nanoseconds: waited)
        transport.receive(bytes)
        proceedAfterReceiving(connection)
        forgetHello(connection)
        admission.startTook(nanoseconds: (MonotonicInstant.now() - began).inNanoseconds)
        return true
    }

    /// The kept parts of a ClientHello are of no more use.
    func forgetHello(_ connection: Connection) {
        guard let hello = connection.hello else { return }
        helloBytes -= hello.bytes.count
        connection.hello = nil
    }

    /// The handshake is over, well or not.
    func endHandshake(_ connection: Connection, completed: Bool) {
        guard connection.countsAsHandshake else { return }
        connection.countsAsHandshake = false
        counters.add(.handshakesInFlight, -1)
        if !completed { counters.add(.handshakesWasted) }
        admission.ended(connection.token)
    }

    /// Handshakes that wait for silent peers give way beyond their bound.
    func boundSilentHandshakes() {
        while let token = admission.handshakeToGiveUp {
            guard let connection = slots[token] else { return admission.ended(token) }
            close(connection, .handshakePressure)
        }
        counters.set(.handshakesSilent, admission.silentCount)
    }

    // MARK: Running out of slots

    private func hasFreeSlot() -> Bool { !slots.isFull || giveUpOne() }

    /// Ends the connection that is missed least, if there is one: a silent one without a whole
    /// ClientHello, one that is idle after an answer, a handshake whose peer is silent.
    private func giveUpOne() -> Bool {
        let token =
            hellos.firstToGo ?? idleAfterAnswer() ?? admission.silentHandshake
            ?? hellos.leastRecent(silentFor: limits.silenceUnderPressure, now: now)
        guard let token, let connection = slots[token] else { return false }
        close(connection, .descriptorPressure)
        return true
    }

    /// A clock hand over the table: each look is bounded, and all are looked at in the end.
    private func idleAfterAnswer() -> SlotToken? {
        for _ in 0..<min(256, slots.extent) {
            clockHand = (clockHand + 1) % slots.extent
            guard let connection = slots[index: clockHand],
                connection.machine.phase == .idle, connection.machine.requestCount > 0
            else { continue }
            return connection.token
        }
        return nil
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
                try poller.add(listener.socket.raw, listener.interest, token: UInt64(index))
                listener.isWatched = true
            } catch {
                shared.report("listening on \(listener.socket.address): \(error)")
                acceptPausedUntil = now + limits.acceptPause
            }
        }
    }
}
