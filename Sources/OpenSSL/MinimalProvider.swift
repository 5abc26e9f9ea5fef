internal import COpenSSL

/// OpenSSL's default provider with fewer algorithms, for load tests.
///
/// OpenSSL 3.0 tries every decoder and every key type of every provider whenever it parses a
/// certificate's key: 1.5 million instructions per client handshake, a third of it. The few kept
/// here parse any server certificate. The implementations are the default provider's.
enum MinimalProvider {
    static let name = "lean"
    /// For server certificates in DER: key types and key encodings.
    private static let decoders: Set<String> = ["RSA", "EC", "DER"]
    /// For certificate keys, key shares, and TLS 1.2 records.
    private static let keys: Set<String> = ["RSA", "RSA-PSS", "EC", "X25519", "HMAC"]

    /// Makes `library` use it instead of the default provider.
    ///
    /// - Returns: false if OpenSSL rejects it; then the library is unchanged.
    static func load(into library: OpaquePointer) -> Bool {
        let isKnown = OSSL_PROVIDER_add_builtin(library, name) { _, _, out, context in
            guard let original = ProviderTables.original, MinimalProvider.keptDecoders != nil,
                MinimalProvider.keptKeys != nil
            else { return 0 }
            context?.pointee = OSSL_PROVIDER_get0_provider_ctx(original)
            out?.pointee = MinimalProvider.dispatch
            return 1
        }
        return isKnown == 1 && OSSL_PROVIDER_load(library, name) != nil
    }

    /// The kept algorithms, terminated by an empty entry.
    fileprivate nonisolated(unsafe) static let keptDecoders = keep(
        decoders, of: OSSL_OP_DECODER)
    fileprivate nonisolated(unsafe) static let keptKeys = keep(keys, of: OSSL_OP_KEYMGMT)

    private static func keep(
        _ names: Set<String>, of operation: Int32
    ) -> UnsafePointer<OSSL_ALGORITHM>? {
        guard let all = ProviderTables.algorithms(of: operation) else { return nil }
        let kept = all.filter { names.contains(ProviderTables.name(of: $0)) }
        return ProviderTables.permanent(kept + [OSSL_ALGORITHM()])
    }

    /// Function numbers of `core_dispatch.h` with their implementations.
    fileprivate nonisolated(unsafe) static let dispatch = ProviderTables.provider {
        _, operation, noCache in
        switch operation {
        case OSSL_OP_DECODER: return MinimalProvider.keptDecoders
        case OSSL_OP_KEYMGMT: return MinimalProvider.keptKeys
        default:
            return OSSL_PROVIDER_query_operation(ProviderTables.original, operation, noCache)
        }
    }
}
