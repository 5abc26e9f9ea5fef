internal import COpenSSL

/// One OpenSSL library context. Each worker has its own, so that OpenSSL 3's shared locks
/// (algorithm stores, property caches) are never contended between workers.
///
/// Safe to share: OpenSSL locks a library context itself. The system's `openssl.cnf` is not read
/// into it: what the server speaks is decided here, not by the machine.
package final class TLSLibrary: @unchecked Sendable {
    let handle: OpaquePointer

    /// Creates a library context.
    ///
    /// - Throws: ``OpenSSLError`` when memory is short or the library is broken.
    package init() throws(OpenSSLError) {
        TLSLibrary.prepare()
        guard let handle = OSSL_LIB_CTX_new() else {
            throw OpenSSLError(doing: "creating an OpenSSL library context")
        }
        self.handle = handle
    }

    deinit { OSSL_LIB_CTX_free(handle) }

    /// The version of the library that is loaded, as it names itself.
    package static var version: String {
        String(cString: OpenSSL_version(OPENSSL_VERSION))
    }

    /// Without OpenSSL's exit handler: it would free the library under worker threads that still
    /// run while the process ends.
    static func prepare() { _ = prepared }

    private static let prepared: Bool =
        OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
}
