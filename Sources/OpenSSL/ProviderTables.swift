internal import COpenSSL

/// What the providers within this program (``ServingProvider``, ``LeanProvider``) have in common.
/// The way is that of OpenSSL's tests (`test/filterprov.c`): they pass on what OpenSSL's default
/// provider says, but for a few entries.
enum ProviderTables {
    /// The default provider, in a library context of its own that is never freed: those who use it
    /// live as long (see ``TLSLibrary``).
    nonisolated(unsafe) static let original: OpaquePointer? =
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
