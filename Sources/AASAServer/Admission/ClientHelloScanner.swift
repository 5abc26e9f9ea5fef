/// Tells whether the bytes of a connection so far hold a whole ClientHello, without a TLS session.
///
/// One byte, half a ClientHello or a dripped one is not a handshake: it must not cost an SSL object
/// nor a place among the handshakes. Each byte is looked at once, however it arrives. What is no
/// ClientHello at all is left to OpenSSL, which answers it with the right alert.
///
/// A value: bytes in, verdict out (RFC 8446 sections 5.1 and 4, RFC 5246 appendix E.2).
package struct ClientHelloScanner: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        /// A part: more has to come.
        case incomplete
        /// All of it is there.
        case complete
        /// Something else: OpenSSL says what is wrong with it.
        case notAHello
    }

    /// The longest ClientHello that OpenSSL reads: `CLIENT_HELLO_MAX_LENGTH` of `statem_srvr.c`.
    static let messageBytesMaximum = 131_396
    /// The longest record that OpenSSL takes: 2^14 bytes and what encryption may add
    /// (RFC 5246 section 6.2.3).
    static let recordBytesMaximum = 16_384 + 2048

    private static let handshakeRecord: UInt8 = 22
    private static let clientHelloMessage: UInt32 = 1

    /// What the next byte belongs to.
    private enum Part: Equatable {
        case recordHeader
        case messageHeader
        case message
    }

    private var part = Part.recordHeader
    private var recordHeader: UInt64 = 0
    private var recordHeaderCount = 0
    private var recordLeft = 0
    private var messageHeader: UInt32 = 0
    private var messageHeaderCount = 0
    private var messageLeft = 0
    /// An SSL 2 hello has one header of its own: bytes left of it, once that is known.
    private var oldHelloLeft: Int?
    private var known: Verdict?

    package init() {}

    /// Looks at the bytes that follow those it was given before.
    package mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Verdict {
        if let known { return known }
        var rest = bytes
        while let byte = rest.first {
            if let left = oldHelloLeft {
                if left > rest.count {
                    oldHelloLeft = left - rest.count
                    return .incomplete
                }
                return end(.complete)
            }
            switch part {
            case .recordHeader:
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
                if let verdict = recordHeaderByte(byte) { return end(verdict) }
            case .messageHeader:
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
                if let verdict = messageHeaderByte(byte) { return end(verdict) }
            case .message:
                let count = min(rest.count, min(recordLeft, messageLeft))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                recordLeft -= count
                messageLeft -= count
                if messageLeft == 0 { return end(.complete) }
                if recordLeft == 0 { beginRecord() }
            }
        }
        return .incomplete
    }

    private mutating func end(_ verdict: Verdict) -> Verdict {
        known = verdict
        return verdict
    }

    private mutating func beginRecord() {
        part = .recordHeader
        recordHeader = 0
        recordHeaderCount = 0
    }

    /// OpenSSL judges a first record by five bytes; before that it would wait as well.
    private mutating func recordHeaderByte(_ byte: UInt8) -> Verdict? {
        recordHeader = recordHeader << 8 | UInt64(byte)
        recordHeaderCount += 1
        guard recordHeaderCount == 5 else { return nil }
        let first = UInt8(truncatingIfNeeded: recordHeader >> 32)
        guard first == Self.handshakeRecord else { return oldHello() }
        let length = Int(recordHeader & 0xFFFF)
        if recordHeader >> 24 & 0xFF != 3 || length == 0 || length > Self.recordBytesMaximum {
            return .notAHello
        }
        recordLeft = length
        part = messageHeaderCount < 4 ? .messageHeader : .message
        return nil
    }

    private mutating func messageHeaderByte(_ byte: UInt8) -> Verdict? {
        messageHeader = messageHeader << 8 | UInt32(byte)
        messageHeaderCount += 1
        recordLeft -= 1
        if messageHeaderCount == 4 {
            messageLeft = Int(messageHeader & 0xFF_FFFF)
            guard messageHeader >> 24 == Self.clientHelloMessage,
                messageLeft <= Self.messageBytesMaximum
            else { return .notAHello }
            if messageLeft == 0 { return .complete }
            part = .message
        }
        if recordLeft == 0 { beginRecord() }
        return nil
    }

    /// A hello in the format of SSL 2, which OpenSSL still reads: two bytes of length with the top
    /// bit set, then the type. Five bytes of it have been seen.
    private mutating func oldHello() -> Verdict? {
        let isFirst = messageHeaderCount == 0
        guard isFirst, recordHeader >> 39 & 1 == 1, recordHeader >> 16 & 0xFF == 1 else {
            return .notAHello
        }
        let left = Int(recordHeader >> 24 & 0x7FFF) + 2 - 5
        if left <= 0 { return .complete }
        oldHelloLeft = left
        return nil
    }
}
