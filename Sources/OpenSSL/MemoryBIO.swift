internal import COpenSSL

/// A memory BIO, freed with the object.
final class MemoryBIO {
    let handle: OpaquePointer?
    private var source: UnsafeMutableRawBufferPointer?

    /// An empty BIO for writing.
    init() {
        handle = BIO_new(BIO_s_mem())
    }

    /// A BIO for reading a copy of `bytes`. The copy is wiped afterwards: it may be a key.
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

    /// The bytes written, or left to read.
    var bytes: [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = COpenSSL_BIO_get_mem_data(handle, &start)
        guard count > 0, let start else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
