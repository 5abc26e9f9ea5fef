import HTTP
import OpenSSL
import Reactor

// I/O of a device's connection.
extension StormWorker {
    func advance(_ connection: StormConnection, _ readiness: Readiness) {
        if readiness.contains(.writable), !flush(connection) { return }
        if readiness.allowsReading { receive(connection, toTheEnd: readiness.hasEnded) }
    }

    /// Reads until the socket is empty, as its registration is edge-triggered. A response is
    /// bounded (``StormContent/bytesMaximum``), so that no other connection waits long.
    private func receive(_ connection: StormConnection, toTheEnd: Bool) {
        while true {
            switch connection.socket.receive(into: buffer) {
            case .bytes(let count):
                report.bytesReceived += UInt64(count)
                let session = connection.session
                wire.receive(UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
                let goesOn =
                    connection.phase == .handshaking
                    ? continueHandshake(connection) : exchange(connection)
                session.keepUnread(wire)
                guard goesOn else { return }
                // A short read has emptied the socket, except for an end of stream reported with
                // it.
                if count < buffer.count && !toTheEnd { return }
            case .wouldBlock: return
            case .endOfStream:
                return end(connection, connection.exchange?.endOfStream() ?? .failed(.cut))
            case .failed(let error): return end(connection, DeviceOutcome(error))
            }
        }
    }

    /// - Returns: whether the connection is still open.
    @discardableResult
    func continueHandshake(_ connection: StormConnection) -> Bool {
        let session = connection.session
        switch session.handshake(wire) {
        case .wantsInput: return flush(connection)
        case .failed:
            _ = flush(connection)
            end(connection, .failed(.tls))
            return false
        case .done:
            report.handshakes += 1
            if session.negotiated.isResumed { report.resumed += 1 }
            connection.phase = .exchanging
            guard let exchange = makeExchange(connection) else {
                end(connection, .failed(.generator))
                return false
            }
            let bytes = exchange.output()
            connection.exchange = exchange
            guard bytes.withUnsafeBytes({ session.write($0, wire) }) else {
                end(connection, .failed(.tls))
                return false
            }
            // The response can only be there already if the server spoke first.
            return flush(connection) && exchangeIfPending(connection)
        }
    }

    private func makeExchange(_ connection: StormConnection) -> (any StormExchange)? {
        guard let profile = profiles[connection.device.era] else { return nil }
        let request = profile.request(connection.path, userAgent: connection.device.userAgent)
        let expected = verdicts?.expected ?? []
        guard profile.usesHTTP2, let http2Settings else {
            return StormHTTP1Exchange(request, expected: expected)
        }
        return try? StormHTTP2Exchange(request, http2Settings, expected: expected)
    }

    private func exchangeIfPending(_ connection: StormConnection) -> Bool {
        connection.session.hasUnread || wire.unreadCount > 0 ? exchange(connection) : true
    }

    /// - Returns: whether the connection is still open.
    private func exchange(_ connection: StormConnection) -> Bool {
        let session = connection.session
        while true {
            switch session.read(into: plaintext, wire) {
            case .bytes(let count):
                let bytes = UnsafeRawBufferPointer(rebasing: plaintext[0..<count])
                if let outcome = connection.exchange?.receive(bytes) {
                    answered(connection, session, outcome)
                    return false
                }
                // HTTP/2 replies to SETTINGS and PING.
                if let reply = connection.exchange?.output(), !reply.isEmpty {
                    _ = reply.withUnsafeBytes { session.write($0, wire) }
                }
            case .wantsInput: return flush(connection)
            case .closedByPeer:
                end(connection, connection.exchange?.endOfStream() ?? .failed(.cut))
                return false
            case .failed:
                end(connection, .failed(.tls))
                return false
            }
        }
    }

    /// The response is complete or invalid.
    private func answered(
        _ connection: StormConnection, _ session: TLSSession, _ outcome: DeviceOutcome
    ) {
        let era = connection.device.era
        if configuration.resume, resumptions[era] == nil {
            resumptions[era] = session.resumption()
        }
        session.closeNotify(wire)
        let output = wire.output
        if !output.isEmpty { _ = connection.socket.send(output) }
        wire.clearOutput()
        end(connection, outcome)
    }

    /// Sends the session's output; keeps what the socket does not accept.
    /// - Returns: whether the connection is still open.
    private func flush(_ connection: StormConnection) -> Bool {
        let output = wire.output
        if !output.isEmpty {
            if connection.unsent.isEmpty {
                switch connection.socket.send(output) {
                case .bytes(let count):
                    if count < output.count { connection.unsent = Array(output[count...]) }
                case .wouldBlock, .endOfStream: connection.unsent = Array(output)
                case .failed(let error):
                    wire.clearOutput()
                    end(connection, DeviceOutcome(error))
                    return false
                }
            } else {
                connection.unsent.append(contentsOf: output)
            }
            wire.clearOutput()
        } else if !connection.unsent.isEmpty {
            switch connection.unsent.withUnsafeBytes({ connection.socket.send($0) }) {
            case .bytes(let count): connection.unsent.removeFirst(count)
            case .wouldBlock, .endOfStream: break
            case .failed(let error):
                end(connection, DeviceOutcome(error))
                return false
            }
        }
        if !connection.unsent.isEmpty { watchForWriting(connection) }
        return true
    }
}
