internal import COpenSSL

/// A value that one thread at a time may touch, behind the lock that OpenSSL uses itself: a
/// pthread_rwlock_t, which the thread sanitizer understands (`Synchronization.Mutex` it does not).
///
/// `@unchecked Sendable`: the lock makes it so.
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

    /// Runs `body` while no other thread does. Not reentrant.
    func withLock<Result>(
        _ body: (inout sending Value) -> sending Result
    ) -> sending Result {
        CRYPTO_THREAD_write_lock(lock)
        defer { CRYPTO_THREAD_unlock(lock) }
        return body(&value)
    }
}
