/// A value of one thread's object, in memory of its own.
///
/// Swift checks each stored property of a class for overlapping access, at run time if the compiler
/// cannot see through a mutating call. The check is two calls into the runtime: seven per cent of a
/// keep-alive request and fifteen of one over HTTP/2. Values kept here are not checked, for these
/// reasons: the owner belongs to one thread, and the values are pure (they do not know their owner
/// and call nothing back), so two accesses cannot overlap. Do not keep a value here that takes a
/// closure into its owner.
@propertyWrapper
struct ThreadOwned<Value> {
    private let memory: UnsafeMutablePointer<Value>

    init(wrappedValue: Value) {
        memory = .allocate(capacity: 1)
        memory.initialize(to: wrappedValue)
    }

    var wrappedValue: Value {
        // Addressors, not coroutines: with these, a call from another module would copy the value.
        @inline(__always) unsafeAddress { UnsafePointer(memory) }
        @inline(__always) nonmutating unsafeMutableAddress { memory }
    }

    /// Must be called before the owner is released; do not use the value afterwards.
    func free() {
        memory.deinitialize(count: 1)
        memory.deallocate()
    }
}
