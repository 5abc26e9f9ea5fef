import OpenSSL
import Reactor

/// How connections end: gracefully after the last output (close_notify, then our direction, then
/// the peer's), or at once. Every end has a reason, which is counted.
extension Worker {
    /// Writes GOAWAY (HTTP/2) and close_notify after all output so far, then shuts down our
    /// direction.
    func shutDown(_ connection: Connection, _ reason: CloseReason) {
        guard connection.isOpen, connection.machine.notify(reason) else { return }
        guard encryptRecord(connection) else { return }
        guard writeGoAway(connection) else { return }
        connection.tls?.closeNotify(transport)
        sendLast(connection, reason)
    }

    /// - Returns: `false` if the TLS session is broken, and the connection closed.
    private func writeGoAway(_ connection: Connection) -> Bool {
        guard let session = connection.http2 else { return true }
        session.end()
        let frames = frames(of: session)
        return frames.isEmpty || encrypt(frames, connection)
    }

    /// A TLS session has failed: its alert is sent, then the connection lingers, because the alert
    /// has to arrive like any answer.
    func failTLS(_ connection: Connection, _ failure: TLSFailure) {
        let reason = CloseReason(failure, handshaking: connection.machine.isHandshaking)
        // Behind the end only what waits for the kernel is sent, and no alert.
        guard connection.machine.notify(reason) else { return forgetOutput() }
        handshakeEnded(connection, completed: false)
        recordCount = 0
        sendLast(connection, reason)
    }

    /// Sends what the session has written last, close_notify or an alert.
    private func sendLast(_ connection: Connection, _ reason: CloseReason) {
        switch flush(connection) {
        case .sent: endOutput(connection, reason)
        case .blocked: watch(connection, .edgeReadWrite)
        case .failed: break
        }
    }

    /// Everything is in the kernel, close_notify last.
    func endOutput(_ connection: Connection, _ reason: CloseReason) {
        let isQuiet =
            transport.unreadCount == 0 && !(connection.tls?.hasUnread ?? false)
            && connection.http1?.kept.isEmpty != false
            // The peer's acknowledgements and window updates are still to come.
            && connection.http2 == nil
        let answerIsUnderWay =
            connection.large != nil && connection.socket.unacknowledgedBytes > 0
        if let reason = connection.machine.outputEnded(
            reason, now: now, isQuiet: isQuiet, answerIsUnderWay: answerIsUnderWay)
        {
            return close(connection, reason)
        }
        connection.socket.shutdownWrite()
        connection.dropSession()
        // Unread input is thrown away.
        forgetInput()
        watch(connection, .edgeRead)
        discardInput(connection)
    }

    /// Throws away what the peer sends after our end, up to a bound.
    func discardInput(_ connection: Connection) {
        while connection.isOpen, connection.lingerBytes < limits.lingerBytesMaximum {
            switch connection.socket.receive(into: ciphertext) {
            case .bytes(let count): connection.lingerBytes += count
            case .wouldBlock: return table.arm(connection)
            case .endOfStream:
                guard let reason = connection.machine.inputDidEnd() else {
                    return table.arm(connection)
                }
                return close(connection, reason)
            case .failed: return closeFailed(connection)
            }
        }
        closeFailed(connection)
    }

    func watch(_ connection: Connection, _ interest: Interest) {
        do throws(SystemError) {
            try table.watch(connection, interest)
        } catch {
            shared.report("watching a connection: \(error)")
            close(connection, .internalError)
        }
    }

    /// Ends a connection whose network has failed.
    func closeFailed(_ connection: Connection) {
        close(connection, connection.machine.networkFailure())
    }

    /// Resets the connection of a reader that does not read: after a close the kernel would
    /// continue to offer the answer.
    func abort(_ connection: Connection, _ reason: CloseReason) {
        if connection.isOpen { connection.socket.abortOnClose() }
        close(connection, reason)
    }

    /// Ends a connection whose time is over. If it lingered for an answer that has not arrived, its
    /// peer has not read it.
    func giveUp(_ connection: Connection, _ reason: CloseReason) {
        if connection.machine.isLingering, connection.large != nil {
            abort(connection, .slowReader)
        } else if reason.isReadersFault {
            abort(connection, reason)
        } else {
            close(connection, reason)
        }
    }

    /// Ends the connection at once. Safe to call twice.
    func close(_ connection: Connection, _ given: CloseReason) {
        // A health check never meant to ask, so it counts as a check and not as a client that left.
        let isCheck = connection.isFromProxy && (given == .leftWhileWaiting || given == .silent)
        let reason = isCheck ? .frontCheck : given
        guard connection.machine.closed(reason) else { return }
        table.remove(connection)
        handshakeEnded(connection, completed: false)
        admission.forget(connection.token)
        showWaiting()
        silent.remove(connection.token)
        forgetHello(connection)
        forgetAnswer(connection)
        connection.unsent = []
        connection.dropSession()
        connection.socket.close()
        // No bytes of a connection reach the next one.
        forgetInput()
        forgetOutput()
        closedCount += 1
        counters.closed(reason)
        counters.set(.connectionsOpen, table.count)
    }
}

extension CloseReason {
    /// The peer has not read its answer.
    var isReadersFault: Bool { self == .slowReader || self == .http2Stalled }

    /// Why a TLS session ended.
    init(_ failure: TLSFailure, handshaking: Bool) {
        switch failure.cause {
        case .notTLS: self = .notTLS
        case .handshakeTooLong, .handshake, .certificate: self = .handshakeFailed
        case .alertReceived, .unusable: self = handshaking ? .handshakeFailed : .brokenTLS
        case .controlFlood: self = .controlFlood
        case .record: self = .brokenTLS
        }
    }
}
