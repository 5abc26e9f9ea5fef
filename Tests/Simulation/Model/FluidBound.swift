import AASAServer

/// How many clients a machine without any queues or delays could answer, and how much of that is
/// asked for.
///
/// No policy answers more than the handshakes of the surge and one patience (overload.md section
/// 3). Attackers take what they ask for, as they cannot be told from clients before they have it.
/// Fronts, whose twenty requests all have to be answered, are not judged by it, only counted.
struct FluidBound {
    /// Clients that mean it.
    private(set) var clients = 0.0
    /// The share that has to be answered, 200 or 503.
    private(set) var answered = 0.0
    /// The share that has to get the document.
    private(set) var documents = 0.0

    /// The fraction of the bound that is asked for, by how often the demand is what there is: as in
    /// Tests/Experiments.
    private static let fractions = [
        (0.7, 0.99), (1.0, 0.92), (2.0, 0.85), (5.0, 0.70), (10.0, 0.60),
    ]

    /// What a link carries is met within 5 points.
    private static let tolerance = 0.05

    init(_ scenario: Scenario, _ statistics: Statistics) {
        let machine = scenario.machine
        let perService = ScenarioGrammar.secondsPerService(machine)
        var from = Double.infinity
        var until = 0.0
        var patience = Double.infinity
        // Connecting, two flights and the request: time that nobody waits for us.
        var travels = 0.0
        var demand = 0.0
        var bytes = 0.0
        var bounded = 0.0
        var unbounded = 0.0
        var others = 0.0
        for (index, population) in scenario.populations.enumerated() {
            let came = Double(
                statistics.populations[index].arrived
                    - statistics.populations[index].arrivedAfterEnd)
            guard population.kind.isHonest, population.kind != .front else {
                let asked = population.kind.servicesAsked.map { $0 * came * perService }
                bounded += asked ?? 0
                unbounded += asked == nil ? came : 0
                others += came
                continue
            }
            let answers = Double(population.kind.answersWanted)
            clients += came
            from = min(from, population.from)
            until = max(until, population.from + population.lasts)
            patience = min(patience, population.patience)
            travels = max(travels, 4 * population.roundTrip)
            demand += came * (perService + (answers - 1) * perAnswer(machine))
            bytes += came * answers * Double(machine.documentBytes)
        }
        guard clients > 0 else { return }
        let paused = scenario.pauses.reduce(0) { $0 + $1.lasts }
        let lasts = until - from
        // Who leaves within the pause cannot be answered, whatever comes then.
        let lost = paused == 0 ? 0 : min(1, (paused + patience) / max(0.1, lasts))
        let share = others / (others + clients)
        // Nobody is begun with who is about to leave, and it takes a while to learn when that is
        // (overload.md section 0: "no client fails while N <= mu*(S+T-2)").
        let margin = scenario.limits.admission.patienceMargin.inSeconds
        let capacity = max(0, lasts + max(0, patience - margin - travels) - paused)
        // First come, first served: who asks for one service gets it. Who asks without end gets
        // its share of the connections.
        let left = (capacity - min(capacity, bounded)) * clients / (clients + unbounded)
        let processor = min(1, left / demand) * (1 - lost)
        answered = processor * Self.fraction(demand / max(0.1, left - patience))
        let forHandshakes = clients * Double(Wire.flightBytes + Wire.unavailableBytes)
        let room = machine.linkBytes * (lasts + 5) * (1 - share) - forHandshakes
        let link = min(1, max(0, room / bytes))
        let excess = bytes / max(1, machine.linkBytes * lasts * (1 - share) - forHandshakes)
        documents = min(
            answered, max(0, link * (1 - lost) * Self.fraction(excess) - Self.tolerance))
    }

    private func perAnswer(_ machine: Scenario.Machine) -> Double {
        let micros =
            Double(CostModel.request + CostModel.receive + CostModel.send) / 1000
            + Double(machine.documentBytes) * CostModel.nanosPerByte / 1000
        return micros * machine.slowness / 1e6
    }

    /// Between the known points in a straight line.
    static func fraction(_ load: Double) -> Double {
        guard var below = fractions.first, load > below.0 else { return fractions[0].1 }
        for point in fractions.dropFirst() {
            if load <= point.0 {
                return below.1 + (point.1 - below.1) * (load - below.0) / (point.0 - below.0)
            }
            below = point
        }
        return below.1
    }
}
