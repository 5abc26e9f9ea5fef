import Foundation
import TestSupport
import Testing
import WorkerSimulation

/// Scenarios of `Tests/Simulation/Fixtures`: what was found once, and the old defects put back.
@Suite struct FixtureTests {
    static let files: [String] = {
        let folder = Fixtures.packageRoot.appendingPathComponent("Tests/Simulation/Fixtures")
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted()
    }()

    static func scenario(_ name: String) throws -> Scenario {
        let folder = Fixtures.packageRoot.appendingPathComponent("Tests/Simulation/Fixtures")
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        return try Scenario(text: String(decoding: data, as: UTF8.self))
    }

    @Test func thereAreSome() { #expect(Self.files.count >= 5) }

    @Test(arguments: files) func isAsExpected(name: String) throws {
        let report = try Simulation.run(try Self.scenario(name))
        let told = report.violations.map { "\($0.law.rawValue): \($0.text)" }
        #expect(report.isAsExpected, "\(told.joined(separator: "\n"))")
    }

    /// Nothing is found without the hole that a fixture puts back.
    @Test(arguments: Hole.allCases) func holesAreFound(hole: Hole) throws {
        var scenario = try Self.scenario("hole-\(hole.rawValue).txt")
        expectEqual(scenario.holes, [hole])
        #expect(!scenario.expected.isEmpty)
        scenario.holes = []
        #expect(try Simulation.run(scenario).violations.isEmpty)
    }
}
