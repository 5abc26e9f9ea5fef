import TestSupport
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
        expectEqual(plan.limit, .processor)
        expectEqual(plan.answersPerSecond, 7000)
        expectEqual(plan.associatedAtMost, 7000 * 118)
        expectEqual(plan.failed, 1e6 - 7000 * 118)
        expectEqual(plan.willRetry, 0)
        expectEqual(plan.machinesNeeded, 2)
        #expect(plan.verdict.hasPrefix("At least 17.4 %"))
    }

    @Test func aFifthOfThatIsServed() {
        let plan = plan(devices: 2e5)
        expectEqual(plan.failed, 0)
        expectEqual(plan.verdict, "This capacity answers every device.")
        expectEqual(plan.machinesNeeded, 1)
    }

    @Test func largeDocumentIsBoundByTheLink() {
        let plan = plan(document: 131_072, devices: 2e5)
        expectEqual(plan.limit, .link)
        #expect(abs(plan.answersPerSecond - 924) < 1)
        expectEqual(plan.failed, 0)
        // 125 MB/s for 62.5 s, less 4.4 KB for each of 200,000, in documents of 131 KB.
        #expect(abs(plan.associated - 52_970) < 10)
        #expect(abs(plan.associatedAtMost - 924 * 118) < 100)
        expectEqual(plan.associated + plan.willRetry, 2e5)
        #expect(plan.machinesNeeded == nil)
        expectEqual(plan.roundsNeeded, 4)
        #expect(plan.linkNeeded > 1e9)
        #expect(plan.text.contains("the link"))
    }

    /// What is planned fits the link: documents, handshakes and 503 together.
    @Test(arguments: [1.2, 2, 5, 20], [3.0, 10, 60])
    func aPlanForALinkFitsTheLink(times: Double, patience: Double) {
        let plan = plan(
            document: 115_000, devices: times * 1040 * 30, surge: 30, patience: patience)
        let bytes =
            plan.associated * (plan.documentBytes + StormPlan.handshakeBytes)
            + plan.willRetry * (StormPlan.unavailableBytes + StormPlan.handshakeBytes)
        #expect(bytes <= 125e6 * plan.linkWindow * 1.000001)
        #expect(plan.associated <= plan.associatedAtMost)
        #expect(plan.failed < 1 || times == 20)
        #expect(abs(plan.associated + plan.willRetry + plan.failed - plan.devices) < 1)
    }

    /// No 503 is cheaper than a document that fits one flight.
    @Test func aSmallDocumentIsNeverRefusedForTheLink() {
        var plan = plan(document: 10_000, devices: 2e6)
        plan.handshakesPerSecond = 20_000
        expectEqual(plan.limit, .link)
        expectEqual(plan.associated, plan.associatedAtMost)
        expectEqual(plan.willRetry, 0)
        #expect(plan.failed > 0)
    }

    /// What this capacity answers needs no other one.
    @Test func aSmallDocumentNeedsTheLinkThatItUses() {
        var plan = plan(document: 10_000, devices: 1e6)
        plan.handshakesPerSecond = 20_000
        #expect(plan.limit == .link && plan.failed == 0 && plan.willRetry == 0)
        expectEqual(plan.machinesNeeded, 1)
        #expect(plan.linkNeeded <= plan.linkBitsPerSecond)
    }

    @Test func safeSurgeSpreadsTheRelease() {
        let plan = plan(devices: 7_000_000, patience: 62)
        expectEqual(plan.safeSurgeSeconds, 940)
    }

    @Test func machinesAddUp() {
        var plan = plan(devices: 1e6)
        plan.machines = 2
        expectEqual(plan.failed, 0)
    }
}
