import TestSupport
import Testing

@testable import ACME

/// A year of 70 hosts in three domains, and five lives of shorter certificates, with an authority
/// that has the limits of Let's Encrypt and fails a twentieth of all steps: half of those are
/// refusals, the others silence. The clock is a parameter.
@Suite struct YearTests {
    @Test(arguments: [90, 47, 6]) func `No certificate ends, and limits are seldom reached`(
        lifeDays: Int64
    ) throws {
        // The whole year for what is usual, enough renewals of each for what is to come.
        let hosts = lifeDays == 90 ? 70 : 40
        let days: Int64 = lifeDays == 90 ? 365 : 5 * lifeDays
        let wanted = (0..<hosts).map { number -> WantedCertificate in
            // Of 70 hosts 60 in one domain: more than may be had in a week.
            let domain = "site\(lifeDays == 90 && number < 60 ? 0 : number % 3).test"
            return WantedCertificate(
                folder: "h\(number).\(domain)",
                names: ["h\(number).\(domain)", "www.h\(number).\(domain)"])
        }
        let driver = try EngineDriver(wanted)
        let (ended, leastLeft) = play(driver, wanted, lifeDays: lifeDays, days: days)
        expectEqual(ended, 0)
        expectEqual(driver.authority.accounts.count, 1)
        // Each host's first order may be refused some times a day; renewals hardly ever.
        let refused = driver.authority.refusedOrders
        #expect(refused.count < hosts * 4, "\(refused.count)")
        let failures = Dictionary(grouping: driver.authority.failedValidations, by: \.name)
        for (name, list) in failures {
            #expect(most(list.map(\.at), in: 3600) <= 5, "\(name)")
        }
        print(plot(leastLeft, life: lifeDays * 86_400, driver))
    }

    /// What is measured can fail: an authority that is away for longer than a third of the life.
    @Test func `With an authority that is away for 50 days certificates end`() throws {
        let wanted = (0..<5).map {
            WantedCertificate(folder: "h\($0).test", names: ["h\($0).test"])
        }
        let driver = try EngineDriver(wanted)
        let away = (driver.now + 50 * 86_400)..<(driver.now + 100 * 86_400)
        let (ended, leastLeft) = play(driver, wanted, lifeDays: 90, days: 140, away: away)
        #expect(ended > 0)
        #expect((leastLeft.min() ?? 1) <= 0)
        // It comes right by itself, within the longest pause and the time that orders take.
        #expect((leastLeft.last ?? 0) > 30 * 86_400)
        expectEqual(most([0, 1, 2, 10], in: 3), 3)
    }

    /// - Returns: how often a certificate had ended at the end of a day, and the least life that
    ///   any had left then.
    private func play(
        _ driver: EngineDriver, _ wanted: [WantedCertificate], lifeDays: Int64, days: Int64,
        away: Range<Int64> = 0..<0
    ) -> (ended: Int, leastLeft: [Int64]) {
        driver.authority.life = lifeDays * 86_400
        driver.authority.hasLimits = true
        // Renewals by suggestion are free: the limits count where there is none.
        driver.authority.offersRenewalInfo = lifeDays != 90
        driver.authority.windowRetryAfter = "86400"
        var random = SeededRandom(seed: 20_261_122)
        driver.authority.interfere = { [unowned driver] step, _ in
            if away.contains(driver.now) { return .silence(TransportFailure("nobody is there")) }
            guard random.next() % 20 == 0 else { return nil }
            switch random.next() % 6 {
            case 0: return .silence(TransportFailure("the connection was reset"))
            case 1: return .answer(FakeAuthority.error(.serverInternal, status: 503))
            case 2: return .answer(FakeAuthority.error(.badNonce, status: 400))
            case 3:
                return step == .renewalInfo || step == .directory
                    ? .answer(AuthorityResponse(status: 500))
                    : .answer(FakeAuthority.error(.malformed, "made up", status: 400))
            case 4: return .lost
            default: return .answer(AuthorityResponse(status: 200, body: Array("<html>".utf8)))
            }
        }
        driver.authority.validate = { _ in
            random.next() % 20 == 0 ? ProblemDocument(.connection, "timeout during connect") : nil
        }
        let start = driver.now
        var leastLeft: [Int64] = []
        var ended = 0
        for day in 1...days {
            driver.run(until: start + day * 86_400)
            // All have one after the first days: 50 of a domain in the first week, the others in
            // the second.
            if day < 16 { continue }
            var least = Int64.max
            for want in wanted {
                let id = LineageID(folder: want.folder)
                let left = (driver.engine.facts(of: id)?.notAfter ?? 0) - driver.now
                if left <= 0 { ended += 1 }
                least = min(least, left)
            }
            leastLeft.append(least)
        }
        return (ended, leastLeft)
    }

    /// The most moments within so many seconds.
    private func most(_ times: [Int64], in seconds: Int64) -> Int {
        var first = 0
        var most = 0
        for (index, time) in times.enumerated() {
            while time - times[first] >= seconds { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }

    /// The life left of the certificate that is nearest to its end, day by day.
    private func plot(_ left: [Int64], life: Int64, _ driver: EngineDriver) -> String {
        let width = 73
        let step = max(1, left.count / width)
        let columns = stride(from: 0, to: left.count, by: step).map { start in
            left[start..<min(start + step, left.count)].min() ?? 0
        }
        var lines = [
            "life \(life / 86_400) days: least life left of any certificate, day by day; "
                + "\(driver.authority.issued.count) certificates, "
                + "\(driver.authority.orders.count) orders, "
                + "\(driver.authority.requests.count) requests, "
                + "\(driver.authority.refusedOrders.count) orders above a limit, "
                + "\(driver.failures.count) failed attempts"
        ]
        for row in stride(from: 10, to: 0, by: -1) {
            let bar = columns.map { $0 * 10 >= life * Int64(row) ? "█" : " " }.joined()
            lines.append("\(row * 10 < 100 ? " " : "")\(row * 10) % |\(bar)")
        }
        lines.append("      +" + String(repeating: "-", count: columns.count))
        return lines.joined(separator: "\n")
    }
}
