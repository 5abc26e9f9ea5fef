internal import COpenSSL

/// OpenSSL's default provider with less to look through, for load tests.
///
/// OpenSSL 3.0 asks every decoder and every kind of key of every provider whenever it reads a
/// certificate's key: 1.5 million instructions for each handshake of a client, a third of it. What
/// a server's certificate can hold is read by the few that are left here. And it makes one key of
/// X25519, which all key shares are copies of. Everything else is the default provider's own. The
/// way is that of OpenSSL's tests (`test/filterprov.c`): a provider within the program that passes
/// on what another one says.
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
    fileprivate nonisolated(unsafe) static let keptDecoders =
        keep(decoders, of: OSSL_OP_DECODER) { _, _ in }
    fileprivate nonisolated(unsafe) static let keptKeys = keep(keys, of: OSSL_OP_KEYMGMT) {
        name, algorithm in
        if name == "X25519", let dispatch = OneKey.dispatch(instead: algorithm.implementation) {
            algorithm.implementation = dispatch
        }
    }

    private static func keep(
        _ names: Set<String>, of operation: Int32,
        _ change: (String, inout OSSL_ALGORITHM) -> Void
    ) -> UnsafePointer<OSSL_ALGORITHM>? {
        var noCache: Int32 = 0
        guard let original,
            var next = OSSL_PROVIDER_query_operation(original, operation, &noCache)
        else { return nil }
        var list: [OSSL_ALGORITHM] = []
        while let all = next.pointee.algorithm_names {
            let first = String(cString: all).split(separator: ":").first.map(String.init) ?? ""
            if names.contains(first) {
                var algorithm = next.pointee
                change(first, &algorithm)
                list.append(algorithm)
            }
            next += 1
        }
        return permanent(list + [OSSL_ALGORITHM()])
    }

    /// Function numbers of `core_dispatch.h`, each with what answers it.
    fileprivate nonisolated(unsafe) static let dispatch = permanent([
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_PROVIDER_QUERY_OPERATION,
            function: unsafeBitCast(query, to: (@convention(c) () -> Void).self)),
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_PROVIDER_GET_CAPABILITIES,
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

/// Makes one key, and copies of it for whoever wants a new one.
private enum OneKey {
    typealias Generate =
        @convention(c) (
            UnsafeMutableRawPointer?,
            (@convention(c) (UnsafePointer<OSSL_PARAM>?, UnsafeMutableRawPointer?) -> Int32)?,
            UnsafeMutableRawPointer?
        ) -> UnsafeMutableRawPointer?
    typealias Duplicate =
        @convention(c) (UnsafeMutableRawPointer?, Int32) -> UnsafeMutableRawPointer?

    nonisolated(unsafe) static var generate: Generate?
    nonisolated(unsafe) static var duplicate: Duplicate?
    /// As a number: a pointer does not cross threads in Swift's eyes. The key is only read.
    static let key = LibraryLock<UInt>(0)

    /// The table of a kind of key with another way to make one; nil where it lacks what that needs.
    static func dispatch(
        instead table: UnsafePointer<OSSL_DISPATCH>?
    ) -> UnsafePointer<OSSL_DISPATCH>? {
        guard var next = table else { return nil }
        var list: [OSSL_DISPATCH] = []
        while next.pointee.function_id != 0 {
            var entry = next.pointee
            if entry.function_id == OSSL_FUNC_KEYMGMT_GEN {
                generate = unsafeBitCast(entry.function, to: Generate.self)
                entry.function = unsafeBitCast(copy, to: (@convention(c) () -> Void).self)
            } else if entry.function_id == OSSL_FUNC_KEYMGMT_DUP {
                duplicate = unsafeBitCast(entry.function, to: Duplicate.self)
            }
            list.append(entry)
            next += 1
        }
        guard generate != nil, duplicate != nil else { return nil }
        return LeanProvider.permanent(list + [OSSL_DISPATCH()])
    }

    private static let copy: Generate = { context, callback, argument in
        guard let generate = OneKey.generate, let duplicate = OneKey.duplicate else { return nil }
        let known = OneKey.key.withLock { key -> UInt in
            if key == 0 { key = UInt(bitPattern: generate(context, callback, argument)) }
            return key
        }
        guard let key = UnsafeMutableRawPointer(bitPattern: known) else { return nil }
        return duplicate(key, COpenSSL_EVP_PKEY_KEYPAIR())
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
