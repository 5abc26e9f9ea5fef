import HTTP
import OpenSSL
import Reactor

/// Moves bytes between the sockets of a worker, its TLS sessions and its buffers, for one
/// connection at a time. Reports the result, but closes no connection.
final class ConnectionIO {
    /// Where the TLS sessions read from and write to.
    let transport: TLSTransport
    private let limits: ServerLimits
    private let counters: WorkerCounters
    private let egress: Egress
    /// Largest plaintext of a TLS record (RFC 8446 section 5.1).
    static let recordBytes = 16_384

    /// Ciphertext as received.
    private let ciphertext: UnsafeMutableRawBufferPointer
    /// Where decrypted input is read to, and requests are read from: room for an incomplete head
    /// and one more record.
    let plaintext: UnsafeMutableRawBufferPointer
    /// Plaintext output that is gathered into one record.
    private let record: UnsafeMutableRawBufferPointer
    /// Bytes gathered in the record.
    private var recordCount = 0

    init(limits: ServerLimits, counters: WorkerCounters, egress: Egress) throws(OpenSSLError) {
        self.limits = limits
        self.counters = counters
        self.egress = egress
        transport = try TLSTransport()
        ciphertext = .allocate(byteCount: limits.receiveBytes, alignment: 64)
        plaintext = .allocate(byteCount: limits.plaintextBytes, alignment: 64)
        record = .allocate(byteCount: Self.recordBytes, alignment: 64)
    }

    deinit {
        ciphertext.deallocate()
        plaintext.deallocate()
        record.deallocate()
    }

    // MARK: Input

    enum Receiving {
        case bytes(UnsafeRawBufferPointer)
        /// Nothing was read, or nothing more will come: the connection's state machine knows which.
        case nothing
        /// The network has failed.
        case failed
    }

    /// One recv. The bytes are valid until the next call.
    func receive(_ connection: Connection) -> Receiving {
        switch connection.socket.receive(into: ciphertext) {
        case .bytes(let count):
            connection.machine.received(filled: count == ciphertext.count)
            counters.add(.bytesReceived, count)
            return .bytes(UnsafeRawBufferPointer(rebasing: ciphertext[..<count]))
        case .wouldBlock:
            connection.machine.receivedNothing()
            return .nothing
        case .endOfStream:
            connection.machine.receivedEnd()
            return .nothing
        case .failed: return .failed
        }
    }

    /// One recv whose bytes are thrown away.
    func discard(_ connection: Connection) -> IOOutcome {
        connection.socket.receive(into: ciphertext)
    }

    // MARK: Plaintext to send

    /// The next frames that a session has to send, to be written at once; empty if there are none.
    func frames(of session: HTTP2ServerSession, now: UInt64) -> UnsafeRawBufferPointer {
        let count = session.send(into: record, now: now)
        return UnsafeRawBufferPointer(rebasing: record[..<count])
    }

    /// The free part of the record; tell ``wrote(_:)`` how much was written there.
    var recordSpace: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: record[recordCount...])
    }

    func wrote(_ count: Int) { recordCount += count }

    /// Adds as much of `bytes` as fits in the record; returns how much.
    func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = min(bytes.count, record.count - recordCount)
        recordSpace.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
        recordCount += taken
        return taken
    }

    /// Whether output waits here, where the next connection would send it as its own.
    var holdsOutput: Bool { recordCount > 0 || !transport.output.isEmpty }

    /// Encrypts the record.
    ///
    /// - Returns: `false` if the TLS session is broken.
    func encryptRecord(_ connection: Connection) -> Bool {
        if recordCount == 0 { return true }
        let bytes = UnsafeRawBufferPointer(rebasing: record[..<recordCount])
        recordCount = 0
        guard let tls = connection.tls, tls.write(bytes, transport) else {
            return false
        }
        return true
    }

    /// Throws away what was gathered.
    func forgetRecord() { recordCount = 0 }

    /// Throws away all output that the connection does not keep.
    func forgetOutput() {
        forgetRecord()
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

    /// Encrypts the record and gives the ciphertext to the kernel; the connection keeps the rest.
    ///
    /// All connections share the record. What stayed in it would be sent to the next one as the
    /// beginning of its answer.
    func flush(_ connection: Connection) -> Sending {
        guard encryptRecord(connection) else { return .failed }
        let output = transport.output
        if output.isEmpty {
            if connection.machine.isBlocked { return .blocked }
            return connection.isOpen ? .sent : .failed
        }
        defer { transport.clearOutput() }
        var rest = output
        if !connection.machine.isBlocked {
            switch connection.socket.send(output) {
            case .bytes(let count):
                sent(count, connection)
                if count == output.count { return .sent }
                rest = UnsafeRawBufferPointer(rebasing: output[count...])
            case .wouldBlock: break
            case .endOfStream, .failed: return .failed
            }
        }
        connection.unsent.append(contentsOf: rest)
        connection.machine.outputBlocked()
        return .blocked
    }

    /// Sends what the kernel did not take before.
    func sendUnsent(_ connection: Connection) -> Sending {
        switch connection.unsent.withUnsafeBytes({ connection.socket.send($0) }) {
        case .bytes(let count):
            sent(count, connection)
            connection.unsent.removeFirst(count)
            if !connection.unsent.isEmpty { return .blocked }
            // An empty slice would keep its memory.
            connection.unsent = []
            return .sent
        case .wouldBlock: return .blocked
        case .endOfStream, .failed: return .failed
        }
    }

    private func sent(_ count: Int, _ connection: Connection) {
        counters.add(.bytesSent, count)
        connection.machine.answerProgressed(bytes: count)
        egress.gave(connection, count)
    }

    /// Clears the buffers, so that no bytes of a connection reach the next one.
    func reset() {
        forgetInput()
        forgetOutput()
    }

    /// Throws away input that was received and not read.
    func forgetInput() { transport.receive(UnsafeRawBufferPointer(start: nil, count: 0)) }
}
