import Testing

@testable import AASAStorm

// Covers: StormPlan+Text.swift
// Figures of the overload facts: 7,000 handshakes per second, 1 Gb/s.
@Suite struct StormPlanTests {
    private func plan(
        document: Double = 2000, devices: Double, surge: Double = 60, patience: Double = 60
    ) -> StormPlan {
        StormPlan(
            handshakesPerSecond: 7000, linkBitsPerSecond: 1e9, documentBytes: document,
            devices: devices, surgeSeconds: surge, patienceSeconds: patience)
    }

    @Test func millionInAMinute() {
        let plan = plan(devices: 1e6)
        #expect(plan.limit == .processor)
        #expect(plan.answersPerSecond == 7000)
        #expect(plan.associatedAtMost == 7000 * 118)
        #expect(plan.failed == 1e6 - 7000 * 118)
        #expect(plan.willRetry == 0)
        #expect(plan.machinesNeeded == 2)
        #expect(plan.verdict.hasPrefix("At least 17.4 %"))
    }

    @Test func aFifthOfThatIsServed() {
        let plan = plan(devices: 2e5)
        #expect(plan.failed == 0)
        #expect(plan.verdict == "This capacity answers every device.")
        #expect(plan.machinesNeeded == 1)
    }

    @Test func largeDocumentIsBoundByTheLink() {
        let plan = plan(document: 131_072, devices: 2e5)
        #expect(plan.limit == .link)
        #expect(abs(plan.answersPerSecond - 924) < 1)
        #expect(plan.failed == 0)
        #expect(plan.willRetry > 80_000)
        #expect(plan.machinesNeeded == nil)
        #expect(plan.roundsNeeded == 2)
        #expect(plan.linkNeeded > 1e9)
        #expect(plan.text.contains("the link"))
    }

    @Test func safeSurgeSpreadsTheRelease() {
        let plan = plan(devices: 7_000_000, patience: 62)
        #expect(plan.safeSurgeSeconds == 940)
    }

    @Test func machinesAddUp() {
        var plan = plan(devices: 1e6)
        plan.machines = 2
        #expect(plan.failed == 0)
    }
}
