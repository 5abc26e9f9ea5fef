import Glibc

/// A value protected by a POSIX mutex.
///
/// Not `Synchronization.Mutex`: its contended path makes a futex call that the thread sanitizer
/// cannot see, so that it reports false races. It understands pthread_mutex_lock(3).
///
/// `@unchecked Sendable`: the mutex serializes all access.
package final class Lock<Value: ~Copyable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // Allocated separately: a zero-sized value (`Lock(())`, which protects other data) would have
    // an address inside this object, and the sanitizer would report its use as a race.
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        // Default attributes: the call cannot fail on Linux (pthread_mutex_init(3)).
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs `body` with exclusive access. Not reentrant.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
