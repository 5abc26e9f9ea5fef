internal import COpenSSL

/// The ciphertext input and output of the sessions of one thread.
///
/// All sessions of a thread share one transport: received bytes are read in place, and the output
/// of all sessions is collected here until one `send`. Not for sharing between threads.
///
/// Call order, each turn: ``receive(_:)`` with the bytes of one session, that session's
/// ``TLSSession/handshake(_:)``, ``TLSSession/read(into:_:)``, …, then
/// ``TLSSession/keepUnread(_:)`` before the receive buffer is reused, then send ``output`` and call
/// ``clearOutput()`` (the caller keeps what the socket did not accept).
package final class TLSTransport {
    /// Shared with the BIO, which frees it after the last session.
    let state: UnsafeMutablePointer<TransportState>
    let bio: OpaquePointer

    /// - Parameter outputCapacity: bytes of output before the buffer grows.
    /// - Throws: ``OpenSSLError`` if memory is short.
    package init(outputCapacity: Int = 32 * 1024) throws(OpenSSLError) {
        TLSLibrary.prepare()
        guard let method = transportMethod, let bio = BIO_new(method) else {
            throw OpenSSLError(doing: "creating a TLS transport")
        }
        state = .allocate(capacity: 1)
        state.initialize(to: TransportState(capacity: max(outputCapacity, 4096)))
        self.bio = bio
        BIO_set_data(bio, state)
    }

    deinit { BIO_free(bio) }

    /// Provides received bytes to the next session that is called. They are read in place and must
    /// stay valid until ``TLSSession/keepUnread(_:)``.
    package func receive(_ bytes: UnsafeRawBufferPointer) {
        state.pointee.input = bytes.baseAddress
        state.pointee.inputLeft = bytes.count
    }

    /// Bytes provided but not yet read by a session.
    package var unreadCount: Int { state.pointee.inputLeft }

    /// The bytes to send, in order. Valid until the next call to a session or to ``clearOutput()``.
    package var output: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: state.pointee.output, count: state.pointee.outputCount)
    }

    /// Discards the output. A buffer that a large answer has grown is freed.
    package func clearOutput() {
        state.pointee.outputCount = 0
        if state.pointee.outputCapacity > TransportState.keptCapacity {
            state.pointee.shrink()
        }
    }
}

/// The memory of the BIO: a struct, so that the callbacks need no reference counting.
struct TransportState {
    /// A larger output buffer is freed after it was sent: 512 KB hold four documents of the maximum
    /// size, so that an ordinary turn never allocates.
    static let keptCapacity = 512 * 1024

    /// Ciphertext that the session kept from an earlier turn: read first.
    var kept: UnsafeRawPointer?
    var keptLeft = 0
    /// Ciphertext of this turn.
    var input: UnsafeRawPointer?
    var inputLeft = 0
    var output: UnsafeMutableRawPointer
    var outputCount = 0
    var outputCapacity: Int
    /// Writes to the BIO so far: detects replies that OpenSSL sends on its own (alerts, key
    /// updates).
    var writeCount = 0
    /// Whether the last read of the BIO found no input.
    var starved = false

    init(capacity: Int) {
        outputCapacity = capacity
        output = .allocate(byteCount: capacity, alignment: 16)
    }

    func free() { output.deallocate() }

    mutating func shrink() {
        output.deallocate()
        outputCapacity = TransportState.keptCapacity / 16
        output = .allocate(byteCount: outputCapacity, alignment: 16)
    }

    mutating func take(into target: UnsafeMutableRawPointer, atMost limit: Int) -> Int {
        if keptLeft > 0, let kept {
            let count = min(limit, keptLeft)
            target.copyMemory(from: kept, byteCount: count)
            self.kept = kept + count
            keptLeft -= count
            return count
        }
        guard inputLeft > 0, let input else {
            starved = true
            return 0
        }
        let count = min(limit, inputLeft)
        target.copyMemory(from: input, byteCount: count)
        self.input = input + count
        inputLeft -= count
        return count
    }

    mutating func append(_ bytes: UnsafeRawPointer, count: Int) {
        let needed = outputCount + count
        if needed > outputCapacity {
            let capacity = max(needed, outputCapacity * 2)
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
            larger.copyMemory(from: output, byteCount: outputCount)
            output.deallocate()
            output = larger
            outputCapacity = capacity
        }
        (output + outputCount).copyMemory(from: bytes, byteCount: count)
        outputCount = needed
        writeCount += 1
    }
}
