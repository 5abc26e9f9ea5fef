package import Reactor

/// What the laws of the simulation read of a worker, between two turns (Tests/Simulation). Nothing
/// else reads it.
extension Worker {
    /// The connection that was registered with the poller by this token, if it still lives.
    package func connection(_ token: UInt64) -> Connection? { table[SlotToken(rawValue: token)] }

    package var connectionCount: Int { table.count }
    package var isFull: Bool { table.isFull }
    /// Clients wait for memory alone.
    package var waitsForMemory: Bool { admission.waitsForMemory }
    /// What parts of ClientHellos take, and whether one of them would give way now.
    package var helloBytes: Int { keptHellos.bytes }
    package func helloGivesWay(now: MonotonicInstant) -> Bool {
        keptHellos.victim(now: now) != nil
    }
    /// Readers of large answers that do not read.
    package var stalledCount: Int { stalledReaders.count }
}

extension Connection {
    package var hasSession: Bool { tls != nil }
    /// Ciphertext that the kernel did not take.
    package var unsentBytes: Int { unsent.count }
}
