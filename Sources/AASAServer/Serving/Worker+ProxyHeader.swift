import Reactor

/// Reads a front's header from the connections that begin with one. The bytes stay in the kernel
/// until the header is whole, so a partial header costs no memory. The client's bytes after it stay
/// there.
extension Worker {
    enum ProxyHeaderOutcome: Equatable {
        /// The header is read; `follows`: bytes of the client have arrived as well.
        case whole(follows: Bool)
        case part
        case nothing
        /// No header, or a broken one.
        case invalid
        /// The front has closed.
        case ended
        case failed
    }

    /// A wrongly configured front fails on each connection: one line a minute is enough.
    private static var proxyReportInterval: Duration { .seconds(60) }

    /// Looks for the header, and reads it if it is whole.
    func readProxyHeader(_ connection: Connection) -> ProxyHeaderOutcome {
        // One byte more than the longest header shows whether something follows.
        withUnsafeTemporaryAllocation(
            byteCount: ProxyHeader.byteCountMaximum + 1, alignment: 8
        ) { buffer in
            switch connection.socket.peek(into: buffer) {
            case .bytes(let count):
                return take(
                    connection, UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            case .wouldBlock: return .nothing
            case .endOfStream: return .ended
            case .failed: return .failed
            }
        }
    }

    private func take(
        _ connection: Connection, _ bytes: UnsafeMutableRawBufferPointer
    ) -> ProxyHeaderOutcome {
        switch ProxyHeader.read(UnsafeRawBufferPointer(bytes)) {
        case .incomplete: return .part
        case .absent:
            tellOfFront(connection, "sent no PROXY protocol header")
            return .invalid
        case .broken(let fault):
            tellOfFront(connection, "sent an invalid PROXY protocol header: \(fault.rawValue)")
            return .invalid
        case .whole(let header):
            // These bytes were peeked at before, and no other thread reads this socket.
            let taken = UnsafeMutableRawBufferPointer(rebasing: bytes[..<header.byteCount])
            guard case .bytes(header.byteCount) = connection.socket.receive(into: taken) else {
                return .failed
            }
            counters.add(.bytesReceived, header.byteCount)
            use(header, connection)
            return .whole(follows: bytes.count > header.byteCount)
        }
    }

    private func use(_ header: ProxyHeader, _ connection: Connection) {
        connection.awaitsProxyHeader = false
        switch header.sender {
        case .client(let address):
            connection.peer = address
            counters.add(.proxyHeadersClient)
        case .unknown: counters.add(.proxyHeadersUnknown)
        case .front:
            connection.isFromProxy = true
            counters.add(.proxyHeadersLocal)
        }
    }

    /// A peer that is no front of this listener began with a header.
    func tellOfUnexpectedHeader(_ connection: Connection) {
        tell(
            connection,
            "sent a PROXY protocol header and was refused: if it is your proxy, name it in --proxy-protocol (and its listener in --proxy-protocol-on), or configure it to send none"
        )
    }

    private func tellOfFront(_ connection: Connection, _ what: String) {
        tell(
            connection,
            "(named in --proxy-protocol) \(what): configure it to send one (haproxy: send-proxy-v2, nginx: proxy_protocol on), or remove its address from the option"
        )
    }

    private func tell(_ connection: Connection, _ what: String) {
        if let proxyReportsFrom, turn.now < proxyReportsFrom { return }
        proxyReportsFrom = turn.now + Self.proxyReportInterval
        shared.report("\(connection.peer.map { $0.host } ?? "a peer") \(what)")
    }
}
