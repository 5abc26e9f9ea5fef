internal import COpenSSL

/// Certificate chains that a client context has verified, by their exact bytes and the name they
/// were verified for, so that the same chain is not verified again.
///
/// For load tests: thousands of devices see one chain, and its verification costs the generator a
/// sixth of a handshake. That the server holds the key is proven by its signature in every
/// handshake; that is never skipped. What the memory overlooks is a certificate that ends, or is
/// revoked, while the context lives.
final class ChainMemory {
    /// A server shows one chain per key type and certificate; a storm sees a few renewals.
    static let chainsMaximum = 16

    struct Chain: Equatable {
        let name: [UInt8]
        /// The leaf first, in DER, each behind its length.
        let bytes: [UInt8]
    }

    private var chains: [Chain] = []
    private(set) var verifications = 0

    func knows(_ chain: Chain) -> Bool { chains.contains(chain) }

    /// Keeps a chain that was verified; the oldest goes when there are too many.
    func keep(_ chain: Chain) {
        if chains.count == Self.chainsMaximum { chains.removeFirst() }
        chains.append(chain)
    }

    func countVerification() { verifications += 1 }
}

/// Verifies as OpenSSL does, unless the very same was verified before.
let verifyOnce:
    @convention(c) (
        OpaquePointer?, UnsafeMutableRawPointer?
    ) -> Int32 = { store, argument in
        guard let store, let argument else { return 0 }
        let memory = Unmanaged<ChainMemory>.fromOpaque(argument).takeUnretainedValue()
        let chain = ChainMemory.Chain(in: store)
        if let chain, memory.knows(chain) {
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return 1
        }
        memory.countVerification()
        let result = X509_verify_cert(store)
        if result == 1, let chain { memory.keep(chain) }
        return result
    }

extension ChainMemory.Chain {
    /// What the peer sent, and the name that is asked for; `nil` when there is no name, or one that
    /// is not a host's (an address): then nothing is remembered.
    fileprivate init?(in store: OpaquePointer) {
        guard let parameters = X509_STORE_CTX_get0_param(store),
            let host = X509_VERIFY_PARAM_get0_host(parameters, 0),
            let sent = X509_STORE_CTX_get0_untrusted(store)
        else { return nil }
        name = Array(String(cString: host).utf8)
        var bytes: [UInt8] = []
        for index in 0..<COpenSSL_sk_X509_num(sent) {
            let certificate = COpenSSL_sk_X509_value(sent, index)
            // OpenSSL keeps the bytes it read: this copies them.
            let count = Int(i2d_X509(certificate, nil))
            guard count > 0 else { return nil }
            withUnsafeBytes(of: UInt32(count)) { bytes.append(contentsOf: $0) }
            let start = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: count))
            bytes.withUnsafeMutableBufferPointer { buffer in
                var place = buffer.baseAddress.map { $0 + start }
                i2d_X509(certificate, &place)
            }
        }
        self.bytes = bytes
    }
}
