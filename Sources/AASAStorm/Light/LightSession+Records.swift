import OpenSSL

// Reading and encrypting records.
extension LightSession {
    struct Record {
        let type: UInt8
        let header: UnsafeRawBufferPointer
        let payload: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer) {
            type = bytes[0]
            header = UnsafeRawBufferPointer(rebasing: bytes[..<5])
            payload = UnsafeRawBufferPointer(rebasing: bytes[5...])
        }
    }

    /// Calls `body` with the next complete record; nil if there is none yet.
    func nextRecord(
        _ body: (Record) -> Result<Void, Failure>
    ) -> Result<Void, Failure>? {
        if keptOffset == kept.count {
            kept.removeAll(keepingCapacity: true)
            keptOffset = 0
            guard let length = Self.recordLength(client.input) else {
                keepUnread()
                return nil
            }
            if length > 5 + LightClient.recordMaximum { return .failure(.protocolViolation) }
            guard client.unreadCount >= length else {
                keepUnread()
                return nil
            }
            return body(Record(client.take(length)))
        }
        keepUnread()
        let length: Int? = kept.withUnsafeBytes {
            Self.recordLength(UnsafeRawBufferPointer(rebasing: $0[keptOffset...]))
        }
        guard let length else { return nil }
        if length > 5 + LightClient.recordMaximum { return .failure(.protocolViolation) }
        guard kept.count - keptOffset >= length else { return nil }
        let bytes = kept
        let start = keptOffset
        keptOffset += length
        return bytes.withUnsafeBytes {
            body(Record(UnsafeRawBufferPointer(rebasing: $0[start..<(start + length)])))
        }
    }

    /// The length of the record that begins here, including its header.
    static func recordLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
        bytes.count < 5 ? nil : 5 + Int(bytes[3]) << 8 + Int(bytes[4])
    }

    func takeHandshakeRecord(_ record: Record) -> Result<Void, Failure> {
        switch record.type {
        case 20:
            // Ignored in TLS 1.3 (RFC 8446 appendix D.4).
            return countControl()
        case 21 where readKey == nil: return .failure(refusal(record.payload))
        case 22 where readKey == nil && !record.payload.isEmpty:
            return takeMessages(record.payload)
        case 23 where readKey != nil:
            guard let (type, content) = open(record, into: client.plaintext) else {
                return .failure(.record)
            }
            switch type {
            case 21: return .failure(alert(content))
            case 22 where !content.isEmpty: return takeMessages(content)
            default: return .failure(.protocolViolation)
            }
        default: return .failure(.protocolViolation)
        }
    }

    func takeDataRecord(
        _ record: Record, into buffer: UnsafeMutableRawBufferPointer, _ count: inout Int
    ) -> Result<Void, Failure> {
        guard record.type == 23, let (type, content) = open(record, into: client.plaintext) else {
            return .failure(record.type == 23 ? .record : .protocolViolation)
        }
        switch type {
        case 23:
            guard content.count <= buffer.count else { return .failure(.protocolViolation) }
            if content.isEmpty { return countControl() }
            buffer.copyMemory(from: content)
            count = content.count
            return .success(())
        case 22: return content.isEmpty ? .failure(.protocolViolation) : takeMessages(content)
        case 21:
            // close_notify, or the warning that RFC 8446 section 6.1 allows with it.
            guard content.count == 2, content[1] == 0 || content[1] == 90 else {
                return .failure(alert(content))
            }
            phase = .closed
            return .success(())
        default: return .failure(.protocolViolation)
        }
    }

    func alert(_ content: UnsafeRawBufferPointer) -> Failure {
        content.count == 2 ? .alert(content[1]) : .protocolViolation
    }

    /// An alert in place of a ServerHello: handshake_failure (40) and protocol_version (70) say
    /// that the server speaks nothing that this client offers (RFC 8446 section 6.2), as one of
    /// TLS 1.2.
    private func refusal(_ content: UnsafeRawBufferPointer) -> Failure {
        let failure = alert(content)
        return failure == .alert(40) || failure == .alert(70) ? .needsMore : failure
    }

    func countControl() -> Result<Void, Failure> {
        controlRecords += 1
        return controlRecords > Self.controlRecordsMaximum
            ? .failure(.protocolViolation) : .success(())
    }

    /// The content of a record and its actual type, which follows the content, before the padding.
    func open(
        _ record: Record, into buffer: UnsafeMutableRawBufferPointer
    ) -> (type: UInt8, content: UnsafeRawBufferPointer)? {
        guard var key = readKey,
            let length = client.cipher.open(
                record.payload, associated: record.header, with: &key, into: buffer)
        else { return nil }
        readKey = key
        var end = length
        while end > 0, buffer[end - 1] == 0 { end -= 1 }
        guard end > 0 else { return nil }
        return (buffer[end - 1], UnsafeRawBufferPointer(rebasing: buffer[..<(end - 1)]))
    }

    func seal(_ type: UInt8, _ content: UnsafeRawBufferPointer) -> Bool {
        guard var key = writeKey else { return false }
        let length = content.count + 1 + RecordCipher.tagBytes
        var isSealed = false
        client.outgoing.append(5 + length) { bytes in
            bytes.copyBytes(from: [23, 3, 3, UInt8(length >> 8), UInt8(length & 0xFF)])
            let body = UnsafeMutableRawBufferPointer(rebasing: bytes[5...])
            body.copyMemory(from: content)
            body[content.count] = type
            isSealed = client.cipher.seal(
                UnsafeRawBufferPointer(rebasing: body[...content.count]),
                associated: UnsafeRawBufferPointer(rebasing: bytes[..<5]), with: &key, into: body)
        }
        writeKey = key
        return isSealed
    }
}
