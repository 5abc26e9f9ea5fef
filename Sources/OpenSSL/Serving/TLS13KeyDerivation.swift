internal import COpenSSL

/// The TLS 1.3 key schedule with SHA-256 (RFC 8446 section 7.1) without OpenSSL's overhead.
///
/// A handshake derives 13 secrets and keys. For each of them OpenSSL 3.0 looks up a digest and a
/// MAC, creates contexts and copies parameters: two thirds of their cost, a tenth of the handshake.
/// Here each takes two or three HMACs (RFC 5869) with OpenSSL's SHA-256.
///
/// Only the derivation itself is replaced, if all that it needs is among its parameters, as TLS
/// passes them. Everything else is OpenSSL's own, in its own context.
enum TLS13KeyDerivation {
    static let name = "TLS13-KDF"

    typealias Derive =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int,
            UnsafePointer<OSSL_PARAM>?
        ) -> Int32

    fileprivate static let original = ProviderTables.function(
        OSSL_FUNC_KDF_DERIVE, of: name, for: OSSL_OP_KDF, as: Derive.self)

    /// The default provider's algorithms with this one in place of its own; nil if there are none.
    /// Read-only after initialization.
    nonisolated(unsafe) static let algorithms = ProviderTables.algorithms(
        of: OSSL_OP_KDF, replacing: name,
        by: [OSSL_FUNC_KDF_DERIVE: ProviderTables.untyped(derive)])
}

private let derive: TLS13KeyDerivation.Derive = { context, output, count, parameters in
    if let output, let parameters, let request = DerivationRequest(parameters),
        request.answer(output, count)
    {
        return 1
    }
    return TLS13KeyDerivation.original?(context, output, count, parameters) ?? 0
}
