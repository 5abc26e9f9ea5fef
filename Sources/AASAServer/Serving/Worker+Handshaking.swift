import OpenSSL
import Reactor

/// Takes clients from their first byte to the start of their handshake: collects their
/// ClientHellos, and starts the handshakes that admission chooses.
extension Worker {
    // MARK: The ClientHello

    /// A new client.
    func welcome(_ connection: Connection) {
        if connection.awaitsProxyHeader, receiveProxyHeader(connection) == nil {
            return table.arm(connection)
        }
        if admission.startsAtOnce && !connection.machine.cameLate {
            // Read before waiting for an event: the ClientHello has often arrived already.
            receiveHello(connection)
        } else {
            awaitHello(connection)
        }
        table.arm(connection)
    }

    /// The first bytes of a client have arrived: its handshake has to wait.
    func helloArrived(_ connection: Connection) {
        if connection.awaitsProxyHeader {
            guard let follows = receiveProxyHeader(connection) else { return }
            // The client's first byte may come at any time, and its address is known now.
            if !follows { return awaitHello(connection) }
        }
        connection.helloAt = now
        // From a full queue: TCP knows when the bytes arrived.
        if connection.machine.cameLate {
            guard let info = connection.socket.tcpInfo, info.isEstablished else {
                return leftUnseen(connection)
            }
            connection.helloAt = now.advanced(
                byNanoseconds: -info.sinceLastData.inNanoseconds)
        }
        enqueue(connection)
    }

    /// More of a ClientHello that arrived in parts.
    func helloGoesOn(_ connection: Connection) {
        // The earlier part was a front's header.
        if connection.hello == nil { return helloArrived(connection) }
        connection.helloAt = now
        silent.renew(connection.token, since: now)
        receiveHello(connection)
    }

    /// A client left before we read anything from it: TCP knows how long it stayed in the kernel's
    /// queue.
    func leftUnseen(_ connection: Connection) {
        let info = connection.socket.tcpInfo
        noteSender(connection)
        left(connection, waited: info.map { $0.sinceLastData - $0.sinceLastSegment } ?? .zero)
    }

    /// A client left while it waited.
    func leftWhileWaiting(_ connection: Connection) {
        left(connection, waited: now - connection.helloAt)
    }

    private func left(_ connection: Connection, waited: Duration) {
        // A front's health check says nothing about the patience of phones.
        if !connection.isFromProxy {
            admission.left(waited: waited)
            counters.add(.handshakesAvoided)
        }
        close(connection, .leftWhileWaiting)
    }

    /// Reads what has arrived of the ClientHello. If it is whole, its handshake starts or has to
    /// wait; a part is kept and does not count as a handshake.
    private func receiveHello(_ connection: Connection) {
        guard let bytes = read(connection) else {
            if connection.machine.inputHasEnded {
                close(connection, connection.hello == nil ? .silent : .handshakeAbandoned)
            } else if connection.isOpen {
                awaitHello(connection)
            }
            return
        }
        if connection.hello == nil {
            var scanner = ClientHelloScanner()
            let verdict = scanner.scan(bytes)
            if verdict == .notAHello, refusesByName(connection, bytes) { return }
            if verdict != .incomplete { return begin(connection, with: bytes) }
            connection.hello = PartialHello(scanner)
        }
        receivedPart(connection, bytes)
    }

    private func receivedPart(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) {
        guard let hello = connection.hello else { return }
        let verdict = hello.append(bytes)
        keptHellos.keep(connection.token, bytes: bytes.count, now: now)
        connection.machine.helloBegan(now: now)
        if verdict == .incomplete, hello.bytes.count <= limits.helloBytes {
            if connection.machine.mayReceive { table.queue(connection) }
            awaitHello(connection)
            boundKeptHellos()
            return
        }
        if verdict == .notAHello,
            hello.bytes.withUnsafeBytes({ refusesByName(connection, $0) })
        {
            return
        }
        if admission.startsAtOnce { return beginWithKept(connection) }
        enqueue(connection)
        boundKeptHellos()
    }

    /// A connection ends before its header was read: the header tells whether it is a front's
    /// health check.
    func noteSender(_ connection: Connection) {
        if connection.awaitsProxyHeader { _ = receiveProxyHeader(connection) }
    }

    /// Closes a connection whose bytes are no ClientHello, if they belong to another known
    /// protocol.
    private func refusesByName(
        _ connection: Connection, _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
        if PlainHTTP.isRequest(bytes) {
            refusePlainHTTP(connection)
        } else if ProxyHeader.isBegun(by: bytes) {
            tell(
                connection,
                "sent a PROXY protocol header and was refused: if it is your proxy, name it in --proxy-protocol (and its listener in --proxy-protocol-on), or configure it to send none"
            )
            close(connection, .proxyHeaderRefused)
        } else {
            return false
        }
        return true
    }

    /// A client used http:// instead of https://: one answer tells it so, without a handshake.
    private func refusePlainHTTP(_ connection: Connection) {
        _ = PlainHTTP.answer.withUTF8Buffer {
            connection.socket.send(UnsafeRawBufferPointer($0))
        }
        connection.socket.shutdownWrite()
        close(connection, .notTLS)
    }

    /// Closes connections whose parts of ClientHellos take too much memory.
    func boundKeptHellos() {
        while let token = keptHellos.victim(now: now), let connection = table[token] {
            close(connection, .helloPressure)
        }
    }

    func awaitHello(_ connection: Connection) {
        silent.add(connection.token, since: now)
        watch(connection, .edgeRead)
    }

    /// The client waits from now on; its ClientHello is in the kernel or kept here.
    private func enqueue(_ connection: Connection) {
        connection.machine.firstBytesArrived(now: now)
        silent.remove(connection.token)
        admission.arrived(connection.token, helloAt: connection.helloAt)
        showWaiting()
        watch(connection, .edgeRead)
    }

    /// The kept parts of a ClientHello are not needed any more.
    func forgetHello(_ connection: Connection) {
        keptHellos.remove(connection.token)
        connection.hello = nil
    }

    func showWaiting() { counters.set(.connectionsWaiting, admission.waitingCount) }

    // MARK: The handshake

    /// Clients and peers that said nothing for too long are silent from now on. Silence is judged
    /// by the bytes read so far: more may be in the socket.
    func ageClients(isIdle: Bool) {
        admission.turnBegan(now: judged, isIdle: isIdle) { token in
            guard let connection = table[token] else { return true }
            if connection.socket.hasUnreadBytes { return false }
            // A peer that does not read has only itself to blame, and would be excused without end.
            return connection.socket.unacknowledgedBytes == 0
                || connection.socket.tcpInfo?.isWindowClosed == true
        }
        silent.age(beyond: limits.admission.silenceTolerated, now: judged)
    }

    /// Starts handshakes of waiting clients: a small batch, so that the loop soon returns to those
    /// under way.
    func startHandshakes() {
        while let candidate = admission.next(now: now) {
            guard let connection = table[candidate.token], connection.machine.isWaiting
            else { continue }
            let waited = now - candidate.since
            // The bytes stay readable after FIN and after RST, so only TCP's state shows that the
            // client has left.
            if waited > limits.admission.inspectionAge,
                connection.socket.tcpInfo?.isEstablished != true
            {
                left(connection, waited: waited)
                continue
            }
            if connection.hello == nil {
                receiveHello(connection)
            } else {
                // A client with a part of it does not wait: it is whole, or too long to keep.
                beginWithKept(connection)
            }
            table.arm(connection)
        }
        showWaiting()
    }

    /// Starts the handshake of a client whose ClientHello was kept in parts.
    private func beginWithKept(_ connection: Connection) {
        guard let bytes = connection.hello?.bytes else { return }
        forgetHello(connection)
        bytes.withUnsafeBytes { begin(connection, with: $0) }
    }

    private func begin(_ connection: Connection, with bytes: UnsafeRawBufferPointer) {
        let began = MonotonicInstant.now()
        do throws(OpenSSLError) {
            connection.tls = try TLSSession(context: context)
        } catch {
            shared.report("a TLS session could not be created: \(error)")
            return close(connection, .internalError)
        }
        handshakeStarted(connection)
        transport.receive(bytes)
        workOn(connection)
        admission.startTook(nanoseconds: (MonotonicInstant.now() - began).inNanoseconds)
    }

    func handshakeStarted(_ connection: Connection) {
        connection.machine.handshakeStarted(now: now)
        silent.remove(connection.token)
        connection.countsAsHandshake = true
        connection.handshakeAt = now
        admission.started(connection.token, now: now)
        counters.add(.handshakesStarted)
        counters.add(.handshakesInFlight)
        counters.record(.waitingTime, nanoseconds: (now - connection.helloAt).inNanoseconds)
    }

    /// The handshake has ended, successfully or not; no effect if none is under way.
    func handshakeEnded(_ connection: Connection, completed: Bool) {
        guard connection.countsAsHandshake else { return }
        connection.countsAsHandshake = false
        counters.add(.handshakesInFlight, -1)
        if !completed { counters.add(.handshakesAbandoned) }
        admission.ended(connection.token, isCompleted: completed)
        // The loop may sleep from now on: no later turn would show it.
        showSilent()
    }

    private func showSilent() { counters.set(.handshakesSilent, admission.silentCount) }

    /// Closes handshakes above their bound whose peers are silent.
    func boundSilentHandshakes() {
        while let connection = stillSilent({ admission.handshakeToEvict }) {
            close(connection, .handshakePressure)
        }
        showSilent()
    }

    /// The connection that `next` names, if it is really silent. Bytes may have arrived since the
    /// sockets were last read, or during a long turn.
    func stillSilent(_ next: () -> SlotToken?) -> Connection? {
        while let token = next(), let connection = table[token] {
            if !connection.socket.hasUnreadBytes { return connection }
            silent.renew(token, since: now)
            admission.peerSpoke(token, now: now)
        }
        return nil
    }
}
