import OpenSSL
import Reactor

/// Takes clients from their first byte to the start of their handshake: collects their
/// ClientHellos, and starts the handshakes that admission chooses.
extension Worker {
    // MARK: The ClientHello

    /// A new client.
    ///
    /// - Parameter cameLate: the client may have waited in the kernel's queue for long.
    func welcome(_ connection: Connection, cameLate: Bool) {
        if connection.awaitsProxyHeader, receiveProxyHeader(connection) == nil {
            return table.arm(connection)
        }
        if admissions.controller.startsAtOnce && !cameLate {
            // Read before waiting for an event: the ClientHello has often arrived already.
            receiveHello(connection)
        } else {
            awaitHello(connection)
        }
        table.arm(connection)
    }

    /// The first bytes of a client have arrived: its handshake has to wait.
    ///
    /// - Parameter someTimeAgo: the connection came from a full queue, so TCP is asked for the
    ///   time.
    func helloArrived(_ connection: Connection, someTimeAgo: Bool) {
        if connection.awaitsProxyHeader {
            guard let follows = receiveProxyHeader(connection) else { return }
            // The client's first byte may come at any time, and its address is known now.
            if !follows { return awaitHello(connection) }
        }
        connection.helloAt = turn.now
        if someTimeAgo {
            guard let info = connection.socket.tcpInfo, info.isEstablished else {
                return leftUnseen(connection)
            }
            connection.helloAt = turn.now.advanced(
                byNanoseconds: -info.sinceLastData.inNanoseconds)
        }
        enqueue(connection)
    }

    /// More of a ClientHello that arrived in parts.
    func helloGoesOn(_ connection: Connection) {
        // The earlier part was a front's header.
        if connection.hello == nil { return helloArrived(connection, someTimeAgo: false) }
        connection.helloAt = turn.now
        admissions.silent.renew(connection.token, since: turn.now)
        receiveHello(connection)
    }

    /// A client left before we read anything from it: TCP knows how long it stayed in the kernel's
    /// queue.
    func leftUnseen(_ connection: Connection) {
        noteSender(connection)
        let info = connection.socket.tcpInfo
        left(connection, waited: info.map { $0.sinceLastData - $0.sinceLastSegment } ?? .zero)
    }

    /// A client left while it waited.
    func leftWhileWaiting(_ connection: Connection) {
        left(connection, waited: turn.now - connection.helloAt)
    }

    private func left(_ connection: Connection, waited: Duration) {
        // A front's health check says nothing about the patience of phones.
        if !connection.isFromProxy { admissions.left(waited: waited) }
        close(connection, .leftWhileWaiting)
    }

    /// Reads what has arrived of the ClientHello. If it is whole, its handshake starts or has to
    /// wait; a part is kept and does not count as a handshake.
    private func receiveHello(_ connection: Connection) {
        switch io.receive(connection) {
        case .bytes(let bytes):
            if connection.hello == nil {
                var scanner = ClientHelloScanner()
                let verdict = scanner.scan(bytes)
                if verdict == .notAHello, refusesByName(connection, bytes) { return }
                if verdict != .incomplete { return begin(connection, with: bytes) }
                connection.hello = PartialHello(scanner)
            }
            receivedPart(connection, bytes)
        case .nothing:
            if connection.machine.inputHasEnded {
                close(connection, connection.hello == nil ? .silent : .handshakeAbandoned)
            } else {
                awaitHello(connection)
            }
        case .failed: closeFailed(connection)
        }
    }

    private func receivedPart(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) {
        guard let hello = connection.hello else { return }
        let verdict = hello.append(bytes)
        admissions.kept.keep(connection.token, bytes: bytes.count, now: turn.now)
        connection.machine.helloBegan(now: turn.now)
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
        hello.isWhole = true
        if admissions.controller.startsAtOnce { return beginWithKept(connection) }
        enqueue(connection)
        boundKeptHellos()
    }

    /// A connection ends before its header was read: the header tells whether it is a front's
    /// health check.
    func noteSender(_ connection: Connection) {
        if connection.awaitsProxyHeader { _ = readProxyHeader(connection) }
    }

    /// Reads the header that a front puts before the ClientHello.
    ///
    /// - Returns: whether bytes of the client follow already; nil: the header is incomplete, or the
    ///   connection has ended.
    private func receiveProxyHeader(_ connection: Connection) -> Bool? {
        switch readProxyHeader(connection) {
        case .whole(let follows): return follows
        case .part:
            connection.machine.helloBegan(now: turn.now)
            awaitHello(connection)
        case .nothing: awaitHello(connection)
        case .invalid: close(connection, .proxyHeaderInvalid)
        case .ended: close(connection, .silent)
        case .failed: closeFailed(connection)
        }
        return nil
    }

    /// Closes a connection whose bytes are no ClientHello, if they belong to another known
    /// protocol.
    private func refusesByName(
        _ connection: Connection, _ bytes: UnsafeRawBufferPointer
    ) -> Bool {
        if PlainHTTP.isRequest(bytes) {
            refusePlainHTTP(connection)
        } else if ProxyHeader.isBegun(by: bytes) {
            tellOfUnexpectedHeader(connection)
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
        while let token = admissions.kept.victim(now: turn.now), let connection = table[token] {
            close(connection, .helloPressure)
        }
    }

    private func awaitHello(_ connection: Connection) {
        admissions.silent.add(connection.token, since: turn.now)
        watch(connection, .edgeRead)
    }

    private func enqueue(_ connection: Connection) {
        connection.machine.firstBytesArrived(now: turn.now)
        admissions.enqueue(connection)
        watch(connection, .edgeRead)
    }

    // MARK: The handshake

    /// Starts handshakes of waiting clients: a small batch, so that the loop soon returns to those
    /// under way.
    func startHandshakes() {
        while let candidate = admissions.controller.next(now: turn.now) {
            guard let connection = table[candidate.token], connection.machine.isWaiting
            else { continue }
            let waited = turn.now - candidate.since
            // The bytes stay readable after FIN and after RST, so only TCP's state shows that the
            // client has left.
            if waited > limits.admission.inspectionAge,
                connection.socket.tcpInfo?.isEstablished != true
            {
                left(connection, waited: waited)
                continue
            }
            if connection.hello?.isWhole == true {
                beginWithKept(connection)
            } else {
                receiveHello(connection)
            }
            table.arm(connection)
        }
        admissions.showWaiting()
    }

    /// Starts the handshake of a client whose ClientHello was kept in parts.
    private func beginWithKept(_ connection: Connection) {
        guard let bytes = connection.hello?.bytes else { return }
        admissions.forgetHello(connection)
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
        connection.machine.handshakeStarted(now: turn.now)
        admissions.handshakeStarted(connection, now: turn.now)
        io.transport.receive(bytes)
        workOn(connection)
        admissions.controller.startTook(
            nanoseconds: (MonotonicInstant.now() - began).inNanoseconds)
    }

    /// Closes handshakes above their bound whose peers are silent.
    func boundSilentHandshakes() {
        while let connection = stillSilent({ admissions.controller.handshakeToEvict }) {
            close(connection, .handshakePressure)
        }
        admissions.showSilent()
    }

    /// The connection that `next` names, if it is really silent. Bytes may have arrived since the
    /// sockets were last read, or during a long turn.
    func stillSilent(_ next: () -> SlotToken?) -> Connection? {
        while let token = next() {
            guard let connection = table[token] else {
                admissions.isGone(token)
                continue
            }
            if !connection.socket.hasUnreadBytes { return connection }
            admissions.spoke(connection, now: turn.now)
        }
        return nil
    }
}
