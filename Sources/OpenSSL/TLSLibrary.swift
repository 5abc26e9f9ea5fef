internal import COpenSSL

/// One OpenSSL library context. Each worker has its own, so that workers never contend for OpenSSL
/// 3's shared locks (algorithm stores, property caches).
///
/// Safe to share: OpenSSL locks a library context itself. It does not read the system's
/// `openssl.cnf`: the TLS settings are decided here, not by the machine.
package final class TLSLibrary: @unchecked Sendable {
    /// The use of a library context.
    package enum Purpose: Sendable, Hashable {
        case everything
        /// A server's worker: handshakes may use keys generated in advance
        /// (``EphemeralKeyPool``).
        case serving
        /// Load tests: reads server certificates and little else (``MinimalProvider``), at a
        /// fraction of the cost.
        case loadTests
    }

    private let core: Core

    var handle: OpaquePointer { core.handle }
    /// The default provider's context in a library for serving; nil if it has only OpenSSL's
    /// provider.
    var serving: UnsafeMutableRawPointer? { core.serving }

    /// Creates a library context.
    ///
    /// - Throws: ``OpenSSLError`` if memory is short or the library is broken.
    package init(for purpose: Purpose = .everything) throws(OpenSSLError) {
        TLSLibrary.prepare()
        if let used = TLSLibrary.takeUsed(for: purpose) {
            core = used
            return
        }
        var handle = try TLSLibrary.make()
        var serving: UnsafeMutableRawPointer?
        // If OpenSSL rejects the provider, everything works at the usual cost.
        switch purpose {
        case .everything: break
        case .serving: serving = ServingProvider.load(into: handle)
        case .loadTests: _ = MinimalProvider.load(into: handle)
        }
        if purpose != .everything, !TLSLibrary.drawsRandomBytes(handle) {
            // A later OpenSSL requires more of a provider than ours implements.
            handle = try TLSLibrary.make()
            serving = nil
        }
        core = Core(purpose: purpose, handle: handle, serving: serving)
        ERR_clear_error()
    }

    /// Whether the context works: the random generator, which every TLS context uses, has the most
    /// requirements on a provider.
    private static func drawsRandomBytes(_ handle: OpaquePointer) -> Bool {
        var byte: UInt8 = 0
        return RAND_bytes_ex(handle, &byte, 1, 0) == 1
    }

    private static func make() throws(OpenSSLError) -> OpaquePointer {
        guard let handle = OSSL_LIB_CTX_new() else {
            throw OpenSSLError(doing: "creating an OpenSSL library context")
        }
        return handle
    }

    // Kept for reuse, never freed: each thread that drew random numbers from it has state that
    // OpenSSL 3.0 frees at the end of the thread, through this context. If the context were freed
    // before, the end of the thread would crash (OPENSSL_thread_stop_ex(3) would have to be called
    // on every such thread, and threads of a pool end at unknown times).
    deinit {
        let core = core
        TLSLibrary.used.withLock { $0.append(core) }
    }

    /// What is used again. Safe to share, as its library is.
    private struct Core: @unchecked Sendable {
        let purpose: Purpose
        let handle: OpaquePointer
        let serving: UnsafeMutableRawPointer?
    }

    private static let used = LibraryLock<[Core]>([])

    private static func takeUsed(for purpose: Purpose) -> Core? {
        used.withLock { used in
            used.lastIndex { $0.purpose == purpose }.map { used.remove(at: $0) }
        }
    }

    /// The version string of the loaded library.
    package static var version: String {
        String(cString: OpenSSL_version(OPENSSL_VERSION))
    }

    /// Whether the loaded library has the group X25519MLKEM768.
    package static var hasHybridGroup: Bool {
        OPENSSL_version_major() > 3 || OPENSSL_version_minor() >= 5
    }

    /// Disables OpenSSL's exit handler: it would free the library under worker threads that still
    /// run while the process ends.
    static func prepare() { _ = prepared }

    private static let prepared: Bool =
        OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}
