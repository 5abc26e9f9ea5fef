import TestSupport
// Covers: SimulatedSession.swift
import Testing
import WorkerSimulation

@Suite struct ScenarioTests {
    @Test(arguments: 1...50) func textSaysAll(seed: Int) throws {
        let scenario = ScenarioGrammar.scenario(seed: UInt64(seed))
        try expectEqual(Scenario(text: scenario.description), scenario)
    }

    @Test func aSeedRepeatsItsRun() throws {
        let scenario = ScenarioGrammar.scenario(seed: 6, size: 200)
        let (first, second) = (try Simulation.run(scenario), try Simulation.run(scenario))
        expectEqual(first.statistics.turns, second.statistics.turns)
        expectEqual(first.statistics.seconds, second.statistics.seconds)
        expectEqual(first.statistics.closes, second.statistics.closes)
        #expect(first.honest > 0)
    }

    @Test(arguments: [
        ("nobody rate=1", "line 1: 'nobody' is neither a kind of client nor a setting"),
        ("seed is=1\ntls13 rate", "line 2: 'rate' is not NAME=VALUE"),
        ("tls13 speed=1", "line 1: 'speed' is not supported"),
        ("machine slots=x", "line 1: slots: 'x' is no number"),
        ("machine slots=0", "line 1: slowness, link-bytes and slots are above zero"),
        ("pause at=1e300 lasts=-1", "line 1: lasts: '-1' is no number"),
    ])
    func badLinesAreNamed(text: String, message: String) {
        #expect {
            _ = try Scenario(text: text)
        } throws: {
            "\($0)" == message
        }
    }

    /// Every kind of client is drawn by some seed, and each that means it is answered on a quiet
    /// day.
    @Test(arguments: PeerKind.honest) func aQuietDayAnswersEverybody(kind: PeerKind) throws {
        var population = Scenario.Population(kind: kind)
        population.rate = 20
        population.lasts = 2
        var scenario = Scenario()
        scenario.populations = [population]
        let report = try Simulation.run(scenario)
        #expect(report.violations.isEmpty)
        expectEqual(report.answered, report.honest)
        #expect(report.honest > 20)
    }

    @Test func everyKindIsDrawn() {
        let drawn = Set(
            (1...400).flatMap { ScenarioGrammar.scenario(seed: UInt64($0)).populations }.map(\.kind)
        )
        expectEqual(drawn, Set(PeerKind.allCases))
    }
}
