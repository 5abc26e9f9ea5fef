import Reactor

/// Draws scenarios: the same for the same seed.
package enum ScenarioGrammar {
    /// - Parameter size: clients that mean it, about.
    package static func scenario(seed: UInt64, size: Int = 8000) -> Scenario {
        var random = SplitMix(seed: seed &* 0x9E37 &+ 17)
        var scenario = Scenario()
        scenario.seed = seed
        scenario.machine = machine(&random)
        // From a quiet day to ten times what the machine can do.
        let load = pick([0.1, 0.3, 0.6, 0.9, 1.5, 2, 5, 10], &random)
        var lasts = pick([5.0, 10, 20, 40], &random)
        // Fewer clients than that on a machine so much slower: the load stays what it is.
        let fast = load / secondsPerService(scenario.machine)
        lasts = max(5, min(lasts, Double(size) / fast))
        let rate = min(fast, Double(size) / lasts)
        scenario.machine.slowness *= (fast / rate * 10).rounded() / 10
        // A link that the handshakes alone fill is beyond what any answer could help.
        scenario.machine.linkBytes = max(
            scenario.machine.linkBytes, (rate * 4 * Double(Wire.flightBytes)).rounded())
        let service = secondsPerService(scenario.machine)
        // On a full link 5 s of answers are under way: who has less patience gets none of them.
        let isLinkFull =
            rate * Double(scenario.machine.documentBytes) > scenario.machine.linkBytes / 2
        var patience = pick(
            isLinkFull ? [10.0, 20, 30, 60] : [5.0, 10, 20, 30, 60], &random)
        let mix = honestMix(&random)
        // Two answers behind each other take twice that, a slow radio link 5 s of its own.
        if isLinkFull, mix.contains(where: { $0.0 == .bothPaths || $0.0 == .edge }) {
            patience = max(patience, 20)
        }
        for (kind, share) in mix {
            var population = Scenario.Population(kind: kind)
            population.rate = round(rate * share * 1000) / 1000
            population.lasts = round(lasts * 10) / 10
            population.patience = patience
            population.roundTrip = kind == .edge ? 0.6 : pick([0.02, 0.05, 0.1, 0.3], &random)
            population.addresses = pick([0, 0, 3], &random)
            scenario.populations.append(population)
        }
        for _ in 0..<Int(random.next() % 4) {
            scenario.populations.append(attack(lasts, service, &random))
        }
        if random.next() % 4 == 0 {
            let pause = Scenario.Pause(
                at: round(lasts * unit(&random) * 100) / 100,
                lasts: pick([0.3, 1, 2, 6, 15, 30], &random))
            scenario.pauses.append(pause)
        }
        if random.next() % 10 == 0 {
            scenario.drain = Scenario.Pause(
                at: round(lasts * (0.5 + unit(&random)) * 100) / 100,
                lasts: pick([5.0, 30, 120], &random))
        }
        return scenario
    }

    /// Processor time of one client from its connection to its end, in seconds.
    static func secondsPerService(_ machine: Scenario.Machine) -> Double {
        let bytes = Double(machine.documentBytes + Wire.flightBytes)
        let micros =
            machine.startMicroseconds + machine.completionMicroseconds + CostModel.connectionMicros
            + bytes * CostModel.nanosPerByte / 1000
        return micros * machine.slowness / 1e6
    }

    private static func machine(_ random: inout SplitMix) -> Scenario.Machine {
        var machine = Scenario.Machine()
        // P-256, RSA-2048, RSA-4096.
        let key = pick([(210.0, 45.0), (210, 45), (800, 60), (5500, 90)], &random)
        (machine.startMicroseconds, machine.completionMicroseconds) = key
        machine.slowness = pick([0.5, 1, 1, 3, 10], &random)
        machine.documentBytes = pick([300, 2048, 2048, 14_000, 40_000, 120_000], &random)
        machine.linkBytes = pick([125e6, 125e6, 12.5e6, 2e6], &random)
        machine.memoryBytes = pick([4e9, 4e9, 1e9, 256e6], &random)
        machine.slots = pick([100_000, 100_000, 4032, 960], &random)
        return machine
    }

    private static func honestMix(_ random: inout SplitMix) -> [(PeerKind, Double)] {
        let count = 1 + Int(random.next() % 4)
        var kinds = [pick(PeerKind.honest.filter { $0 != .front }, &random)]
        while kinds.count < count {
            let kind = pick(PeerKind.honest, &random)
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        // A front asks twenty times: fewer of them.
        let weights = kinds.map { $0 == .front ? 0.05 : 0.2 + unit(&random) }
        let sum = weights.reduce(0, +)
        return zip(kinds, weights).map { ($0, $1 / sum) }
    }

    private static func attack(
        _ lasts: Double, _ service: Double, _ random: inout SplitMix
    ) -> Scenario.Population {
        var attack = Scenario.Population(kind: pick(PeerKind.attackers, &random))
        let isUnbounded = attack.kind.servicesAsked == nil
        if random.next() % 2 == 0 {
            attack.burst =
                isUnbounded ? pick([1, 5, 20], &random) : pick([100, 600, 3000], &random)
            attack.lasts = 0
        } else {
            attack.rate = isUnbounded ? pick([0.2, 1], &random) : pick([10, 60, 200], &random)
            attack.rate = min(attack.rate, 1 / service)
            attack.lasts = round(lasts * 10) / 10
        }
        attack.from = round(lasts * unit(&random) * 0.5 * 10) / 10
        attack.addresses = pick([1, 1, 5, 200], &random)
        attack.patience = pick([5.0, 30, 120], &random)
        attack.roundTrip = pick([0.001, 0.02, 0.1], &random)
        return attack
    }

    static func pick<Value>(_ values: [Value], _ random: inout SplitMix) -> Value {
        values[Int(random.next() % UInt64(values.count))]
    }

    static func unit(_ random: inout SplitMix) -> Double {
        Double(random.next() >> 11) / Double(1 << 53)
    }
}

private func round(_ value: Double) -> Double { value.rounded() }
