import TestSupport
import Testing

@testable import ACME

@Suite struct RenewalStatusTests {
    private let shop = WantedCertificate(
        folder: "shop.test", names: ["shop.test", "www.shop.test"])

    @Test func `What is will be renewed in time is good, with its end and its next moment`() throws
    {
        let driver = try EngineDriver([shop])
        driver.authority.offersRenewalInfo = false
        driver.run(for: 600)
        let status = driver.engine.status(now: driver.now)
        let entry = try #require(status.entries.first)
        let facts = try #require(driver.engine.facts(of: LineageID(folder: "shop.test")))
        expectEqual(status.entries.count, 1)
        #expect(entry.folder == "shop.test" && !entry.isRSA)
        expectEqual(entry.names, ["shop.test", "www.shop.test"])
        #expect(entry.state == "good" && entry.note == "will be renewed in time")
        expectEqual(entry.notAfter, facts.notAfter)
        expectEqual(
            entry.next,
            RenewalSchedule.ownTime(facts, spread: LineageID(folder: "shop.test").spread))
        #expect(entry.tries == 0 && entry.lastError == nil && entry.remedy == nil)
        expectEqual(entry.authority, "ca.test")
        #expect(status.succeeded == 1 && status.failed == 0)
        #expect(!status.isOrdering && status.storeError == nil)
    }

    @Test func `What failed waits, and says why and what to do`() throws {
        let driver = try EngineDriver([shop])
        let new = try #require(driver.engine.status(now: driver.now).entries.first)
        #expect(new.state == "due" && new.note == "there is none yet" && new.notAfter == nil)
        driver.authority.validate = { _ in ProblemDocument(.dns, "no A record") }
        while driver.failures.isEmpty, driver.step(until: driver.now + 600) {}
        let status = driver.engine.status(now: driver.now)
        let entry = try #require(status.entries.first)
        expectEqual(entry.state, "waiting")
        #expect((entry.next ?? 0) > driver.now)
        expectEqual(entry.tries, 1)
        expectEqual(entry.lastError?.contains("no A record"), true)
        expectEqual(entry.remedy?.isEmpty, false)
        #expect(status.failed == 1 && status.succeeded == 0)
    }

    @Test func `What is somebody else's has no next moment`() throws {
        let driver = try EngineDriver([shop])
        driver.put(.foreign("it is certbot's"), in: "shop.test")
        let entry = try #require(driver.engine.status(now: driver.now).entries.first)
        #expect(entry.state == "foreign" && entry.note == "not managed: it is certbot's")
        #expect(entry.next == nil && entry.notAfter == nil)
    }
}
