import OpenSSL

/// What a session of the server works on.
enum SessionWork {
    /// The ClientHello was read, and our flight is written.
    case start
    /// The client's second flight was read.
    case completion
    /// So many bytes are encrypted.
    case encryption(Int)
}

/// What a simulated ClientHello says of its client, behind its headers.
struct ClientMark: Sendable {
    /// Where it stands in the ClientHello's record.
    static let offset = 9
    static let byteCount = 6

    let client: UInt32
    let speaksTLS12: Bool
    let speaksHTTP2: Bool

    init(client: UInt32, speaksTLS12: Bool, speaksHTTP2: Bool) {
        self.client = client
        self.speaksTLS12 = speaksTLS12
        self.speaksHTTP2 = speaksHTTP2
    }

    var bytes: [UInt8] {
        [
            UInt8(client >> 24), UInt8(client >> 16 & 255), UInt8(client >> 8 & 255),
            UInt8(client & 255), speaksTLS12 ? 1 : 0, speaksHTTP2 ? 1 : 0,
        ]
    }

    init(_ bytes: [UInt8]) {
        client = bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) }
        speaksTLS12 = bytes[4] == 1
        speaksHTTP2 = bytes[5] == 1
    }
}

/// A TLS session without cryptography: records with plaintext in them, and the time that the real
/// ones would cost. A client's ClientHello says what a real one has in its extensions
/// (``ClientMark``); its second flight is a record of type 20.
final class MarkedSession: SimulatedSession {
    private enum Step { case begins, awaitsFinished, done, failed }

    private unowned(unsafe) let world: World
    private var step = Step.begins
    private var client = ClientMark(client: 0, speaksTLS12: false, speaksHTTP2: false)
    /// The header of the record that is read, the bytes of it that are missing, and the first bytes
    /// of a ClientHello.
    private var header: [UInt8] = []
    private var left = 0
    private var hello: [UInt8] = []

    init(_ world: World) { self.world = world }

    func handshake(_ transport: TLSTransport) -> TLSStep {
        while step != .done {
            if step == .failed { return failed(transport) }
            guard left > 0 || beginRecord(transport) else { return .wantsInput }
            guard header[0] == (step == .begins ? 22 : 20) else { return failed(transport) }
            skip(transport)
            if left > 0 { return .wantsInput }
            if step == .begins {
                guard hello.count == ClientMark.offset - 5 + ClientMark.byteCount else {
                    return failed(transport)
                }
                client = ClientMark(Array(hello[(ClientMark.offset - 5)...]))
                hello = []
                world.work(client.client, .start)
                append(type: 22, count: Wire.flightBytes, transport)
                step = .awaitsFinished
            } else {
                world.work(client.client, .completion)
                if client.speaksTLS12 { append(type: 20, count: Wire.finishedBytes, transport) }
                step = .done
            }
        }
        return .done
    }

    private func failed(_ transport: TLSTransport) -> TLSStep {
        step = .failed
        append(type: 21, count: 7, transport)
        return .failed(TLSFailure(cause: .handshake, code: 0))
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, _ transport: TLSTransport
    ) -> TLSRead {
        guard left > 0 || beginRecord(transport) else { return .wantsInput }
        switch header[0] {
        case 23:
            guard let target = buffer.baseAddress, buffer.count > 0 else { return .wantsInput }
            let count = transport.take(into: target, atMost: min(left, buffer.count))
            left -= count
            return count == 0 ? .wantsInput : .bytes(count)
        case 21: return .closedByPeer
        default: return .failed(TLSFailure(cause: .record, code: 0))
        }
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, _ transport: TLSTransport
    ) -> Bool {
        world.work(client.client, .encryption(bytes.count))
        var start = 0
        while let base = bytes.baseAddress, start < bytes.count {
            let count = min(16_384, bytes.count - start)
            appendHeader(type: 23, count: count + Self.tagBytes, transport)
            transport.append(UnsafeRawBufferPointer(start: base + start, count: count))
            append(Self.zeros, Self.tagBytes, transport)
            start += count
        }
        return true
    }

    func closeNotify(_ transport: TLSTransport) {
        append(type: 21, count: 24, transport)
    }

    var negotiated: TLSNegotiated {
        TLSNegotiated(
            version: client.speaksTLS12 ? .tls12 : .tls13,
            applicationProtocol: client.speaksHTTP2 ? .http2 : .http11, isResumed: false)
    }

    // MARK: Records

    private static let tagBytes = 17
    private static let zeros = [UInt8](repeating: 0, count: 16_384)

    /// - Returns: whether a header is there.
    private func beginRecord(_ transport: TLSTransport) -> Bool {
        if header.count == 5 { header.removeAll(keepingCapacity: true) }
        var byte: UInt8 = 0
        while header.count < 5 {
            guard transport.take(into: &byte, atMost: 1) == 1 else { return false }
            header.append(byte)
        }
        left = Int(header[3]) << 8 | Int(header[4])
        return true
    }

    /// Throws away what there is of the record; keeps the beginning of a ClientHello.
    private func skip(_ transport: TLSTransport) {
        withUnsafeTemporaryAllocation(byteCount: 2048, alignment: 16) { buffer in
            guard let target = buffer.baseAddress else { return }
            while left > 0 {
                let count = transport.take(into: target, atMost: min(left, buffer.count))
                if count == 0 { return }
                left -= count
                let missing = ClientMark.offset - 5 + ClientMark.byteCount - hello.count
                if step == .begins, missing > 0 {
                    hello.append(contentsOf: buffer[..<min(missing, count)])
                }
            }
        }
    }

    /// A whole record with headers, of so many bytes.
    private func append(
        type: UInt8, count: Int, _ transport: TLSTransport
    ) {
        appendHeader(type: type, count: count - 5, transport)
        append(Self.zeros, count - 5, transport)
    }

    private func appendHeader(
        type: UInt8, count: Int, _ transport: TLSTransport
    ) {
        let header = (type, UInt8(3), UInt8(3), UInt8(count >> 8), UInt8(count & 255))
        withUnsafeBytes(of: header) { transport.append($0) }
    }

    private func append(_ bytes: [UInt8], _ count: Int, _ transport: TLSTransport) {
        bytes.withUnsafeBytes {
            transport.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
    }
}
