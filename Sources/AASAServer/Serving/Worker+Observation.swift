package import Reactor

/// What the laws of the simulation read of a connection (Tests/Simulation).
package struct ObservedConnection {
    package let phase: ConnectionStateMachine.Phase
    package let isBlocked: Bool
    package let inputHasEnded: Bool
    /// An answer is under way before more input is used.
    package let isAnswering: Bool
    package let hasSession: Bool
    /// Bytes of the peer's input that are held.
    package let keptBytes: Int
    /// Ciphertext that the kernel did not take.
    package let unsentBytes: Int

    init(_ connection: Connection) {
        phase = connection.machine.phase
        isBlocked = connection.machine.isBlocked
        inputHasEnded = connection.machine.inputHasEnded
        isAnswering = connection.exchange.isAnswering
        hasSession = connection.tls != nil
        keptBytes = connection.keptInputBytes
        unsentBytes = connection.unsent.count
    }
}

/// What the laws of the simulation read of a worker, between two turns. Nothing else reads it.
extension Worker {
    /// The connection that was registered with the poller by this token, if it still lives.
    package func connection(_ token: UInt64) -> ObservedConnection? {
        table[SlotToken(rawValue: token)].map(ObservedConnection.init)
    }

    package var connectionCount: Int { table.count }
    package var isFull: Bool { table.isFull }
    /// Clients wait for memory alone.
    package var waitsForMemory: Bool { admissions.controller.waitsForMemory }
    /// What parts of ClientHellos take, and whether one of them would give way now.
    package var helloBytes: Int { admissions.kept.bytes }
    package func helloGivesWay(now: MonotonicInstant) -> Bool {
        admissions.kept.victim(now: now) != nil
    }
    /// Readers of large answers that do not read.
    package var stalledReaders: Int { egress.stalledCount }
}
