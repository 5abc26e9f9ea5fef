internal import COpenSSL

/// The ciphertext that goes in and out of the sessions of one thread.
///
/// All sessions of a thread share one transport: the bytes that `recv` just delivered are read in
/// place, and everything that sessions write gathers here until one `send` takes it. Not for
/// sharing between threads.
///
/// Call order, each turn: ``receive(_:)`` with the bytes of one session, that session's
/// ``TLSSession/handshake(_:)``, ``TLSSession/read(into:_:)``, …, then
/// ``TLSSession/keepUnread(_:)`` before the receive buffer is used for anything else, then send
/// ``output`` and call ``clearOutput()`` (what the socket did not take is the caller's to keep).
package final class TLSTransport {
    /// Shared with the BIO, which frees it when the last session is gone.
    let state: UnsafeMutablePointer<TransportState>
    let bio: OpaquePointer

    /// - Parameter outputCapacity: bytes of output that fit without growing.
    /// - Throws: ``OpenSSLError`` when memory is short.
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

    /// Offers the bytes just received to the session that is called next. They are read in
    /// place: they have to stay where they are until ``TLSSession/keepUnread(_:)``.
    package func receive(_ bytes: UnsafeRawBufferPointer) {
        state.pointee.input = bytes.baseAddress
        state.pointee.inputLeft = bytes.count
    }

    /// Bytes offered and not yet read by a session.
    package var unreadCount: Int { state.pointee.inputLeft }

    /// What has to be sent, in order. Valid until the next call to a session or to
    /// ``clearOutput()``.
    package var output: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: state.pointee.output, count: state.pointee.outputCount)
    }

    /// Forgets the output. An output buffer that one large answer made big is given back.
    package func clearOutput() {
        state.pointee.outputCount = 0
        if state.pointee.outputCapacity > TransportState.keptCapacity {
            state.pointee.shrink()
        }
    }
}

/// The memory behind the BIO: no class, so that the callbacks touch no reference counts.
struct TransportState {
    /// A larger output buffer is given back when it was sent: 512 KB holds four documents of the
    /// greatest size, so that an ordinary turn never allocates.
    static let keptCapacity = 512 * 1024

    /// Ciphertext that the calling session kept from an earlier turn: read first.
    var kept: UnsafeRawPointer?
    var keptLeft = 0
    /// Ciphertext of this turn.
    var input: UnsafeRawPointer?
    var inputLeft = 0
    var output: UnsafeMutableRawPointer
    var outputCount = 0
    var outputCapacity: Int
    /// Writes to the BIO so far: tells answers that OpenSSL sends by itself (alerts, key updates).
    var writeCount = 0
    /// Whether the last read of the BIO found nothing.
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
