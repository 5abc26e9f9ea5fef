internal import COpenSSL

/// OpenSSL's default provider with less to look through, for load tests.
///
/// OpenSSL 3.0 asks every decoder and every kind of key of every provider whenever it reads a
/// certificate's key: 1.5 million instructions for each handshake of a client, a third of it. What
/// a server's certificate can hold is read by the few that are left here. Everything else is the
/// default provider's own.
enum LeanProvider {
    static let name = "lean"
    /// What certificates of servers hold, as DER: key types, and how keys are wrapped.
    private static let decoders: Set<String> = ["RSA", "EC", "DER"]
    /// Keys of certificates and key shares, and of the records of TLS 1.2.
    private static let keys: Set<String> = ["RSA", "RSA-PSS", "EC", "X25519", "HMAC"]

    /// Makes `library` use it, instead of the default provider.
    ///
    /// - Returns: false where OpenSSL refuses; then the library is as it was.
    static func load(into library: OpaquePointer) -> Bool {
        let isKnown = OSSL_PROVIDER_add_builtin(library, name) { _, _, out, context in
            guard let original = ProviderTables.original, LeanProvider.keptDecoders != nil,
                LeanProvider.keptKeys != nil
            else { return 0 }
            context?.pointee = OSSL_PROVIDER_get0_provider_ctx(original)
            out?.pointee = LeanProvider.dispatch
            return 1
        }
        return isKnown == 1 && OSSL_PROVIDER_load(library, name) != nil
    }

    /// What is left, ended by an empty entry.
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

    /// Function numbers of `core_dispatch.h`, each with what answers it.
    fileprivate nonisolated(unsafe) static let dispatch = ProviderTables.provider {
        _, operation, noCache in
        switch operation {
        case OSSL_OP_DECODER: return LeanProvider.keptDecoders
        case OSSL_OP_KEYMGMT: return LeanProvider.keptKeys
        default:
            return OSSL_PROVIDER_query_operation(ProviderTables.original, operation, noCache)
        }
    }
}
