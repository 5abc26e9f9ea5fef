internal import COpenSSL

/// One OpenSSL library context. Each worker has its own, so that OpenSSL 3's shared locks
/// (algorithm stores, property caches) are never contended between workers.
///
/// Safe to share: OpenSSL locks a library context itself. The system's `openssl.cnf` is not read
/// into it: what the server speaks is decided here, not by the machine.
package final class TLSLibrary: @unchecked Sendable {
    /// What it is for.
    package enum Purpose: Sendable, Hashable {
        case everything
        /// A server's worker: its handshakes may take keys made ahead (``EphemeralKeyReserve``).
        case serving
        /// Load tests: reads server certificates and little else (``LeanProvider``), for a fraction
        /// of the work.
        case loadTests
    }

    let handle: OpaquePointer
    /// What the provider of a library for serving is known by; nil: it has OpenSSL's own alone.
    let serving: UnsafeMutableRawPointer?
    private let purpose: Purpose

    /// Creates a library context.
    ///
    /// - Throws: ``OpenSSLError`` when memory is short or the library is broken.
    package init(for purpose: Purpose = .everything) throws(OpenSSLError) {
        TLSLibrary.prepare()
        self.purpose = purpose
        if let used = TLSLibrary.takeUsed(for: purpose), let handle = used.handle {
            self.handle = handle
            serving = used.serving
            return
        }
        var handle = try TLSLibrary.make()
        var serving: UnsafeMutableRawPointer?
        // Where a provider is refused, everything works, and costs what it costs elsewhere.
        switch purpose {
        case .everything: break
        case .serving: serving = ServingProvider.load(into: handle)
        case .loadTests: _ = LeanProvider.load(into: handle)
        }
        if purpose != .everything, !TLSLibrary.drawsRandomBytes(handle) {
            // A later OpenSSL asks more of a provider than ours knows to answer.
            handle = try TLSLibrary.make()
            serving = nil
        }
        self.handle = handle
        self.serving = serving
        ERR_clear_error()
    }

    /// Whether the context is of use: what needs most of a provider is its random generator, which
    /// each TLS context asks.
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

    // Kept for the next one, never freed: each thread that ever drew random numbers through it
    // holds state that OpenSSL 3.0 takes down when the thread ends, through this context. Freed
    // before that, the thread's end is a crash (OPENSSL_thread_stop_ex(3) would have to be called
    // on every such thread, and a pool's threads end when nobody looks).
    deinit {
        if purpose == .loadTests { return }
        let used = Used(purpose: purpose, handle: handle, serving: serving)
        TLSLibrary.used.withLock { $0.append(used) }
    }

    /// A context whose owner is gone. As numbers: a pointer does not cross threads in Swift's eyes.
    private struct Used: Sendable {
        let purpose: Purpose
        private let numbers: (handle: UInt, serving: UInt)

        init(purpose: Purpose, handle: OpaquePointer, serving: UnsafeMutableRawPointer?) {
            self.purpose = purpose
            numbers = (UInt(bitPattern: handle), UInt(bitPattern: serving))
        }

        var handle: OpaquePointer? { OpaquePointer(bitPattern: numbers.handle) }
        var serving: UnsafeMutableRawPointer? {
            UnsafeMutableRawPointer(bitPattern: numbers.serving)
        }
    }

    private static let used = LibraryLock<[Used]>([])

    private static func takeUsed(for purpose: Purpose) -> Used? {
        used.withLock { used in
            used.lastIndex { $0.purpose == purpose }.map { used.remove(at: $0) }
        }
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
