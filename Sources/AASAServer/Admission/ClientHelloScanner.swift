/// Tells whether the bytes of a connection so far hold a whole ClientHello, without a TLS session.
///
/// A single byte, half a ClientHello or one sent byte by byte is not a handshake: it must not cost
/// an SSL object or a place among the handshakes. Each byte is looked at once, however the bytes
/// arrive. Bytes that are no ClientHello at all are left to OpenSSL, which answers with the right
/// alert.
///
/// A value: bytes in, verdict out (RFC 8446 sections 5.1 and 4, RFC 5246 appendix E.2).
package struct ClientHelloScanner: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        /// More bytes have to come.
        case incomplete
        /// The ClientHello is there as a whole.
        case complete
        /// Something else: OpenSSL reports the error.
        case notAHello
    }

    /// The longest ClientHello that OpenSSL reads: `CLIENT_HELLO_MAX_LENGTH` of `statem_srvr.c`.
    static let messageBytesMaximum = 131_396
    /// The longest record that OpenSSL takes: 2^14 bytes and what encryption may add
    /// (RFC 5246 section 6.2.3).
    static let recordBytesMaximum = 16_384 + 2048

    private static let handshakeRecord: UInt8 = 22
    private static let clientHelloMessage: UInt32 = 1
    private static let messageHeaderBytes = 4

    private var recordHeader: UInt64 = 0
    private var recordHeaderCount = 0
    /// Bytes of the record that are still to come; 0: its header comes first.
    private var recordLeft = 0
    private var messageHeader: UInt32 = 0
    private var messageHeaderCount = 0
    /// Bytes of the message behind its header.
    private var messageLeft = 0

    package init() {}

    /// Scans the bytes that follow those of the last call, which was not decided yet.
    package mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        var rest = bytes
        while let byte = rest.first {
            if recordLeft > 0, messageHeaderCount == Self.messageHeaderBytes {
                let count = min(rest.count, min(recordLeft, messageLeft))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                recordLeft -= count
                messageLeft -= count
                if messageLeft == 0 { return .complete }
                continue
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
            let verdict = recordLeft == 0 ? recordHeaderByte(byte) : messageHeaderByte(byte)
            if let verdict { return verdict }
        }
        return .incomplete
    }

    /// OpenSSL, too, waits for five bytes before it judges a first record.
    private mutating func recordHeaderByte(_ byte: UInt8) -> Verdict? {
        recordHeader = recordHeader << 8 | UInt64(byte)
        recordHeaderCount += 1
        guard recordHeaderCount == 5 else { return nil }
        defer { (recordHeader, recordHeaderCount) = (0, 0) }
        let first = UInt8(truncatingIfNeeded: recordHeader >> 32)
        guard first == Self.handshakeRecord else { return oldHello() }
        let length = Int(recordHeader & 0xFFFF)
        if recordHeader >> 24 & 0xFF != 3 || length == 0 || length > Self.recordBytesMaximum {
            return .notAHello
        }
        recordLeft = length
        return nil
    }

    private mutating func messageHeaderByte(_ byte: UInt8) -> Verdict? {
        messageHeader = messageHeader << 8 | UInt32(byte)
        messageHeaderCount += 1
        recordLeft -= 1
        guard messageHeaderCount == Self.messageHeaderBytes else { return nil }
        messageLeft = Int(messageHeader & 0xFF_FFFF)
        guard messageHeader >> 24 == Self.clientHelloMessage,
            messageLeft <= Self.messageBytesMaximum
        else { return .notAHello }
        return messageLeft == 0 ? .complete : nil
    }

    /// A hello in the format of SSL 2, which OpenSSL still reads: two bytes of length with the top
    /// bit set, then the type. Five bytes of it have been seen; the rest counts as one record.
    private mutating func oldHello() -> Verdict? {
        let isFirst = messageHeaderCount == 0
        guard isFirst, recordHeader >> 39 & 1 == 1, recordHeader >> 16 & 0xFF == 1 else {
            return .notAHello
        }
        messageHeaderCount = Self.messageHeaderBytes
        messageLeft = Int(recordHeader >> 24 & 0x7FFF) + 2 - 5
        recordLeft = messageLeft
        return messageLeft <= 0 ? .complete : nil
    }
}
