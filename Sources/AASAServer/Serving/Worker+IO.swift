import HTTP
import OpenSSL
import Reactor

/// Moves bytes between the sockets of a worker, its TLS sessions and its buffers, for one
/// connection at a time.
extension Worker {
    /// Largest plaintext of a TLS record (RFC 8446 section 5.1).
    static let recordBytes = 16_384

    // MARK: Input

    /// One recv.
    ///
    /// - Returns: bytes that are valid until the next call. Nil: nothing was read, or nothing more
    ///   will come, as the connection's state machine knows; or the network has failed, and the
    ///   connection is closed.
    func read(_ connection: Connection) -> UnsafeRawBufferPointer? {
        switch connection.socket.receive(into: ciphertext) {
        case .bytes(let count):
            connection.machine.received(filled: count == ciphertext.count)
            counters.add(.bytesReceived, count)
            return UnsafeRawBufferPointer(rebasing: ciphertext[..<count])
        case .wouldBlock: connection.machine.receivedNothing()
        case .endOfStream: connection.machine.receivedEnd()
        case .failed: closeFailed(connection)
        }
        return nil
    }

    // MARK: Plaintext to send

    /// The next frames that a session has to send, to be written at once; empty if there are none.
    func frames(of session: HTTP2ServerSession) -> UnsafeRawBufferPointer {
        let count = session.send(into: record, now: now.unsigned)
        return UnsafeRawBufferPointer(rebasing: record[..<count])
    }

    /// The free part of the record; ``recordCount`` counts what is written there.
    var recordSpace: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: record[recordCount...])
    }

    /// Adds as much of `bytes` as fits in the record; returns how much.
    func gather(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = min(bytes.count, record.count - recordCount)
        recordSpace.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
        recordCount += taken
        return taken
    }

    /// Whether output waits here, where the next connection would send it as its own.
    var holdsOutput: Bool { recordCount > 0 || !transport.output.isEmpty }

    /// Encrypts the record; a connection whose session is broken is closed.
    ///
    /// - Returns: `false` if it is closed.
    @discardableResult
    func encryptRecord(_ connection: Connection) -> Bool {
        if recordCount == 0 { return true }
        let bytes = UnsafeRawBufferPointer(rebasing: record[..<recordCount])
        recordCount = 0
        return encrypt(bytes, connection)
    }

    /// Encrypts; a connection whose session is broken is closed.
    ///
    /// - Returns: `false` if it is closed.
    func encrypt(_ bytes: UnsafeRawBufferPointer, _ connection: Connection) -> Bool {
        if connection.tls?.write(bytes, transport) == true { return true }
        close(connection, .brokenTLS)
        return false
    }

    /// Throws away all output that the connection does not keep.
    func forgetOutput() {
        recordCount = 0
        transport.clearOutput()
    }

    // MARK: Ciphertext to send

    enum Sending {
        /// Nothing is left to send.
        case sent
        /// The kernel takes no more now; the rest waits with the connection.
        case blocked
        /// The network has failed, or the connection is closed.
        case failed
    }

    /// Whether enough ciphertext waits for one send.
    var hasFlight: Bool { transport.output.count >= limits.flightBytes }

    /// Encrypts the record and gives the ciphertext to the kernel; the connection keeps the rest. A
    /// connection whose network has failed is closed.
    ///
    /// All connections share the record. What stayed in it would be sent to the next one as the
    /// beginning of its answer.
    func flush(_ connection: Connection) -> Sending {
        let sending = send(connection)
        if sending == .failed { closeFailed(connection) }
        return sending
    }

    private func send(_ connection: Connection) -> Sending {
        guard encryptRecord(connection) else { return .failed }
        let output = transport.output
        if output.isEmpty {
            if connection.machine.isBlocked { return .blocked }
            return connection.isOpen ? .sent : .failed
        }
        defer { transport.clearOutput() }
        var taken = 0
        if !connection.machine.isBlocked {
            guard let count = give(output, connection) else { return .failed }
            if count == output.count { return .sent }
            taken = count
        }
        connection.unsent.append(contentsOf: UnsafeRawBufferPointer(rebasing: output[taken...]))
        connection.machine.outputBlocked()
        return .blocked
    }

    /// Sends what the kernel did not take before.
    func sendUnsent(_ connection: Connection) -> Sending {
        guard let count = connection.unsent.withUnsafeBytes({ give($0, connection) }) else {
            return .failed
        }
        connection.unsent.removeFirst(count)
        if !connection.unsent.isEmpty { return .blocked }
        // An empty slice would keep its memory.
        connection.unsent = []
        return .sent
    }

    /// Gives ciphertext to the kernel.
    ///
    /// - Returns: how many bytes it took; nil: the network has failed.
    private func give(_ bytes: UnsafeRawBufferPointer, _ connection: Connection) -> Int? {
        switch connection.socket.send(bytes) {
        case .bytes(let count):
            counters.add(.bytesSent, count)
            connection.machine.answerProgressed(bytes: count)
            noteGiven(connection, count)
            return count
        case .wouldBlock: return 0
        case .endOfStream, .failed: return nil
        }
    }

    /// Throws away input that was received and not read.
    func forgetInput() { transport.receive(UnsafeRawBufferPointer(start: nil, count: 0)) }
}
