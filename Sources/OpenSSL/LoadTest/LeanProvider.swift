internal import COpenSSL

/// OpenSSL's default provider with less to look through, for load tests.
///
/// OpenSSL 3.0 asks every decoder and every kind of key of every provider whenever it reads a
/// certificate's key: 1.5 million instructions for each handshake of a client, a third of it. What
/// a server's certificate can hold is read by the few that are left here. Everything else is the
/// default provider's own. The way is that of OpenSSL's tests (`test/filterprov.c`): a provider
/// within the program that passes on what another one says.
enum LeanProvider {
    private static let name = "lean"
    /// What certificates of servers hold, as DER: key types, and how keys are wrapped.
    private static let decoders: Set<String> = ["RSA", "EC", "DER"]
    /// Keys of certificates and key shares, and of the records of TLS 1.2.
    private static let keys: Set<String> = ["RSA", "RSA-PSS", "EC", "X25519", "HMAC"]

    /// Makes `library` use it, instead of the default provider.
    ///
    /// - Returns: false where OpenSSL refuses; then the library is as it was.
    static func load(into library: OpaquePointer) -> Bool {
        let isKnown = OSSL_PROVIDER_add_builtin(library, name) { _, _, out, context in
            guard let original = LeanProvider.original, LeanProvider.keptDecoders != nil,
                LeanProvider.keptKeys != nil
            else { return 0 }
            context?.pointee = OSSL_PROVIDER_get0_provider_ctx(original)
            out?.pointee = LeanProvider.dispatch
            return 1
        }
        return isKnown == 1 && OSSL_PROVIDER_load(library, name) != nil
    }

    /// The default provider, in a library context of its own that is never freed: those who use it
    /// live as long (see ``TLSLibrary``).
    fileprivate nonisolated(unsafe) static let original: OpaquePointer? =
        OSSL_LIB_CTX_new().flatMap { OSSL_PROVIDER_load($0, "default") }

    /// What is left, ended by an empty entry.
    fileprivate nonisolated(unsafe) static let keptDecoders = keep(
        decoders, of: OSSL_OP_DECODER)
    fileprivate nonisolated(unsafe) static let keptKeys = keep(keys, of: OSSL_OP_KEYMGMT)

    private static func keep(
        _ names: Set<String>, of operation: Int32
    ) -> UnsafePointer<OSSL_ALGORITHM>? {
        var noCache: Int32 = 0
        guard let original,
            var next = OSSL_PROVIDER_query_operation(original, operation, &noCache)
        else { return nil }
        var list: [OSSL_ALGORITHM] = []
        while let all = next.pointee.algorithm_names {
            let first = String(cString: all).split(separator: ":").first.map(String.init) ?? ""
            if names.contains(first) { list.append(next.pointee) }
            next += 1
        }
        return permanent(list + [OSSL_ALGORITHM()])
    }

    /// Function numbers of `core_dispatch.h`, each with what answers it.
    fileprivate nonisolated(unsafe) static let dispatch = permanent([
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_PROVIDER_QUERY_OPERATION,
            // OpenSSL's tables have one type for all functions, and cast by the number beside it.
            function: unsafeBitCast(query, to: (@convention(c) () -> Void).self)),
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_PROVIDER_GET_CAPABILITIES,
            // As above.
            function: unsafeBitCast(capabilities, to: (@convention(c) () -> Void).self)),
        OSSL_DISPATCH(),
    ])

    /// A table that OpenSSL may read as long as the process lives.
    fileprivate static func permanent<Entry>(_ list: [Entry]) -> UnsafePointer<Entry> {
        let table = UnsafeMutablePointer<Entry>.allocate(capacity: list.count)
        table.initialize(from: list, count: list.count)
        return UnsafePointer(table)
    }
}

private let query:
    @convention(c) (
        UnsafeMutableRawPointer?, Int32, UnsafeMutablePointer<Int32>?
    ) -> UnsafePointer<OSSL_ALGORITHM>? = { _, operation, noCache in
        switch operation {
        case OSSL_OP_DECODER: return LeanProvider.keptDecoders
        case OSSL_OP_KEYMGMT: return LeanProvider.keptKeys
        default:
            return OSSL_PROVIDER_query_operation(LeanProvider.original, operation, noCache)
        }
    }

private let capabilities:
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?,
        (@convention(c) (UnsafePointer<OSSL_PARAM>?, UnsafeMutableRawPointer?) -> Int32)?,
        UnsafeMutableRawPointer?
    ) -> Int32 = { _, capability, callback, argument in
        OSSL_PROVIDER_get_capabilities(LeanProvider.original, capability, callback, argument)
    }
