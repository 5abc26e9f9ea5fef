import FleetSimulation
import TestSupport
import Testing

// Covers: AASAFleet/Agent/AgentMachine, AASAFleet/Etcd/MemberRing, AASAFleet/Etcd/EtcdToken

/// Three hours of eight machines; `Tests/Simulation/fleet` plays a month of a thousand machines.
@Suite struct FleetSimulationTests {
    private func setting(seed: UInt64) -> FleetSimulation.Setting {
        var setting = FleetSimulation.Setting()
        setting.machines = 8
        setting.length = .seconds(3 * 3600)
        setting.fault = .seconds(200)
        setting.publication = .seconds(400)
        setting.restart = .seconds(2 * 3600)
        setting.seed = seed
        return setting
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func theLawsHold(seed: UInt64) {
        let summary = FleetSimulation(setting(seed: seed)).run()
        #expect(summary.violations.isEmpty)
        #expect(summary.publications > 10 && summary.faults > 20 && summary.applied > 60)
    }

    /// All of them stay in memory: what would hang on an address, as the order of a set does, is
    /// another in each.
    @Test func aSeedReplaysARun() {
        var short = setting(seed: 5)
        short.length = .seconds(3600)
        let simulations = (0..<6).map { _ in FleetSimulation(short) }
        let summaries = simulations.map { $0.run() }
        #expect(summaries[0].publications > 5)
        for summary in summaries { expectEqual(summary, summaries[0]) }
        withExtendedLifetime(simulations) {}
    }

    /// Found by `Tests/Fleet/run`: machines whose tokens were made before a backup was put back
    /// never followed again.
    @Test func itFindsTheTokensOfAnEarlierLife() {
        var old = setting(seed: 1)
        old.keepsTokens = true
        let summary = FleetSimulation(old).run()
        #expect(summary.restores > 0)
        #expect(summary.violations.contains { $0.law.hasPrefix("every machine follows") })
    }
}
