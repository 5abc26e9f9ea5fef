import Reactor

/// Reads a front's header from the connections that begin with one. The bytes stay in the kernel
/// until the header is whole, so a partial header costs no memory. The client's bytes after it stay
/// there.
extension Worker {
    /// A wrongly configured front fails on each connection: one line a minute is enough.
    private static var proxyReportInterval: Duration { .seconds(60) }

    /// Reads the header that a front puts before the ClientHello, if it is whole.
    ///
    /// - Returns: whether bytes of the client follow already; nil: the header is incomplete, or the
    ///   connection has ended.
    func receiveProxyHeader(_ connection: Connection) -> Bool? {
        // One byte more than the longest header shows whether something follows.
        withUnsafeTemporaryAllocation(
            byteCount: ProxyHeader.byteCountMaximum + 1, alignment: 8
        ) { buffer in
            switch connection.socket.peek(into: buffer) {
            case .bytes(let count):
                return take(
                    connection, UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
            case .wouldBlock: awaitHello(connection)
            case .endOfStream: close(connection, .silent)
            case .failed: closeFailed(connection)
            }
            return nil
        }
    }

    private func take(
        _ connection: Connection, _ bytes: UnsafeMutableRawBufferPointer
    ) -> Bool? {
        switch ProxyHeader.read(UnsafeRawBufferPointer(bytes)) {
        case .incomplete:
            connection.machine.helloBegan(now: now)
            awaitHello(connection)
        case .absent: refuseFront(connection, "sent no PROXY protocol header")
        case .broken: refuseFront(connection, "sent an invalid PROXY protocol header")
        case .whole(let header):
            // These bytes were peeked at before, and no other thread reads this socket.
            let taken = UnsafeMutableRawBufferPointer(rebasing: bytes[..<header.byteCount])
            guard case .bytes(header.byteCount) = connection.socket.receive(into: taken) else {
                closeFailed(connection)
                return nil
            }
            counters.add(.bytesReceived, header.byteCount)
            use(header, connection)
            return bytes.count > header.byteCount
        }
        return nil
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

    private func refuseFront(_ connection: Connection, _ what: String) {
        tell(
            connection,
            "(named in --proxy-protocol) \(what): configure it to send one (haproxy: send-proxy-v2, nginx: proxy_protocol on), or remove its address from the option"
        )
        close(connection, .proxyHeaderInvalid)
    }

    /// Reports a peer whose header, or the lack of it, is a mistake in a configuration.
    func tell(_ connection: Connection, _ what: String) {
        if let proxyReportsFrom, now < proxyReportsFrom { return }
        proxyReportsFrom = now + Self.proxyReportInterval
        shared.report("\(connection.peer.map { $0.host } ?? "a peer") \(what)")
    }
}
