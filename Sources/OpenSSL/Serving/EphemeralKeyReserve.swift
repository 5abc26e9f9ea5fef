internal import COpenSSL

/// Ephemeral key pairs of X25519, made ahead by OpenSSL for the handshakes of one thread.
///
/// Making one is a fifth of a handshake's work (RFC 7748: a whole scalar multiplication), and needs
/// nothing of the client. So it is done while nobody waits, and a surge begins with what is there.
/// Each pair serves one handshake, the one made first before the others, and is wiped out of the
/// reserve when it is taken; without one OpenSSL makes it there and then. What a signature needs is
/// never made ahead.
///
/// Belongs to one thread. The pairs lie in memory of the caller, and so does their count: a process
/// that finds the memory empty (after a fork) has an empty reserve.
package final class EphemeralKeyReserve {
    /// Bytes of memory that a pair takes.
    package static let bytesPerPair = 64
    /// Bytes of memory in front of the pairs.
    package static let bytesOfHead = 64

    private let state: UnsafeMutablePointer<ThreadReserve>
    private let library: TLSLibrary
    private let maker: OpaquePointer

    /// An empty one.
    ///
    /// - Parameters:
    ///   - context: whose handshakes take from it; its library has to be one for serving.
    ///   - memory: zeros; ``bytesOfHead``, and ``bytesPerPair`` for each pair. It has to outlive
    ///     ``stopServing()``.
    /// - Returns: nil where the library cannot do it; handshakes work without.
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
        state.initialize(to: ThreadReserve(provider: provider, memory: base, capacity: capacity))
    }

    deinit {
        EVP_PKEY_CTX_free(maker)
        state.pointee.free()
        state.deallocate()
    }

    package var capacity: Int { state.pointee.capacity }
    /// Pairs that are there.
    package var count: Int { state.pointee.count }
    /// Pairs taken so far.
    package var takenCount: Int { state.pointee.takenCount }

    /// From now on the handshakes of the calling thread take from it. ``stopServing()`` has to be
    /// called there before the reserve or its memory goes.
    package func serveThread() { COpenSSL_set_thread_reserve(state) }

    /// Wipes it, and ends what ``serveThread()`` began.
    package func stopServing() {
        if COpenSSL_thread_reserve() == UnsafeMutableRawPointer(state) {
            COpenSSL_set_thread_reserve(nil)
        }
        wipe()
    }

    /// Wipes all pairs: nobody can have them any more.
    package func wipe() { state.pointee.wipe() }

    /// Makes pairs until there are `count` more, or no room is left.
    ///
    /// - Returns: false where OpenSSL could not; handshakes go on without.
    package func make(_ count: Int) -> Bool {
        for _ in 0..<min(count, capacity - self.count) {
            // Its own key must not come out of the reserve.
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

/// The reserve as OpenSSL's callbacks see it: no class, so that they touch no reference counts.
struct ThreadReserve {
    /// How many pairs there are, and where the oldest lies: in front of them, wiped with them.
    private struct Head {
        var count: UInt32
        var first: UInt32
    }

    private static let halfBytes = EphemeralKeyReserve.bytesPerPair / 2

    let capacity: Int
    private let provider: UnsafeMutableRawPointer
    private let memory: UnsafeMutableRawPointer
    /// What a key is made of: its halves, and an end.
    private let parameters: UnsafeMutablePointer<OSSL_PARAM>
    /// The generation that asked last, if it is one for a new pair of this library.
    private var generation: UnsafeMutableRawPointer?
    var isMaking = false
    private(set) var takenCount = 0

    /// That of the calling thread.
    static var current: UnsafeMutablePointer<ThreadReserve>? {
        COpenSSL_thread_reserve()?.assumingMemoryBound(to: ThreadReserve.self)
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

    /// Where a pair lies: the private half first.
    private func pair(_ index: Int) -> UnsafeMutableRawPointer {
        memory + EphemeralKeyReserve.bytesOfHead
            + index % capacity * EphemeralKeyReserve.bytesPerPair
    }

    // MARK: Taking

    /// OpenSSL begins to make a key.
    mutating func generationBegan(
        _ generation: UnsafeMutableRawPointer?, _ provider: UnsafeMutableRawPointer?,
        wantsPair: Bool
    ) {
        self.generation = wantsPair && provider == self.provider ? generation : nil
    }

    /// It is not to be any pair.
    mutating func generationIsSpecial() { generation = nil }

    /// A key of the oldest pair, which is wiped; nil: OpenSSL makes one.
    mutating func take(
        for generation: UnsafeMutableRawPointer?, _ functions: X25519Functions
    ) -> UnsafeMutableRawPointer? {
        guard head.pointee.count > 0, !isMaking, generation != nil, generation == self.generation
        else { return nil }
        // Once: who generates again gets OpenSSL's.
        self.generation = nil
        let first = head.pointee.first
        let pair = pair(Int(first))
        head.pointee.first = (first + 1) % UInt32(capacity)
        head.pointee.count -= 1
        takenCount += 1
        defer { OPENSSL_cleanse(pair, EphemeralKeyReserve.bytesPerPair) }
        parameters[0].data = pair
        parameters[1].data = pair + Self.halfBytes
        guard let key = functions.make(provider) else { return nil }
        if functions.importKey(key, pairSelection, parameters) == 1 { return key }
        functions.free(key)
        return nil
    }

    // MARK: Filling

    /// Adds a pair; false if it cannot be read.
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
            OPENSSL_cleanse(target, EphemeralKeyReserve.bytesPerPair)
            return false
        }
        head.pointee.count += 1
        return true
    }

    /// Wipes all of them.
    mutating func wipe() {
        for index in 0..<count {
            OPENSSL_cleanse(
                pair(Int(head.pointee.first) + index), EphemeralKeyReserve.bytesPerPair)
        }
        head.pointee = Head(count: 0, first: 0)
    }
}
