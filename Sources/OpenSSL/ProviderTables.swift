internal import COpenSSL

/// Shared code of our built-in providers (``ServingProvider``, ``MinimalProvider``). They follow
/// OpenSSL's test provider (`test/filterprov.c`): they forward to the default provider, except for
/// a few entries.
enum ProviderTables {
    /// The default provider, in its own library context that is never freed: its users live as long
    /// (see ``TLSLibrary``).
    nonisolated(unsafe) static let original = makeOriginal(alsoNamed: MinimalProvider.name)

    /// Loads the default provider into another library context.
    ///
    /// - Parameter name: the name of our provider that forwards its functions. From OpenSSL 3.4 a
    ///   random generator fetches its cipher from its own provider, which it finds by name in the
    ///   library context of the default provider. So the default provider is registered there under
    ///   this name as well; otherwise OpenSSL 3.5 has no random numbers and no TLS.
    /// - Returns: nil if OpenSSL refuses.
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

    /// Not always: algorithms fetched in such a context would exist twice.
    private static let looksForProvidersByName =
        OPENSSL_version_major() > 3 || OPENSSL_version_minor() >= 4

    /// Registers the default provider of the same library context a second time.
    private static let namesake:
        @convention(c) (
            OpaquePointer?, UnsafePointer<OSSL_DISPATCH>?,
            UnsafeMutablePointer<UnsafePointer<OSSL_DISPATCH>?>?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Int32 = { core, functions, out, context in
            typealias Library = @convention(c) (OpaquePointer?) -> OpaquePointer?
            guard let core,
                let function = ProviderTables.functions(in: functions)
                    .first(where: { $0.function_id == OSSL_FUNC_CORE_GET_LIBCTX })?.function,
                // Inside libcrypto's own process the core handle is the library context
                // (provider-base(7)).
                let library = unsafeBitCast(function, to: Library.self)(core),
                let original = OSSL_PROVIDER_load(library, "default")
            else { return 0 }
            context?.pointee = OSSL_PROVIDER_get0_provider_ctx(original)
            out?.pointee = ProviderTables.unchanged
            return 1
        }

    /// Read-only after initialization.
    private nonisolated(unsafe) static let unchanged = provider { _, operation, noCache in
        OSSL_PROVIDER_query_operation(ProviderTables.unnamed, operation, noCache)
    }

    /// Not ``original``, which is still being initialized at the first call. OpenSSL locks it
    /// itself.
    private nonisolated(unsafe) static let unnamed: OpaquePointer? =
        OSSL_LIB_CTX_new().flatMap { OSSL_PROVIDER_load($0, "default") }

    /// The default provider's algorithms for an operation, in its order.
    static func algorithms(of operation: Int32) -> [OSSL_ALGORITHM]? {
        var noCache: Int32 = 0
        guard let original,
            let table = OSSL_PROVIDER_query_operation(original, operation, &noCache)
        else { return nil }
        return sequence(first: table) { $0 + 1 }.lazy.map(\.pointee)
            .prefix { $0.algorithm_names != nil }
    }

    /// The first name of an algorithm.
    static func name(of algorithm: OSSL_ALGORITHM) -> String {
        guard let names = algorithm.algorithm_names else { return "" }
        return String(cString: names).split(separator: ":").first.map(String.init) ?? ""
    }

    /// The functions of a table, in its order.
    static func functions(in table: UnsafePointer<OSSL_DISPATCH>?) -> [OSSL_DISPATCH] {
        guard let table else { return [] }
        return sequence(first: table) { $0 + 1 }.lazy.map(\.pointee)
            .prefix { $0.function_id != 0 }
    }

    /// The default provider's function of an algorithm; nil if there is none.
    static func function<Function>(
        _ number: Int32, of name: String, for operation: Int32, as type: Function.Type
    ) -> Function? {
        algorithms(of: operation)?.first { self.name(of: $0) == name }
            .flatMap {
                functions(in: $0.implementation).first { $0.function_id == number }?.function
            }
            // The number decides the type (core_dispatch.h).
            .map { unsafeBitCast($0, to: type) }
    }

    /// The default provider's algorithms, one of them with other functions in place of some of its
    /// own; nil if there are none.
    static func algorithms(
        of operation: Int32, replacing name: String, by others: [Int32: @convention(c) () -> Void]
    ) -> UnsafePointer<OSSL_ALGORITHM>? {
        guard var list = algorithms(of: operation) else { return nil }
        for index in list.indices where self.name(of: list[index]) == name {
            let functions = functions(in: list[index].implementation).map { entry in
                OSSL_DISPATCH(
                    function_id: entry.function_id,
                    function: others[entry.function_id] ?? entry.function)
            }
            list[index].implementation = permanent(functions + [OSSL_DISPATCH()])
        }
        return permanent(list + [OSSL_ALGORITHM()])
    }

    /// A table that lives as long as the process. Its last entry must be empty.
    static func permanent<Entry>(_ list: [Entry]) -> UnsafePointer<Entry> {
        let table = UnsafeMutablePointer<Entry>.allocate(capacity: list.count)
        table.initialize(from: list, count: list.count)
        return UnsafePointer(table)
    }

    typealias Query =
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafeMutablePointer<Int32>?
        ) -> UnsafePointer<OSSL_ALGORITHM>?

    /// The functions of a provider with this `query` function and the default one's capabilities.
    static func provider(_ query: Query) -> UnsafePointer<OSSL_DISPATCH> {
        permanent([
            OSSL_DISPATCH(
                function_id: OSSL_FUNC_PROVIDER_QUERY_OPERATION, function: untyped(query)),
            OSSL_DISPATCH(
                function_id: OSSL_FUNC_PROVIDER_GET_CAPABILITIES, function: untyped(capabilities)),
            OSSL_DISPATCH(),
        ])
    }

    /// OpenSSL's tables have one type for all functions and cast by the function number.
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
