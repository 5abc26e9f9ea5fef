import TestSupport
import Testing

@Suite(.serialized) struct BudgetTests {
    @Test func beyondTheBudgetDocumentsAre503AndTheCrawlerIsServed() throws {
        let server = try ServerProcess(
            try SampleSite(), options: ["--workers", "1", "--budget", "5"])
        let client = try server.client()
        var statuses: Set<Int> = []
        var crawler: Set<Int> = []
        for _ in 0..<200 {
            let answer = try client.get()
            statuses.insert(answer.status)
            if answer.status == 503 {
                let head = answer.head.lowercased()
                #expect(head.contains("retry-after") && head.contains("no-store"))
            }
            // Who says to be the crawler has a share of its own, and no way around the budget.
            crawler.insert(try client.get(fields: "User-Agent: AASA-Bot/1.0.0\r\n").status)
        }
        expectEqual(statuses, [200, 503])
        expectEqual(crawler, [200, 503])
        #expect(try server.metric("aasa_unavailable_total", "budget") > 0)
        expectEqual(server.stop(), 0)
    }
}
