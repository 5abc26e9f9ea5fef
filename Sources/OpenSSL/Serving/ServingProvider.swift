internal import COpenSSL

/// OpenSSL's default provider for the workers of a server. It differs in two points: new X25519
/// keys come from the thread's ``EphemeralKeyPool`` while that has any, and the TLS 1.3 key
/// schedule is ``TLS13KeyDerivation``.
///
/// The keys themselves belong to the default provider, so fetching, export and key agreement are
/// unchanged, and a thread without a pool pays one comparison.
enum ServingProvider {
    fileprivate static let name = "serving"

    /// Makes `library` use it instead of the default provider.
    ///
    /// - Returns: the default provider's context there; nil if OpenSSL refuses: then the library is
    ///   unchanged.
    static func load(into library: OpaquePointer) -> UnsafeMutableRawPointer? {
        let isKnown = OSSL_PROVIDER_add_builtin(library, name) { _, _, out, context in
            // One library context per library, as workers share no lock. Never freed, like the
            // library it serves (see TLSLibrary).
            guard X25519Functions.original != nil,
                let original = ProviderTables.makeOriginal(alsoNamed: ServingProvider.name)
            else { return 0 }
            context?.pointee = OSSL_PROVIDER_get0_provider_ctx(original)
            out?.pointee = ServingProvider.dispatch
            return 1
        }
        guard isKnown == 1, let provider = OSSL_PROVIDER_load(library, name) else { return nil }
        return OSSL_PROVIDER_get0_provider_ctx(provider)
    }

    /// All key types, with our generation of X25519 keys. Read-only after initialization.
    private nonisolated(unsafe) static let keys = ProviderTables.algorithms(
        of: OSSL_OP_KEYMGMT, replacing: X25519Functions.name,
        by: [
            OSSL_FUNC_KEYMGMT_GEN_INIT: ProviderTables.untyped(beginGeneration),
            OSSL_FUNC_KEYMGMT_GEN: ProviderTables.untyped(generate),
        ])

    /// Function numbers of `core_dispatch.h` with their implementations. Read-only after
    /// initialization.
    fileprivate nonisolated(unsafe) static let dispatch = ProviderTables.provider {
        _, operation, noCache in
        switch operation {
        case OSSL_OP_KEYMGMT: ServingProvider.keys
        case OSSL_OP_KDF: TLS13KeyDerivation.algorithms
        default: OSSL_PROVIDER_query_operation(ProviderTables.original, operation, noCache)
        }
    }
}

/// The default provider's functions for X25519 keys that are called here.
struct X25519Functions {
    static let name = "X25519"

    typealias BeginGeneration =
        @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<OSSL_PARAM>?)
        -> UnsafeMutableRawPointer?
    typealias Progress =
        @convention(c) (UnsafePointer<OSSL_PARAM>?, UnsafeMutableRawPointer?) -> Int32
    typealias Generate =
        @convention(c) (UnsafeMutableRawPointer?, Progress?, UnsafeMutableRawPointer?)
        -> UnsafeMutableRawPointer?
    typealias Make = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    typealias Import =
        @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<OSSL_PARAM>?) -> Int32
    typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void

    let beginGeneration: BeginGeneration
    let generate: Generate
    let make: Make
    let importKey: Import
    let free: Free

    /// Nil if one is missing.
    static let original: X25519Functions? = {
        func find<Function>(_ number: Int32, _ type: Function.Type) -> Function? {
            ProviderTables.function(number, of: name, for: OSSL_OP_KEYMGMT, as: type)
        }
        guard let begin = find(OSSL_FUNC_KEYMGMT_GEN_INIT, BeginGeneration.self),
            let generate = find(OSSL_FUNC_KEYMGMT_GEN, Generate.self),
            let make = find(OSSL_FUNC_KEYMGMT_NEW, Make.self),
            let importKey = find(OSSL_FUNC_KEYMGMT_IMPORT, Import.self),
            let free = find(OSSL_FUNC_KEYMGMT_FREE, Free.self)
        else { return nil }
        return X25519Functions(
            beginGeneration: begin, generate: generate, make: make, importKey: importKey,
            free: free)
    }()
}

private let beginGeneration: X25519Functions.BeginGeneration = { provider, selection, parameters in
    guard let functions = X25519Functions.original else { return nil }
    let generation = functions.beginGeneration(provider, selection, parameters)
    let pair = COpenSSL_OSSL_KEYMGMT_SELECT_KEYPAIR()
    EphemeralKeyPool.ofThread?.generationBegan(
        generation, in: provider, wantsPair: selection & pair == pair)
    return generation
}

private let generate: X25519Functions.Generate = { generation, progress, argument in
    guard let functions = X25519Functions.original else { return nil }
    return EphemeralKeyPool.ofThread?.take(for: generation, functions)
        ?? functions.generate(generation, progress, argument)
}
