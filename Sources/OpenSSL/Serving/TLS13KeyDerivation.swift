internal import COpenSSL

/// The TLS 1.3 key schedule with SHA-256 (RFC 8446 section 7.1) without OpenSSL's overhead.
///
/// A handshake derives 13 secrets and keys. For each of them OpenSSL 3.0 looks up a digest and a
/// MAC, creates contexts and copies parameters: two thirds of their cost, a tenth of the handshake.
/// Here each takes two or three HMACs (RFC 5869) with OpenSSL's SHA-256. Everything else that the
/// algorithm can do is forwarded to OpenSSL, in its own context.
enum TLS13KeyDerivation {
    static let name = "TLS13-KDF"

    fileprivate static let original: DerivationFunctions? =
        ProviderTables.algorithms(of: OSSL_OP_KDF)?
        .first { ProviderTables.name(of: $0) == name }
        .flatMap { DerivationFunctions(ProviderTables.functions(of: $0)) }

    /// The default provider's algorithms with this one in place of its own; unchanged if that does
    /// not fit, and nil if there are none. Read-only after initialization.
    nonisolated(unsafe) static let algorithms: UnsafePointer<OSSL_ALGORITHM>? = {
        guard let all = ProviderTables.algorithms(of: OSSL_OP_KDF) else { return nil }
        guard original != nil else { return ProviderTables.permanent(all + [OSSL_ALGORITHM()]) }
        let changed = all.map { algorithm in
            if ProviderTables.name(of: algorithm) != name { return algorithm }
            var algorithm = algorithm
            algorithm.implementation = ProviderTables.permanent(functions + [OSSL_DISPATCH()])
            return algorithm
        }
        return ProviderTables.permanent(changed + [OSSL_ALGORITHM()])
    }()

    private static let functions = [
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_KDF_NEWCTX, function: ProviderTables.untyped(make)),
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_KDF_FREECTX, function: ProviderTables.untyped(free)),
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_KDF_RESET, function: ProviderTables.untyped(reset)),
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_KDF_DERIVE, function: ProviderTables.untyped(derive)),
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_KDF_SETTABLE_CTX_PARAMS,
            function: ProviderTables.untyped(settable)),
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_KDF_SET_CTX_PARAMS, function: ProviderTables.untyped(set)),
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_KDF_GETTABLE_CTX_PARAMS,
            function: ProviderTables.untyped(gettable)),
        OSSL_DISPATCH(
            function_id: OSSL_FUNC_KDF_GET_CTX_PARAMS, function: ProviderTables.untyped(get)),
    ]
}

/// OpenSSL's own functions of the algorithm. `OSSL_FUNC_KDF_DUPCTX` of newer libraries is not
/// offered: TLS never copies a derivation.
private struct DerivationFunctions: Sendable {
    typealias Make = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void
    typealias Derive =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int,
            UnsafePointer<OSSL_PARAM>?
        ) -> Int32
    typealias List =
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?)
        -> UnsafePointer<OSSL_PARAM>?
    typealias Set =
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<OSSL_PARAM>?) -> Int32
    typealias Get =
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<OSSL_PARAM>?) -> Int32

    let make: Make
    let free: Free
    let derive: Derive
    let settable: List
    let set: Set
    let gettable: List
    let get: Get

    /// - Returns: nil if one is missing.
    init?(_ functions: [OSSL_DISPATCH]) {
        /// The numbers are from `core_dispatch.h`, which gives the type of each.
        func find<Function>(_ number: Int32, _ type: Function.Type) -> Function? {
            functions.first { $0.function_id == number }?.function
                .map { unsafeBitCast($0, to: type) }
        }
        guard let make = find(OSSL_FUNC_KDF_NEWCTX, Make.self),
            let free = find(OSSL_FUNC_KDF_FREECTX, Free.self),
            let derive = find(OSSL_FUNC_KDF_DERIVE, Derive.self),
            let settable = find(OSSL_FUNC_KDF_SETTABLE_CTX_PARAMS, List.self),
            let set = find(OSSL_FUNC_KDF_SET_CTX_PARAMS, Set.self),
            let gettable = find(OSSL_FUNC_KDF_GETTABLE_CTX_PARAMS, List.self),
            let get = find(OSSL_FUNC_KDF_GET_CTX_PARAMS, Get.self)
        else { return nil }
        self.make = make
        self.free = free
        self.derive = derive
        self.settable = settable
        self.set = set
        self.gettable = gettable
        self.get = get
    }
}

/// A derivation; OpenSSL's own context is created on demand.
private struct Derivation {
    let provider: UnsafeMutableRawPointer?
    var original: UnsafeMutableRawPointer?

    mutating func delegate() -> UnsafeMutableRawPointer? {
        if original == nil { original = TLS13KeyDerivation.original?.make(provider) }
        return original
    }

    mutating func end() {
        if let original { TLS13KeyDerivation.original?.free(original) }
        original = nil
    }
}

private func derivation(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Derivation>? {
    context?.assumingMemoryBound(to: Derivation.self)
}

private let make: DerivationFunctions.Make = { provider in
    let derivation = UnsafeMutablePointer<Derivation>.allocate(capacity: 1)
    derivation.initialize(to: Derivation(provider: provider))
    return UnsafeMutableRawPointer(derivation)
}

private let free: DerivationFunctions.Free = { context in
    guard let derivation = derivation(context) else { return }
    derivation.pointee.end()
    derivation.deallocate()
}

private let reset: DerivationFunctions.Free = { derivation($0)?.pointee.end() }

private let derive: DerivationFunctions.Derive = { context, output, count, parameters in
    guard let derivation = derivation(context) else { return 0 }
    if derivation.pointee.original == nil, let output, let parameters,
        let request = DerivationRequest(parameters), request.answer(output, count)
    {
        return 1
    }
    guard let original = derivation.pointee.delegate() else { return 0 }
    return TLS13KeyDerivation.original?.derive(original, output, count, parameters) ?? 0
}

private let settable: DerivationFunctions.List = { _, provider in
    TLS13KeyDerivation.original?.settable(nil, provider)
}

private let gettable: DerivationFunctions.List = { _, provider in
    TLS13KeyDerivation.original?.gettable(nil, provider)
}

private let set: DerivationFunctions.Set = { context, parameters in
    guard parameters != nil else { return 1 }
    guard let original = derivation(context)?.pointee.delegate() else { return 0 }
    return TLS13KeyDerivation.original?.set(original, parameters) ?? 0
}

private let get: DerivationFunctions.Get = { context, parameters in
    guard let original = derivation(context)?.pointee.delegate() else { return 0 }
    return TLS13KeyDerivation.original?.get(original, parameters) ?? 0
}
