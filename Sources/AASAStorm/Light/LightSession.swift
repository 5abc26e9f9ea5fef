import OpenSSL

/// One connection of the light client, sans I/O: ciphertext goes in and out through its
/// ``LightClient``, as with ``TLSSession``.
///
/// Its phases are the server's messages in their required order (RFC 8446 section 2): a message out
/// of order ends the session.
package final class LightSession {
    package enum Failure: Error, Hashable, Sendable {
        /// The peer sent a fatal alert.
        case alert(UInt8)
        /// The peer violated the protocol, or does not speak TLS.
        case protocolViolation
        /// The server selected something unsupported: TLS 1.2, another suite or group.
        case needsMore
        /// The chain, the name or the signature is invalid.
        case certificate
        /// A record cannot be decrypted.
        case record
    }

    package enum Step: Equatable, Sendable {
        case done
        case wantsInput
        case failed(Failure)
    }

    package enum Read: Equatable, Sendable {
        case bytes(Int)
        case wantsInput
        case closedByPeer
        case failed(Failure)
    }

    enum Phase: Equatable {
        case start
        case serverHello
        case encryptedExtensions
        case certificate
        case certificateVerify
        case finished
        case established
        case closed
        case failed(Failure)
    }

    /// Usual Certificate messages are below 10 KB; OpenSSL accepts 100 KB.
    static let messageMaximum = 100 * 1024
    /// Records without data: tickets, key updates, ChangeCipherSpec.
    static let controlRecordsMaximum = 32

    let client: LightClient
    private let random: SIMD8<UInt64>
    /// Whether the signature of this session is verified, as part of the sample.
    private let checksSignature: Bool
    var phase = Phase.start
    private var transcript = SHA256State()
    private var schedule: LightKeySchedule?
    private var readSecret = Block256()
    private var writeSecret = Block256()
    var readKey: RecordCipher.Key?
    var writeKey: RecordCipher.Key?
    private var leaf: [UInt8]?
    /// The server requests a certificate; the client sends none.
    private var requestContext: [UInt8]?
    var controlRecords = 0
    /// Incomplete records.
    var kept: [UInt8] = []
    var keptOffset = 0
    /// An incomplete handshake message.
    var partial: [UInt8] = []

    /// - Parameters:
    ///   - random: 64 bytes for the ClientHello.
    ///   - checksSignature: whether to verify the server's signature, if the client verifies
    ///     certificates at all.
    package init(_ client: LightClient, random: SIMD8<UInt64>, checksSignature: Bool) {
        self.client = client
        self.random = random
        self.checksSignature = checksSignature
    }

    package var isHandshakeDone: Bool { phase == .established || phase == .closed }
    /// Whether kept ciphertext may be readable.
    package var hasUnread: Bool { keptOffset < kept.count }

    /// Bytes kept for later.
    var keptCount: Int { kept.count - keptOffset + partial.count }

    // MARK: - Handshake, read, write, close

    /// Continues the handshake; the first call sends the ClientHello.
    package func handshake() -> Step {
        if phase == .start {
            client.hello.write(random, to: &client.outgoing)
            transcript.update(client.hello.message(in: client.outgoing.bytes))
            phase = .serverHello
        }
        while !isHandshakeDone {
            if case .failed(let failure) = phase { return .failed(failure) }
            switch nextRecord({ takeHandshakeRecord($0) }) {
            case nil: return .wantsInput
            case .failure(let failure)?: return .failed(fail(failure))
            case .success?: continue
            }
        }
        return .done
    }

    /// Decrypts into `buffer`, one record per call; the buffer must hold one.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Read {
        while true {
            switch phase {
            case .established: break
            case .closed: return .closedByPeer
            case .failed(let failure): return .failed(failure)
            default: return .failed(fail(.protocolViolation))
            }
            var count = 0
            switch nextRecord({ takeDataRecord($0, into: buffer, &count) }) {
            case nil: return .wantsInput
            case .failure(let failure)?: return .failed(fail(failure))
            case .success?: if count > 0 { return .bytes(count) }
            }
        }
    }

    /// Encrypts all of `bytes`.
    /// - Returns: false if no session is established.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard phase == .established else { return false }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(16_384)
            guard seal(23, UnsafeRawBufferPointer(rebasing: piece)) else { return false }
            rest = rest.dropFirst(piece.count)
        }
        return true
    }

    /// Sends close_notify.
    package func closeNotify() {
        if isHandshakeDone { withUnsafeBytes(of: (UInt8(1), UInt8(0))) { _ = seal(21, $0) } }
    }

    /// Keeps unread input, before the receive buffer is reused.
    package func keepUnread() {
        guard client.unreadCount > 0 else { return }
        kept.removeFirst(keptOffset)
        keptOffset = 0
        kept += client.take(client.unreadCount)
    }

    private func fail(_ failure: Failure) -> Failure {
        phase = .failed(failure)
        return failure
    }

    // MARK: - Messages

    func takeMessages(_ bytes: UnsafeRawBufferPointer) -> Result<Void, Failure> {
        if partial.isEmpty { return takeWhole(bytes) }
        partial += bytes
        let all = partial
        partial = []
        return all.withUnsafeBytes { takeWhole($0) }
    }

    /// Processes all complete messages and keeps the rest.
    private func takeWhole(_ bytes: UnsafeRawBufferPointer) -> Result<Void, Failure> {
        var start = 0
        while start < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
            guard rest.count >= 4 else { break }
            let length = Int(rest[1]) << 16 | Int(rest[2]) << 8 | Int(rest[3])
            if length > Self.messageMaximum { return .failure(.protocolViolation) }
            guard rest.count >= 4 + length else { break }
            start += 4 + length
            let message = UnsafeRawBufferPointer(rebasing: rest[..<(4 + length)])
            let keyBefore = phase
            if case .failure(let failure) = take(
                rest[0], UnsafeRawBufferPointer(rebasing: message[4...]), message)
            {
                return .failure(failure)
            }
            // A key change must coincide with the end of a record (RFC 8446 section 5.1).
            let hasNewKey = keyBefore == .serverHello || keyBefore == .finished || rest[0] == 24
            if hasNewKey, start < bytes.count { return .failure(.protocolViolation) }
        }
        partial += bytes[start...]
        return .success(())
    }

    private func take(
        _ type: UInt8, _ body: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer
    ) -> Result<Void, Failure> {
        switch (phase, type) {
        case (.serverHello, 2): return takeServerHello(body, message)
        case (.encryptedExtensions, 8):
            guard let name = LightMessages.applicationProtocol(body),
                name.isEmpty || client.protocols.contains(where: { $0.elementsEqual(name) })
            else { return .failure(.protocolViolation) }
            phase = .certificate
        case (.certificate, 13) where requestContext == nil:
            var reader = LightReader(body)
            guard let context = reader.vector(1) else { return .failure(.protocolViolation) }
            requestContext = Array(context)
        case (.certificate, 11):
            if client.checksCertificates {
                guard let good = client.goodLeaf(of: body) else { return .failure(.certificate) }
                leaf = good
            }
            phase = .certificateVerify
        case (.certificateVerify, 15):
            guard let (scheme, signature) = LightMessages.signature(body) else {
                return .failure(.protocolViolation)
            }
            if checksSignature, let leaf {
                let content = LightMessages.signedContent(transcript.digest)
                guard client.verifies(signature, by: leaf, scheme: scheme, of: content) else {
                    return .failure(.certificate)
                }
            }
            phase = .finished
        case (.finished, 20): return takeFinished(body, message)
        case (.established, 4): return countControl()
        case (.established, 24): return takeKeyUpdate(body)
        default: return .failure(.protocolViolation)
        }
        transcript.update(message)
        return .success(())
    }

    private func takeServerHello(
        _ body: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer
    ) -> Result<Void, Failure> {
        let hello = withUnsafeBytes(of: random) { random in
            LightMessages.serverHello(
                body, session: UnsafeRawBufferPointer(rebasing: random[32...]))
        }
        switch hello {
        case nil: return .failure(.protocolViolation)
        case .needsMore: return .failure(.needsMore)
        case .agreed(let share):
            guard let secret = client.key.agree(with: share) else {
                return .failure(.protocolViolation)
            }
            transcript.update(message)
            let schedule = LightKeySchedule(shared: secret, transcript: transcript.digest)
            readKey = LightKeySchedule.recordKey(schedule.server)
            writeKey = LightKeySchedule.recordKey(schedule.client)
            self.schedule = schedule
            phase = .encryptedExtensions
            return .success(())
        }
    }

    private func takeFinished(
        _ body: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer
    ) -> Result<Void, Failure> {
        guard let schedule else { return .failure(.protocolViolation) }
        let expected = LightKeySchedule.finished(schedule.server, transcript: transcript.digest)
        guard withUnsafeBytes(of: expected, { $0.elementsEqual(body) }) else {
            return .failure(.protocolViolation)
        }
        transcript.update(message)
        let secrets = schedule.application(transcript: transcript.digest)
        // As phones do (RFC 8446 appendix D.4): for compatibility with middleboxes.
        client.outgoing.append(6) { $0.copyBytes(from: [20, 3, 3, 0, 1, 1]) }
        if let requestContext {
            let list = [UInt8(requestContext.count)] + requestContext + [0, 0, 0]
            let none = [11, 0, UInt8(list.count >> 8), UInt8(list.count & 0xFF)] + list
            none.withUnsafeBytes {
                transcript.update($0)
                _ = seal(22, $0)
            }
        }
        let mine = LightKeySchedule.finished(schedule.client, transcript: transcript.digest)
        var finished = [UInt8](repeating: 0, count: 36)
        finished[0] = 20
        finished[3] = 32
        withUnsafeBytes(of: mine) { bytes in
            for (index, byte) in bytes.enumerated() { finished[4 + index] = byte }
        }
        finished.withUnsafeBytes { _ = seal(22, $0) }
        readSecret = secrets.server
        writeSecret = secrets.client
        readKey = LightKeySchedule.recordKey(readSecret)
        writeKey = LightKeySchedule.recordKey(writeSecret)
        self.schedule = nil
        phase = .established
        return .success(())
    }

    private func takeKeyUpdate(_ body: UnsafeRawBufferPointer) -> Result<Void, Failure> {
        guard body.count == 1, body[0] <= 1 else { return .failure(.protocolViolation) }
        readSecret = LightKeySchedule.updated(readSecret)
        readKey = LightKeySchedule.recordKey(readSecret)
        if body[0] == 1 {
            withUnsafeBytes(of: (UInt8(24), UInt8(0), UInt8(0), UInt8(1), UInt8(0))) {
                _ = seal(22, $0)
            }
            writeSecret = LightKeySchedule.updated(writeSecret)
            writeKey = LightKeySchedule.recordKey(writeSecret)
        }
        return countControl()
    }
}
