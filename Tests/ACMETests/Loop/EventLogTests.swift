import Logging
import TestSupport
import Testing

@testable import ACME

@Suite struct EventLogTests {
    private let id = LineageID(folder: "shop.test", isRSA: true)
    private let advice = FailureAdvice(
        OrderFailure(.setting("it wants something")), directory: "https://ca.test/directory")

    private func told(_ event: RenewalEvent) -> [(line: String, metadata: Logger.Metadata)] {
        let log = KeptLog()
        EventLog(log: log.logger).tell(event)
        return log.all
    }

    private func line(_ event: RenewalEvent) -> String { told(event).map(\.line).joined() }

    @Test func `What goes well is a notice, with its moments`() {
        let ordering = told(
            .begins(id, why: "its renewal is due", authority: "ca.test", isResumed: false))
        expectEqual(
            ordering.map(\.line),
            [
                "notice: ordering a certificate for shop.test (RSA): its renewal is due"
            ])
        expectEqual(ordering.first?.metadata["authority"], "ca.test")
        #expect(
            line(.begins(id, why: "w", authority: "a", isResumed: true))
                .hasPrefix("notice: resuming the order of "))
        let issued = told(.issued(id, until: 86_400, renewal: 60))
        expectEqual(
            issued.map(\.line),
            [
                "notice: renewed the certificate of shop.test (RSA): it is valid until 1970-01-02T00:00:00Z"
            ])
        expectEqual(issued.first?.metadata["next"], "1970-01-01T00:01:00Z")
    }

    @Test func `Once is the network's weather, twice is an error`() {
        for (failures, level) in [(1, "warning"), (2, "error"), (9, "error")] {
            let told = told(.failed(id, advice, retry: 60, failures: failures))
            expectEqual(told.count, 1)
            #expect(told[0].line.hasPrefix("\(level): no certificate for shop.test (RSA): "))
            #expect(told[0].line.contains(advice.message) && told[0].line.contains(advice.remedy))
            expectEqual(told[0].metadata["tries"], "\(failures)")
            expectEqual(told[0].metadata["again"], "1970-01-01T00:01:00Z")
        }
    }

    @Test func `What is lost is an error`() {
        #expect(line(.leavesOut(id, ["a.test", "b.test"])).hasPrefix("error: "))
        #expect(line(.leavesOut(id, ["a.test", "b.test"])).contains("without a.test, b.test"))
        expectEqual(line(.cannotSave("no space")), "error: no space")
    }

    @Test func `A window is worth a line, and one that moved a second`() {
        let window = RenewalInfo(start: 0, end: 60, explanation: "https://ca.test/why")
        let stays = told(.window(id, window, hasMoved: false))
        expectEqual(stays.count, 1)
        #expect(stays[0].line.hasPrefix("info: "))
        #expect(stays[0].line.contains("between 1970-01-01T00:00:00Z and 1970-01-01T00:01:00Z"))
        expectEqual(stays[0].metadata["why"], "https://ca.test/why")
        let moved = told(.window(id, RenewalInfo(start: 0, end: 60), hasMoved: true))
        expectEqual(moved.count, 2)
        #expect(moved[0].metadata.isEmpty)
        #expect(
            moved[1].line.hasPrefix("notice: ") && moved[1].line.hasSuffix("of shop.test (RSA)"))
    }
}
