import CLinux

/// A kernel in memory, which the sockets, the poller and the clock of a thread call in place of
/// Linux: so a simulation runs the server's own loop (Tests/Simulation).
package protocol SimulatedKernel: AnyObject {
    /// The clock.
    var now: MonotonicInstant { get }

    /// Waits for events, at most so many; negative: without a limit of time.
    ///
    /// - Throws: when nothing will ever happen again.
    func wait(
        milliseconds: Int32, atMost: Int
    ) throws(SystemError) -> [(token: UInt64, readiness: Readiness)]
    /// Registers a descriptor with the poller; `nil`: removes it.
    func watch(_ descriptor: Int32, _ interest: Interest?, token: UInt64)

    /// Takes the first connection of the accept queue; `nil`: it is empty.
    func accept() -> (descriptor: Int32, peer: SocketAddress)?
    func setBacklog(_ backlog: Int)
    /// Connections in the accept queue.
    var queueLength: Int { get }

    func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> IOOutcome
    func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> IOOutcome
    func shutdownWrite(_ descriptor: Int32)
    func abortOnClose(_ descriptor: Int32)
    func close(_ descriptor: Int32)
    func tcpInfo(_ descriptor: Int32) -> TCPInfo?
    func hasUnreadBytes(_ descriptor: Int32) -> Bool
    func unacknowledgedBytes(_ descriptor: Int32) -> Int
}

/// The kernel that a thread calls: Linux, or a simulated one in builds with `FAULT_INJECTION`. In
/// what ships ``simulated`` is constantly `nil`, and the compiler removes what depends on it.
package enum Kernel {
    /// Descriptors from this one on are those of a simulated kernel: Linux gives out none so high.
    package static let firstDescriptor: Int32 = 1 << 24

    /// The simulated kernel of this thread.
    @inline(__always)
    static var simulated: (any SimulatedKernel)? {
        #if FAULT_INJECTION
            guard let box = CLinux_simulated_kernel() else { return nil }
            return Unmanaged<Box>.fromOpaque(box)._withUnsafeGuaranteedRef { $0.kernel }
        #else
            return nil
        #endif
    }

    /// Calls `body` with this thread on `kernel`.
    package static func simulate(
        _ kernel: any SimulatedKernel, _ body: () throws -> Void
    ) rethrows {
        let box = Box(kernel)
        CLinux_simulate_kernel(Unmanaged.passUnretained(box).toOpaque())
        defer { CLinux_simulate_kernel(nil) }
        try withExtendedLifetime(box) { try body() }
    }

    private final class Box {
        let kernel: any SimulatedKernel

        init(_ kernel: any SimulatedKernel) { self.kernel = kernel }
    }
}
