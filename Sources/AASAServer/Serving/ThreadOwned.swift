/// A value of one thread's object, in memory of its own.
///
/// Swift guards each stored property of a class against overlapping access, at run time wherever it
/// cannot see through a mutating call: two calls into the runtime, seven per cent of a keep-alive
/// request and fifteen of one over HTTP/2. What is kept here is not guarded, for these reasons: the
/// owner belongs to one thread, and the values kept here are pure (they know nothing of their
/// owner, call nobody back), so that no access can begin while another one lasts. Keep nothing here
/// that takes a closure into its owner.
@propertyWrapper
struct ThreadOwned<Value> {
    private let memory: UnsafeMutablePointer<Value>

    init(wrappedValue: Value) {
        memory = .allocate(capacity: 1)
        memory.initialize(to: wrappedValue)
    }

    var wrappedValue: Value {
        // Addresses, not coroutines: a call of another module would copy the value to be safe.
        @inline(__always) unsafeAddress { UnsafePointer(memory) }
        @inline(__always) nonmutating unsafeMutableAddress { memory }
    }

    /// Has to be called before the owner goes, and nothing behind it.
    func free() {
        memory.deinitialize(count: 1)
        memory.deallocate()
    }
}
