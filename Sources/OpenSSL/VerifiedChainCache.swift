internal import COpenSSL

/// Caches verified certificate chains of a client context, by their exact bytes and the verified
/// name, so that the same chain is verified once.
///
/// For load tests: thousands of devices receive the same chain, and verifying it costs the
/// generator a sixth of a handshake. The server still proves possession of the key by its signature
/// in every handshake. The cache misses only a certificate that expires or is revoked during the
/// life of the context.
final class VerifiedChainCache {
    /// A server sends one chain per key type and certificate; a storm sees a few renewals.
    static let chainsMaximum = 16

    struct Chain: Equatable {
        let name: [UInt8]
        /// DER, leaf first.
        let certificates: [[UInt8]]
    }

    private var chains: [Chain] = []
    private(set) var verifications = 0

    func knows(_ chain: Chain) -> Bool { chains.contains(chain) }

    /// Adds a verified chain; removes the oldest if there are too many.
    func keep(_ chain: Chain) {
        if chains.count == Self.chainsMaximum { chains.removeFirst() }
        chains.append(chain)
    }

    func countVerification() { verifications += 1 }
}

/// Verifies with OpenSSL, unless the same chain and name were verified before.
let verifyOnce:
    @convention(c) (
        OpaquePointer?, UnsafeMutableRawPointer?
    ) -> Int32 = { store, argument in
        guard let store, let argument else { return 0 }
        let memory = Unmanaged<VerifiedChainCache>.fromOpaque(argument).takeUnretainedValue()
        let chain = VerifiedChainCache.Chain(in: store)
        if let chain, memory.knows(chain) {
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return 1
        }
        memory.countVerification()
        let result = X509_verify_cert(store)
        if result == 1, let chain { memory.keep(chain) }
        return result
    }

extension VerifiedChainCache.Chain {
    /// The peer's chain and the requested name; `nil` without a name, or for one that is not a host
    /// name (an address): then nothing is cached.
    fileprivate init?(in store: OpaquePointer) {
        guard let parameters = X509_STORE_CTX_get0_param(store),
            let host = X509_VERIFY_PARAM_get0_host(parameters, 0),
            let sent = X509_STORE_CTX_get0_untrusted(store)
        else { return nil }
        name = Array(String(cString: host).utf8)
        var certificates: [[UInt8]] = []
        for index in 0..<COpenSSL_sk_X509_num(sent) {
            // This copies the bytes that OpenSSL keeps from parsing.
            let der = derEncoding { i2d_X509(COpenSSL_sk_X509_value(sent, index), $0) }
            guard !der.isEmpty else { return nil }
            certificates.append(der)
        }
        self.certificates = certificates
    }
}
