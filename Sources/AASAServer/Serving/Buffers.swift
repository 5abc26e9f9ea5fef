import HTTP

/// The memory that all connections of a worker pass their bytes through, one after the other.
struct Buffers {
    /// Greatest plaintext of a TLS record (RFC 8446 section 5.1).
    static let recordBytes = 16_384

    /// Ciphertext as received.
    let receive: UnsafeMutableRawBufferPointer
    /// Decrypted input: an unfinished head and one more record fit.
    let plaintext: UnsafeMutableRawBufferPointer
    /// Plaintext output that is gathered into one record.
    let record: UnsafeMutableRawBufferPointer

    init(limits: ServerLimits) {
        receive = .allocate(byteCount: limits.receiveBytes, alignment: 64)
        plaintext = .allocate(byteCount: limits.plaintextBytes, alignment: 64)
        record = .allocate(byteCount: Self.recordBytes, alignment: 64)
    }

    /// Has to be called before the owner goes.
    func free() {
        receive.deallocate()
        plaintext.deallocate()
        record.deallocate()
    }
}
