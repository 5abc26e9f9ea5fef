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
    /// Bytes of memory per pair.
    package static let bytesPerPair = 64
    /// Bytes of memory for the header.
    package static let bytesOfHead = 64

    private let state: UnsafeMutablePointer<ThreadKeyPool>
    private let library: TLSLibrary
    private let maker: OpaquePointer

    /// Creates an empty pool.
    ///
    /// - Parameters:
    ///   - context: its handshakes use the pool; its library must be one for serving.
    ///   - memory: zeros; ``bytesOfHead``, and ``bytesPerPair`` per pair. It must outlive
    ///     ``stopServing()``.
    /// - Returns: nil if the library does not support it; handshakes work without it.
    package init?(for context: TLSContext, in memory: UnsafeMutableRawBufferPointer) {
        library = context.library
        let capacity = (memory.count - Self.bytesOfHead) / Self.bytesPerPair
        ERR_clear_error()
        guard capacity > 0, let base = memory.baseAddress, let provider = library.serving,
            let maker = EVP_PKEY_CTX_new_from_name(library.handle, "X25519", nil)
        else {
            ERR_clear_error()
            return nil
        }
        guard EVP_PKEY_keygen_init(maker) == 1 else {
            EVP_PKEY_CTX_free(maker)
            ERR_clear_error()
            return nil
        }
        self.maker = maker
        state = .allocate(capacity: 1)
        state.initialize(to: ThreadKeyPool(provider: provider, memory: base, capacity: capacity))
    }

    deinit {
        EVP_PKEY_CTX_free(maker)
        state.pointee.free()
        state.deallocate()
    }

    package var capacity: Int { state.pointee.capacity }
    /// The number of available pairs.
    package var count: Int { state.pointee.count }
    /// The number of pairs taken so far.
    package var takenCount: Int { state.pointee.takenCount }

    /// Makes the handshakes of the calling thread use the pool. Call ``stopServing()`` there before
    /// the pool or its memory is freed.
    package func serveThread() { COpenSSL_set_thread_reserve(state) }

    /// Wipes the pool and undoes ``serveThread()``.
    package func stopServing() {
        if COpenSSL_thread_reserve() == UnsafeMutableRawPointer(state) {
            COpenSSL_set_thread_reserve(nil)
        }
        wipe()
    }

    /// Wipes all pairs.
    package func wipe() { state.pointee.wipe() }

    /// Generates up to `count` pairs, as far as there is room.
    ///
    /// - Returns: false if OpenSSL fails; handshakes continue without the pool.
    package func make(_ count: Int) -> Bool {
        for _ in 0..<min(count, capacity - self.count) {
            // The new key must not be taken from the pool.
            state.pointee.isMaking = true
            defer { state.pointee.isMaking = false }
            var key: OpaquePointer?
            guard EVP_PKEY_generate(maker, &key) == 1, let key else {
                ERR_clear_error()
                return false
            }
            defer { EVP_PKEY_free(key) }
            guard state.pointee.add(key) else {
                ERR_clear_error()
                return false
            }
        }
        return true
    }
}

/// The pool for OpenSSL's callbacks: a struct, so that they need no reference counting.
struct ThreadKeyPool {
    /// The count and the index of the oldest pair: stored before the pairs, wiped with them.
    private struct Head {
        var count: UInt32
        var first: UInt32
    }

    private static let halfBytes = EphemeralKeyPool.bytesPerPair / 2

    let capacity: Int
    private let provider: UnsafeMutableRawPointer
    private let memory: UnsafeMutableRawPointer
    /// The parameters of a key: both halves, and a terminator.
    private let parameters: UnsafeMutablePointer<OSSL_PARAM>
    /// The generation context that started last, if it is for a new pair of this library.
    private var generation: UnsafeMutableRawPointer?
    var isMaking = false
    private(set) var takenCount = 0

    /// The pool of the calling thread.
    static var current: UnsafeMutablePointer<ThreadKeyPool>? {
        COpenSSL_thread_reserve()?.assumingMemoryBound(to: ThreadKeyPool.self)
    }

    init(provider: UnsafeMutableRawPointer, memory: UnsafeMutableRawPointer, capacity: Int) {
        self.provider = provider
        self.memory = memory
        self.capacity = min(capacity, Int(UInt32.max))
        parameters = .allocate(capacity: 3)
        parameters.initialize(
            to: OSSL_PARAM_construct_octet_string(
                COpenSSL_OSSL_PKEY_PARAM_PRIV_KEY(), nil, Self.halfBytes))
        (parameters + 1).initialize(
            to: OSSL_PARAM_construct_octet_string(
                COpenSSL_OSSL_PKEY_PARAM_PUB_KEY(), nil, Self.halfBytes))
        (parameters + 2).initialize(to: OSSL_PARAM_construct_end())
    }

    func free() { parameters.deallocate() }

    private var head: UnsafeMutablePointer<Head> { memory.assumingMemoryBound(to: Head.self) }

    var count: Int { Int(head.pointee.count) }

    /// The address of a pair: the private half first.
    private func pair(_ index: Int) -> UnsafeMutableRawPointer {
        memory + EphemeralKeyPool.bytesOfHead
            + index % capacity * EphemeralKeyPool.bytesPerPair
    }

    // MARK: Taking

    /// OpenSSL starts to generate a key.
    mutating func generationBegan(
        _ generation: UnsafeMutableRawPointer?, _ provider: UnsafeMutableRawPointer?,
        wantsPair: Bool
    ) {
        self.generation = wantsPair && provider == self.provider ? generation : nil
    }

    /// The key must have certain properties, so it cannot come from the pool.
    mutating func generationIsSpecial() { generation = nil }

    /// A key from the oldest pair, which is wiped; nil if OpenSSL must generate one.
    mutating func take(
        for generation: UnsafeMutableRawPointer?, _ functions: X25519Functions
    ) -> UnsafeMutableRawPointer? {
        guard head.pointee.count > 0, !isMaking, generation != nil, generation == self.generation
        else { return nil }
        // Only once: a second generation uses OpenSSL.
        self.generation = nil
        let first = head.pointee.first
        let pair = pair(Int(first))
        head.pointee.first = (first + 1) % UInt32(capacity)
        head.pointee.count -= 1
        takenCount += 1
        defer { OPENSSL_cleanse(pair, EphemeralKeyPool.bytesPerPair) }
        parameters[0].data = pair
        parameters[1].data = pair + Self.halfBytes
        guard let key = functions.make(provider) else { return nil }
        if functions.importKey(key, pairSelection, parameters) == 1 { return key }
        functions.free(key)
        return nil
    }

    // MARK: Filling

    /// Adds a pair; false if it cannot be exported.
    mutating func add(_ key: OpaquePointer) -> Bool {
        let index = Int(head.pointee.first) + count
        let target = pair(index)
        var privateCount = Self.halfBytes
        var publicCount = Self.halfBytes
        let bytes = target.assumingMemoryBound(to: UInt8.self)
        guard EVP_PKEY_get_raw_private_key(key, bytes, &privateCount) == 1,
            EVP_PKEY_get_raw_public_key(key, bytes + Self.halfBytes, &publicCount) == 1,
            privateCount == Self.halfBytes, publicCount == Self.halfBytes
        else {
            OPENSSL_cleanse(target, EphemeralKeyPool.bytesPerPair)
            return false
        }
        head.pointee.count += 1
        return true
    }

    /// Wipes all pairs.
    mutating func wipe() {
        for index in 0..<count {
            OPENSSL_cleanse(
                pair(Int(head.pointee.first) + index), EphemeralKeyPool.bytesPerPair)
        }
        head.pointee = Head(count: 0, first: 0)
    }
}
