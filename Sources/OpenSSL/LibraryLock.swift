internal import COpenSSL

/// A value protected by OpenSSL's own lock: a pthread_rwlock_t, which the thread sanitizer
/// understands (unlike `Synchronization.Mutex`).
///
/// `@unchecked Sendable`: the lock serializes all access.
final class LibraryLock<Value>: @unchecked Sendable {
    private let lock: UnsafeMutableRawPointer?
    private var value: Value

    init(_ value: sending Value) {
        guard let lock = CRYPTO_THREAD_lock_new() else {
            preconditionFailure("no memory for a lock of 56 bytes")
        }
        self.lock = lock
        self.value = value
    }

    deinit { CRYPTO_THREAD_lock_free(lock) }

    /// Runs `body` with exclusive access. Not reentrant.
    func withLock<Result>(
        _ body: (inout sending Value) -> sending Result
    ) -> sending Result {
        CRYPTO_THREAD_write_lock(lock)
        defer { CRYPTO_THREAD_unlock(lock) }
        return body(&value)
    }
}
