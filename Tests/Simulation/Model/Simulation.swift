import AASAServer
import HTTP
import OpenSSL
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

    /// Whether this build has the simulated kernel.
    package static let isBuilt: Bool = {
        #if FAULT_INJECTION
            true
        #else
            false
        #endif
    }()

    /// Runs the server's own worker on a simulated kernel.
    ///
    /// - Throws: if the worker cannot start.
    package static func run(_ scenario: Scenario) throws -> Report {
        precondition(Simulation.isBuilt, "built without FAULT_INJECTION")
        let world = World(scenario: scenario)
        let laws = Laws(world)
        world.laws = laws
        for defect in scenario.holes { FaultInjection.putBack(defect.inTheServer) }
        defer { FaultInjection.putBack(nil) }
        try Kernel.simulate(world) {
            let worker = try makeWorker(world)
            laws.worker = worker
            worker.run()
            laws.ended()
            laws.worker = nil
        }
        // They hold the world in turn.
        world.laws = nil
        world.beginDrain = { _ in }
        return Report(
            scenario: scenario, violations: laws.violations, statistics: world.statistics)
    }

    private static func makeWorker(_ world: World) throws -> Worker {
        var settings = TLSServerSettings(hosts: [])
        // Without certificates a context answers challenges alone: none is asked for here.
        settings.challenges = ChallengeTable()
        let context = try TLSContext(role: .server(settings), library: try TLSLibrary())
        unowned(unsafe) let unowned = world
        context.simulate { MarkedSession(unowned) }
        let shared = SharedState(
            publisher: SnapshotPublisher(
                Publication(snapshot: snapshot(world.scenario.machine), contexts: [context])),
            access: Answers(world: world), report: { _ in })
        world.beginDrain = { shared.drain(until: $0) }
        let listener = Listener(try ListeningSocket(adopting: World.listener))
        return try Worker(
            number: 0, limits: world.limits, shared: shared, counters: world.counters,
            wakeup: try Wakeup(), listeners: [listener],
            memory: MemoryGauge(
                machine: Int(world.scenario.machine.memoryBytes),
                resident: { unowned.sampleMemory() }, read: { _ in nil }))
    }

    private static func snapshot(_ machine: Scenario.Machine) -> Snapshot {
        func response(_ status: Int, _ field: (String, String), _ body: [UInt8]) -> PreparedResponse
        {
            PreparedResponse(
                status: status, fields: [(name: field.0, value: field.1)], body: body)
        }
        let document = response(
            200, ("Content-Type", "application/json"),
            [UInt8](repeating: 0x20, count: machine.documentBytes))
        let host = ServedHost(
            name: "www.example.com", aliases: [], association: .init(document, as: .json),
            siblings: [], counters: HostCounters(host: "www.example.com"), facts: .unknown)
        return Snapshot(
            generation: 1, hosts: [host], certificates: [], defaultHost: 0,
            notFound: response(404, ("Cache-Control", "max-age=60"), []),
            unavailable: response(503, ("Retry-After", "10800"), []))
    }
}

extension World {
    /// Nobody is there or will come, or it lasts longer than any deadline explains.
    var isOver: Bool { events.isEmpty && queueLength == 0 }

    /// Every deadline of the server has passed by then.
    var isTooLate: Bool {
        clock > Self.time(scenario.lastArrival + 400)
            + scenario.pauses.reduce(0) { $0 + Int64($1.lasts * 1e9) }
    }

    /// The listener is closed: who stands in its queue is reset.
    func stopListening() {
        guard isListening else { return }
        isListening = false
        laws?.stopsListening()
        for peer in acceptQueue[acceptStart...] where !peer.isGone {
            peer.closeReason = .draining
            close(peer, abort: true)
        }
        acceptQueue = []
        acceptStart = 0
    }

    /// The worker looks at its memory.
    func sampleMemory() -> Int {
        let bytes = memoryBytes
        laws?.memorySampled(share: Double(bytes) / scenario.machine.memoryBytes)
        return bytes
    }

    /// What the machine spends on its connections, by the figures of `ServerLimits` and
    /// `AdmissionLimits`.
    private var memoryBytes: Int {
        var bytes = (40 << 20) + queueLength * 4500
        guard let worker = laws?.worker else { return bytes }
        for peer in open {
            bytes += 4500 + peer.inboxBytes + peer.unacknowledged
            guard let connection = worker.connection(peer.token) else { continue }
            bytes += connection.keptInputBytes + connection.unsentBytes
            if connection.machine.phase == .handshaking {
                bytes += limits.admission.handshakeBytes
            } else if connection.hasSession {
                bytes += 15_000
            }
        }
        return bytes
    }
}
