internal import COpenSSL

/// A BIO over memory, freed with the object.
final class MemoryBIO {
    let handle: OpaquePointer?
    private let source: UnsafeMutableRawBufferPointer?

    /// An empty one to write to.
    init() {
        handle = BIO_new(BIO_s_mem())
        source = nil
    }

    /// One to read a copy of `bytes` from. The copy is wiped afterwards: it may be a key.
    init(reading bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        source = copy
        handle = BIO_new_mem_buf(copy.baseAddress, Int32(clamping: bytes.count))
    }

    deinit {
        BIO_free(handle)
        if let source {
            OPENSSL_cleanse(source.baseAddress, source.count)
            source.deallocate()
        }
    }

    /// What was written, or what is left to read.
    var bytes: [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = COpenSSL_BIO_get_mem_data(handle, &start)
        guard count > 0, let start else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
