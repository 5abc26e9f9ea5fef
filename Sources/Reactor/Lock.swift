import Glibc

/// A value that one thread at a time may touch, behind a POSIX mutex.
///
/// Not `Synchronization.Mutex`: its contended path is a futex call of its own that the thread
/// sanitizer cannot see, so that it reports races which are none. pthread_mutex_lock(3) it knows.
///
/// `@unchecked Sendable`: the mutex makes it so.
package final class Lock<Value: ~Copyable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    // In memory of its own: a value without a size (`Lock(())`, which guards what stands beside it)
    // would have an address inside of this object, whose use the sanitizer takes for a race.
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        // Default attributes: the call has nothing that can fail on Linux (pthread_mutex_init(3)).
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

    /// Runs `body` while no other thread does. Not reentrant.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
