import Reactor

@testable import AASAServer

/// A suite that asks the state machine of a connection, with a clock of its own.
protocol MachineSuite {}

extension MachineSuite {
    var limits: SharedLimits { SharedLimits(.standard) }

    func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    /// A machine with its handshake done at 0.
    func served() -> ConnectionStateMachine {
        var machine = ConnectionStateMachine(limits: limits, now: at(0))
        machine.handshakeStarted(now: at(0))
        machine.handshakeCompleted(now: at(0))
        return machine
    }
}
