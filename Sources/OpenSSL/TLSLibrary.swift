internal import COpenSSL

/// One OpenSSL library context. Each worker has its own, so that OpenSSL 3's shared locks
/// (algorithm stores, property caches) are never contended between workers.
///
/// Safe to share: OpenSSL locks a library context itself. The system's `openssl.cnf` is not read
/// into it: what the server speaks is decided here, not by the machine.
package final class TLSLibrary: @unchecked Sendable {
    let handle: OpaquePointer
    private let isLean: Bool

    /// Creates a library context.
    ///
    /// - Parameter isLean: for load tests: reads server certificates and little else
    ///   (``LeanProvider``), for a fraction of the work.
    /// - Throws: ``OpenSSLError`` when memory is short or the library is broken.
    package init(isLean: Bool = false) throws(OpenSSLError) {
        TLSLibrary.prepare()
        self.isLean = isLean
        if !isLean, let used = TLSLibrary.takeUsed() {
            handle = used
            return
        }
        guard let handle = OSSL_LIB_CTX_new() else {
            throw OpenSSLError(doing: "creating an OpenSSL library context")
        }
        self.handle = handle
        // Where it is refused, everything works, and costs what it costs elsewhere.
        if isLean { _ = LeanProvider.load(into: handle) }
    }

    // Kept for the next one, never freed: each thread that ever drew random numbers through it
    // holds state that OpenSSL 3.0 takes down when the thread ends, through this context. Freed
    // before that, the thread's end is a crash (OPENSSL_thread_stop_ex(3) would have to be called
    // on every such thread, and a pool's threads end when nobody looks).
    deinit {
        if isLean { return }
        TLSLibrary.used.withLock { $0.append(UInt(bitPattern: handle)) }
    }

    /// Contexts whose owner is gone, as numbers: a pointer does not cross threads in Swift's eyes.
    private static let used = LibraryLock<[UInt]>([])

    private static func takeUsed() -> OpaquePointer? {
        used.withLock { $0.popLast() }.flatMap { OpaquePointer(bitPattern: $0) }
    }

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
