internal import COpenSSL

/// A pool of ephemeral X25519 key pairs that OpenSSL generates in advance for one thread.
///
/// Generating one takes a fifth of a handshake's work (RFC 7748: a scalar multiplication) and needs
/// nothing from the client. So it is done while idle, and a surge starts with a full pool. Each
/// pair serves one handshake, oldest first, and is wiped from the pool when it is taken. If the
/// pool is empty, OpenSSL generates the pair in the handshake. Signatures are never precomputed.
///
/// Belongs to one thread. The pairs and their count are in memory of the caller: a process that
/// finds the memory zeroed (after a fork) has an empty pool.
package final class EphemeralKeyPool {
    /// Bytes of memory per pair: the private half, then the public one.
    package static let bytesPerPair = 64
    /// Bytes of memory for the header.
    package static let bytesOfHead = 64
    private static let halfBytes = bytesPerPair / 2

    /// Stored before the pairs, and wiped with them.
    private struct Head {
        var count: UInt32
        /// The place of the oldest pair.
        var first: UInt32
    }

    /// The most pairs.
    package let capacity: Int
    /// The number of pairs taken so far.
    package private(set) var takenCount = 0
    private let memory: UnsafeMutableRawPointer
    private let library: TLSLibrary
    private let provider: UnsafeMutableRawPointer
    private let maker: OpaquePointer
    /// The generation that began last, if it is of a pair in this library.
    private var generation: UnsafeMutableRawPointer?

    /// Creates an empty pool.
    ///
    /// - Parameters:
    ///   - context: its handshakes use the pool; its library must be one for serving.
    ///   - memory: zeros; ``bytesOfHead``, and ``bytesPerPair`` per pair. It must outlive
    ///     ``stopServing()``.
    /// - Returns: nil if the library does not support it; handshakes work without it.
    package init?(for context: TLSContext, in memory: UnsafeMutableRawBufferPointer) {
        library = context.library
        let pairs = (memory.count - Self.bytesOfHead) / Self.bytesPerPair
        capacity = min(pairs, Int(UInt32.max))
        defer { ERR_clear_error() }
        guard capacity > 0, let base = memory.baseAddress, let provider = library.serving,
            let maker = EVP_PKEY_CTX_new_from_name(library.handle, "X25519", nil)
        else { return nil }
        (self.memory, self.provider, self.maker) = (base, provider, maker)
        if EVP_PKEY_keygen_init(maker) != 1 { return nil }
    }

    deinit { EVP_PKEY_CTX_free(maker) }

    /// The number of available pairs.
    package var count: Int { Int(head.pointee.count) }

    private var head: UnsafeMutablePointer<Head> { memory.assumingMemoryBound(to: Head.self) }

    /// The place of a pair, counted from the oldest.
    private func pair(_ index: Int) -> UnsafeMutableRawPointer {
        let place = (Int(head.pointee.first) + index) % capacity
        return memory + Self.bytesOfHead + place * Self.bytesPerPair
    }

    /// The pool of the calling thread.
    static var ofThread: EphemeralKeyPool? {
        COpenSSL_thread_key_pool().map {
            Unmanaged<EphemeralKeyPool>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Makes the handshakes of the calling thread use the pool. Call ``stopServing()`` there before
    /// the pool or its memory is freed.
    package func serveThread() {
        COpenSSL_set_thread_key_pool(Unmanaged.passUnretained(self).toOpaque())
    }

    /// Wipes the pool and undoes ``serveThread()``.
    package func stopServing() {
        if Self.ofThread === self { COpenSSL_set_thread_key_pool(nil) }
        wipe()
    }

    /// Wipes all pairs.
    package func wipe() {
        OPENSSL_cleanse(memory, Self.bytesOfHead + capacity * Self.bytesPerPair)
    }

    /// Generates up to `count` pairs, as far as there is room.
    ///
    /// - Returns: false if OpenSSL fails; handshakes continue without the pool.
    package func make(_ count: Int) -> Bool {
        // The new keys must not be taken from the pool.
        let served = COpenSSL_thread_key_pool()
        COpenSSL_set_thread_key_pool(nil)
        defer { COpenSSL_set_thread_key_pool(served) }
        for _ in 0..<min(count, capacity - self.count) {
            var key: OpaquePointer?
            let isMade = EVP_PKEY_generate(maker, &key) == 1 && add(key)
            EVP_PKEY_free(key)
            if !isMade {
                ERR_clear_error()
                return false
            }
        }
        return true
    }

    /// Adds a pair; false if it cannot be exported.
    private func add(_ key: OpaquePointer?) -> Bool {
        let pair = pair(count)
        let bytes = pair.assumingMemoryBound(to: UInt8.self)
        var (privateCount, publicCount) = (Self.halfBytes, Self.halfBytes)
        guard EVP_PKEY_get_raw_private_key(key, bytes, &privateCount) == 1,
            EVP_PKEY_get_raw_public_key(key, bytes + Self.halfBytes, &publicCount) == 1,
            privateCount == Self.halfBytes, publicCount == Self.halfBytes
        else {
            OPENSSL_cleanse(pair, Self.bytesPerPair)
            return false
        }
        head.pointee.count += 1
        return true
    }

    /// OpenSSL starts to generate a key.
    ///
    /// - Parameter wantsPair: OpenSSL also generates empty keys, for the share of a peer.
    func generationBegan(
        _ generation: UnsafeMutableRawPointer?, in provider: UnsafeMutableRawPointer?,
        wantsPair: Bool
    ) {
        self.generation = wantsPair && provider == self.provider ? generation : nil
    }

    /// The default provider's key of the oldest pair, which is wiped; nil if OpenSSL must generate
    /// one.
    func take(
        for generation: UnsafeMutableRawPointer?, _ functions: X25519Functions
    ) -> UnsafeMutableRawPointer? {
        guard count > 0, generation != nil, generation == self.generation,
            let key = functions.make(provider)
        else { return nil }
        let pair = pair(0)
        head.pointee.first = (head.pointee.first + 1) % UInt32(capacity)
        head.pointee.count -= 1
        takenCount += 1
        defer { OPENSSL_cleanse(pair, Self.bytesPerPair) }
        var parameters = (
            OSSL_PARAM_construct_octet_string(
                COpenSSL_OSSL_PKEY_PARAM_PRIV_KEY(), pair, Self.halfBytes),
            OSSL_PARAM_construct_octet_string(
                COpenSSL_OSSL_PKEY_PARAM_PUB_KEY(), pair + Self.halfBytes, Self.halfBytes),
            OSSL_PARAM_construct_end()
        )
        let isWhole = withUnsafeBytes(of: &parameters) {
            let list = $0.baseAddress?.assumingMemoryBound(to: OSSL_PARAM.self)
            return functions.importKey(key, COpenSSL_OSSL_KEYMGMT_SELECT_KEYPAIR(), list) == 1
        }
        if isWhole { return key }
        functions.free(key)
        return nil
    }
}
