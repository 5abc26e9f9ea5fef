import HTTP

/// The buffers that the connections of a worker use one after the other.
struct Buffers {
    /// Largest plaintext of a TLS record (RFC 8446 section 5.1).
    static let recordBytes = 16_384

    /// Ciphertext as received.
    let receive: UnsafeMutableRawBufferPointer
    /// Decrypted input: room for an incomplete head and one more record.
    let plaintext: UnsafeMutableRawBufferPointer
    /// Plaintext output that is gathered into one record.
    let record: UnsafeMutableRawBufferPointer

    init(limits: ServerLimits) {
        receive = .allocate(byteCount: limits.receiveBytes, alignment: 64)
        plaintext = .allocate(byteCount: limits.plaintextBytes, alignment: 64)
        record = .allocate(byteCount: Self.recordBytes, alignment: 64)
    }

    /// Must be called before the owner is released.
    func free() {
        receive.deallocate()
        plaintext.deallocate()
        record.deallocate()
    }
}
