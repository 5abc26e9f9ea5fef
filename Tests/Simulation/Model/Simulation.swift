import AASAServer
import HTTP
import Reactor

/// One run of one scenario.
package struct Simulation {
    package struct Report: Sendable {
        package let scenario: Scenario
        package let violations: [Violation]
        package let statistics: Statistics

        /// All laws held, or those were broken that the scenario expects.
        package var isAsExpected: Bool {
            let broken = Set(violations.map(\.law))
            return scenario.expected.isEmpty
                ? broken.isEmpty : scenario.expected.isSubset(of: broken)
        }

        /// Clients that mean it.
        package var honest: Int { sum(\.arrived) }
        package var answered: Int { sum(\.answered) }

        private func sum(_ field: KeyPath<Statistics.Population, Int>) -> Int {
            zip(scenario.populations, statistics.populations).reduce(0) {
                $0 + ($1.0.kind.isHonest ? $1.1[keyPath: field] : 0)
            }
        }
    }

    package static func run(_ scenario: Scenario) -> Report {
        let world = World(scenario: scenario)
        let laws = Laws()
        SimulatedWorker(world: world, laws: laws).run()
        return Report(
            scenario: scenario, violations: laws.violations, statistics: world.statistics)
    }
}

extension World {
    /// Nobody is there or will come, or it lasts longer than any deadline explains.
    var isOver: Bool { events.isEmpty && queueLength == 0 }

    /// Every deadline of the server has passed by then.
    var isTooLate: Bool {
        now > Self.time(scenario.lastArrival + 400)
            + scenario.pauses.reduce(0) { $0 + Int64($1.lasts * 1e9) }
    }

    /// The listener is closed: who stands in its queue is reset.
    func stopListening() {
        guard isListening else { return }
        isListening = false
        for peer in acceptQueue[acceptStart...] where !peer.isGone {
            close(peer, .draining, abort: true)
        }
        acceptQueue = []
        acceptStart = 0
    }
}

extension SimulatedWorker {
    /// What the machine spends on its connections, by the figures of `ServerLimits` and
    /// `AdmissionLimits`.
    var memoryBytes: Int {
        var bytes = 40 << 20
        for index in 0..<slots.extent {
            guard let connection = slots[index: index] else { continue }
            bytes += 4500 + connection.keptBytes + connection.unsentBytes
            bytes += connection.peer.inboxBytes + connection.peer.unacknowledged
            if let tls = connection.tls {
                bytes += tls.step == .done ? 15_000 : limits.admission.handshakeBytes
            }
        }
        return bytes + world.queueLength * 4500
    }
}
