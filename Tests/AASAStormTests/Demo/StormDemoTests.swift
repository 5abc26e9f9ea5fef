// Covers: StormDemo+Text.swift, StormDemo+HTML.swift

import Foundation
import Testing

@testable import AASAStorm

@Suite struct StormDemoTests {
    private func report(associated: Int, willRetry: Int, failed: Int) -> StormReport {
        var report = StormReport()
        report.devices = associated + willRetry + failed
        report.surgeSeconds = 2
        report.patience = [3]
        report.outcomes = [
            .associated: associated, .willRetry: willRetry, .failed(.timedOut): failed,
        ]
        for device in 0..<report.devices { report.timeline.arrived(atSecond: device % 2) }
        return report
    }

    private func act(
        _ shortage: StormDemo.Shortage, aasa: (Int, Int, Int), plain: (Int, Int, Int)
    ) -> StormDemo.Act {
        StormDemo.Act(
            shortage: shortage, capacity: 20,
            aasa: report(associated: aasa.0, willRetry: aasa.1, failed: aasa.2),
            plain: report(associated: plain.0, willRetry: plain.1, failed: plain.2))
    }

    @Test func aShortProcessorIsNoReasonForA503() {
        #expect(act(.processor, aasa: (30, 0, 70), plain: (10, 0, 90)).isAsExpected)
        #expect(!act(.processor, aasa: (30, 1, 69), plain: (10, 0, 90)).isAsExpected)
        #expect(!act(.processor, aasa: (10, 0, 90), plain: (10, 0, 90)).isAsExpected)
    }

    @Test(arguments: [StormDemo.Shortage.link, .budget])
    func aShortLinkAndABudgetAre(_ shortage: StormDemo.Shortage) {
        #expect(act(shortage, aasa: (30, 70, 0), plain: (10, 0, 90)).isAsExpected)
        #expect(!act(shortage, aasa: (30, 0, 70), plain: (10, 0, 90)).isAsExpected)
        #expect(!act(shortage, aasa: (30, 10, 60), plain: (50, 0, 50)).isAsExpected)
    }

    @Test func bothStandSideBySide() throws {
        var demo = StormDemo(acts: [
            act(.processor, aasa: (30, 0, 70), plain: (10, 0, 90)),
            act(.link, aasa: (25, 75, 0), plain: (5, 0, 95)),
        ])
        demo.startedAt = 1_700_000_000
        #expect(demo.isAsExpected)
        #expect(demo.text.contains("1. The processor is short: 50 devices a second"))
        let row = try #require(
            demo.text.split(separator: "\n").first { $0.contains("told to ask again") })
        #expect(row.contains("0.00 %"))
        #expect(demo.text.contains("75.00 %"))
        let object = try JSONSerialization.jsonObject(with: Data(demo.json.utf8))
        let storms = try #require((object as? [String: Any])?["storms"] as? [[String: Any]])
        #expect(storms.map { $0["short"] as? String } == ["processor", "link"])
        #expect((storms[1]["plainQueue"] as? [String: Any])?["failed"] as? Int == 95)

        let page = demo.html
        #expect(page.contains("<section id=\"processor\">") && page.contains("id=\"link\""))
        #expect(page.contains("Tue, 14 Nov 2023"))
        #expect(page.components(separatedBy: "<svg").count == 1 + 2 * demo.acts.count)
        #expect(!page.contains("<script") && !page.contains("http://"))
    }

    @Test func whatIsNotAsExpectedIsNamed() {
        let demo = StormDemo(acts: [act(.budget, aasa: (0, 0, 9), plain: (0, 0, 9))])
        #expect(!demo.isAsExpected)
        #expect(demo.verdict.contains("budget"))
        #expect(demo.html.contains("<header class=\"bad\">"))
    }
}
