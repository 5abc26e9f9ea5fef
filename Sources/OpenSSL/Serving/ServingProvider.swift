internal import COpenSSL

/// OpenSSL's default provider for the workers of a server. It differs in two points: new X25519
/// keys come from the thread's ``EphemeralKeyPool`` while that has any, and the TLS 1.3 key
/// schedule is ``TLS13KeyDerivation``.
///
/// The keys themselves belong to the default provider, so fetching, export and key agreement are
/// unchanged, and a thread without a pool pays two comparisons.
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
            guard ServingProvider.keys != nil,
                let original = ProviderTables.makeOriginal(alsoNamed: ServingProvider.name)
            else { return 0 }
            context?.pointee = OSSL_PROVIDER_get0_provider_ctx(original)
            out?.pointee = ServingProvider.dispatch
            return 1
        }
        guard isKnown == 1, let provider = OSSL_PROVIDER_load(library, name) else { return nil }
        return OSSL_PROVIDER_get0_provider_ctx(provider)
    }

    /// The default provider's functions for X25519 keys.
    static let x25519: X25519Functions? = {
        ProviderTables.algorithms(of: OSSL_OP_KEYMGMT)?
            .first { ProviderTables.name(of: $0) == "X25519" }
            .flatMap { X25519Functions(ProviderTables.functions(of: $0)) }
    }()

    /// All key types, with our generation of X25519 keys. Read-only after initialization.
    fileprivate nonisolated(unsafe) static let keys: UnsafePointer<OSSL_ALGORITHM>? = {
        guard x25519 != nil, let all = ProviderTables.algorithms(of: OSSL_OP_KEYMGMT) else {
            return nil
        }
        let changed = all.map { algorithm in
            if ProviderTables.name(of: algorithm) != "X25519" { return algorithm }
            let functions = ProviderTables.functions(of: algorithm).map { entry in
                switch entry.function_id {
                case OSSL_FUNC_KEYMGMT_GEN_INIT:
                    OSSL_DISPATCH(
                        function_id: entry.function_id,
                        function: ProviderTables.untyped(beginGeneration))
                case OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS:
                    OSSL_DISPATCH(
                        function_id: entry.function_id,
                        function: ProviderTables.untyped(setGeneration))
                case OSSL_FUNC_KEYMGMT_GEN:
                    OSSL_DISPATCH(
                        function_id: entry.function_id, function: ProviderTables.untyped(generate))
                default: entry
                }
            }
            var algorithm = algorithm
            algorithm.implementation = ProviderTables.permanent(functions + [OSSL_DISPATCH()])
            return algorithm
        }
        return ProviderTables.permanent(changed + [OSSL_ALGORITHM()])
    }()

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
    typealias BeginGeneration =
        @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<OSSL_PARAM>?)
        -> UnsafeMutableRawPointer?
    typealias SetGeneration =
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<OSSL_PARAM>?) -> Int32
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
    let setGeneration: SetGeneration
    let generate: Generate
    let make: Make
    let importKey: Import
    let free: Free

    /// - Returns: nil if one is missing.
    init?(_ functions: [OSSL_DISPATCH]) {
        /// The numbers are from `core_dispatch.h`, which gives the type of each.
        func find<Function>(_ number: Int32, _ type: Function.Type) -> Function? {
            functions.first { $0.function_id == number }?.function
                .map { unsafeBitCast($0, to: type) }
        }
        guard let begin = find(OSSL_FUNC_KEYMGMT_GEN_INIT, BeginGeneration.self),
            let set = find(OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, SetGeneration.self),
            let generate = find(OSSL_FUNC_KEYMGMT_GEN, Generate.self),
            let make = find(OSSL_FUNC_KEYMGMT_NEW, Make.self),
            let importKey = find(OSSL_FUNC_KEYMGMT_IMPORT, Import.self),
            let free = find(OSSL_FUNC_KEYMGMT_FREE, Free.self)
        else { return nil }
        beginGeneration = begin
        setGeneration = set
        self.generate = generate
        self.make = make
        self.importKey = importKey
        self.free = free
    }
}

private let beginGeneration: X25519Functions.BeginGeneration = {
    context, selection, parameters in
    guard let functions = ServingProvider.x25519 else { return nil }
    let generation = functions.beginGeneration(context, selection, parameters)
    let wantsPair = selection & pairSelection == pairSelection && namesGroupAlone(parameters)
    ThreadKeyPool.current?.pointee.generationBegan(generation, context, wantsPair: wantsPair)
    return generation
}

private let setGeneration: X25519Functions.SetGeneration = { generation, parameters in
    guard let functions = ServingProvider.x25519 else { return 0 }
    // A request for a particular key (DHKEM, RFC 9180, from OpenSSL 3.2) goes to OpenSSL.
    if !namesGroupAlone(parameters) { ThreadKeyPool.current?.pointee.generationIsSpecial() }
    return functions.setGeneration(generation, parameters)
}

private let generate: X25519Functions.Generate = { generation, progress, argument in
    guard let functions = ServingProvider.x25519 else { return nil }
    return ThreadKeyPool.current?.pointee.take(for: generation, functions)
        ?? functions.generate(generation, progress, argument)
}

/// Whether the parameters are empty or, as for TLS 1.2, only repeat the group.
private func namesGroupAlone(_ parameters: UnsafePointer<OSSL_PARAM>?) -> Bool {
    guard var next = parameters else { return true }
    while let key = next.pointee.key {
        if String(cString: key) != OSSL_PKEY_PARAM_GROUP_NAME { return false }
        next += 1
    }
    return true
}

/// `OSSL_KEYMGMT_SELECT_KEYPAIR`.
let pairSelection = COpenSSL_OSSL_KEYMGMT_SELECT_KEYPAIR()
