internal import COpenSSL

/// What the providers within this program (``ServingProvider``, ``LeanProvider``) have in common.
/// The way is that of OpenSSL's tests (`test/filterprov.c`): they pass on what OpenSSL's default
/// provider says, but for a few entries.
enum ProviderTables {
    /// The default provider, in a library context of its own that is never freed: those who use it
    /// live as long (see ``TLSLibrary``).
    nonisolated(unsafe) static let original = makeOriginal(alsoNamed: LeanProvider.name)

    /// The default provider in one more library context.
    ///
    /// - Parameter name: of the provider within this program that passes its functions on. From
    ///   OpenSSL 3.4 a random generator takes its cipher from the provider that it came from
    ///   itself, which it looks for by name, and in the library context of the default provider.
    ///   So the default provider has that name there as well; without it nothing random comes of
    ///   3.5, and no TLS.
    /// - Returns: nil where OpenSSL refuses.
    static func makeOriginal(alsoNamed name: String) -> OpaquePointer? {
        guard let library = OSSL_LIB_CTX_new() else { return nil }
        guard let original = OSSL_PROVIDER_load(library, "default"),
            !looksForProvidersByName
                || OSSL_PROVIDER_add_builtin(library, name, namesake) == 1
                    && OSSL_PROVIDER_load(library, name) != nil
        else {
            OSSL_LIB_CTX_free(library)
            return nil
        }
        return original
    }

    /// Not always: what is fetched in such a context would be there twice.
    private static let looksForProvidersByName =
        OPENSSL_version_major() > 3 || OPENSSL_version_minor() >= 4

    /// The default provider of the library context that it is loaded into, once more.
    private static let namesake:
        @convention(c) (
            OpaquePointer?, UnsafePointer<OSSL_DISPATCH>?,
            UnsafeMutablePointer<UnsafePointer<OSSL_DISPATCH>?>?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Int32 = { core, functions, out, context in
            typealias Library = @convention(c) (OpaquePointer?) -> OpaquePointer?
            guard var next = functions, let core else { return 0 }
            while next.pointee.function_id != 0 {
                if next.pointee.function_id == OSSL_FUNC_CORE_GET_LIBCTX,
                    let function = next.pointee.function,
                    // Within libcrypto's own process it is one (provider-base(7)).
                    let library = unsafeBitCast(function, to: Library.self)(core),
                    let original = OSSL_PROVIDER_load(library, "default")
                {
                    context?.pointee = OSSL_PROVIDER_get0_provider_ctx(original)
                    out?.pointee = ProviderTables.unchanged
                    return 1
                }
                next += 1
            }
            return 0
        }

    /// Only read once made.
    private nonisolated(unsafe) static let unchanged = provider { _, operation, noCache in
        OSSL_PROVIDER_query_operation(ProviderTables.unnamed, operation, noCache)
    }

    /// Not ``original``, which is being made when this is asked first. OpenSSL locks it itself.
    private nonisolated(unsafe) static let unnamed: OpaquePointer? =
        OSSL_LIB_CTX_new().flatMap { OSSL_PROVIDER_load($0, "default") }

    /// What the default provider offers for an operation, in its order.
    static func algorithms(of operation: Int32) -> [OSSL_ALGORITHM]? {
        var noCache: Int32 = 0
        guard let original,
            var next = OSSL_PROVIDER_query_operation(original, operation, &noCache)
        else { return nil }
        var list: [OSSL_ALGORITHM] = []
        while next.pointee.algorithm_names != nil {
            list.append(next.pointee)
            next += 1
        }
        return list
    }

    /// The first of an algorithm's names.
    static func name(of algorithm: OSSL_ALGORITHM) -> String {
        guard let names = algorithm.algorithm_names else { return "" }
        return String(cString: names).split(separator: ":").first.map(String.init) ?? ""
    }

    /// The functions of an algorithm, in its order.
    static func functions(of algorithm: OSSL_ALGORITHM) -> [OSSL_DISPATCH] {
        guard var next = algorithm.implementation else { return [] }
        var list: [OSSL_DISPATCH] = []
        while next.pointee.function_id != 0 {
            list.append(next.pointee)
            next += 1
        }
        return list
    }

    /// A table that OpenSSL may read as long as the process lives. It has to end with an empty
    /// entry.
    static func permanent<Entry>(_ list: [Entry]) -> UnsafePointer<Entry> {
        let table = UnsafeMutablePointer<Entry>.allocate(capacity: list.count)
        table.initialize(from: list, count: list.count)
        return UnsafePointer(table)
    }

    typealias Query =
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafeMutablePointer<Int32>?
        ) -> UnsafePointer<OSSL_ALGORITHM>?

    /// The functions of a provider that answers `query`, and has the default one's capabilities.
    static func provider(_ query: Query) -> UnsafePointer<OSSL_DISPATCH> {
        permanent([
            OSSL_DISPATCH(
                function_id: OSSL_FUNC_PROVIDER_QUERY_OPERATION, function: untyped(query)),
            OSSL_DISPATCH(
                function_id: OSSL_FUNC_PROVIDER_GET_CAPABILITIES, function: untyped(capabilities)),
            OSSL_DISPATCH(),
        ])
    }

    /// OpenSSL's tables have one type for all functions, and cast by the number beside it.
    static func untyped<Function>(_ function: Function) -> (@convention(c) () -> Void) {
        unsafeBitCast(function, to: (@convention(c) () -> Void).self)
    }

    private static let capabilities:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?,
            (@convention(c) (UnsafePointer<OSSL_PARAM>?, UnsafeMutableRawPointer?) -> Int32)?,
            UnsafeMutableRawPointer?
        ) -> Int32 = { _, capability, callback, argument in
            OSSL_PROVIDER_get_capabilities(
                ProviderTables.original, capability, callback, argument)
        }
}
