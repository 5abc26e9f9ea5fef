import Testing

@testable import ACME

/// The process is killed at each step of an order, before the step is done and after it.
@Suite struct CrashTests {
    private func run(_ crashAfter: Int?, does: Bool) throws -> EngineDriver {
        let driver = try EngineDriver([
            WantedCertificate(folder: "shop.test", names: ["shop.test", "www.shop.test"])
        ])
        driver.crashAfter = crashAfter
        driver.crashDoesAction = does
        driver.run(for: 3 * 3600)
        return driver
    }

    @Test func `No key is lost, no account or order doubled`() throws {
        let whole = try run(nil, does: true)
        #expect(whole.installed.count == 1)
        let steps = whole.steps
        #expect(steps > 15)
        for does in [true, false] {
            for step in 1...steps {
                let driver = try run(step, does: does)
                let place = "crash at step \(step), \(does ? "done" : "not done")"
                #expect(driver.authority.accounts.count == 1, "\(place)")
                #expect(driver.authority.orders.count == 1, "\(place)")
                #expect(driver.authority.issued.count == 1, "\(place)")
                // Installed twice is the same certificate twice.
                #expect(!driver.installed.isEmpty, "\(place)")
                #expect(Set(driver.installed.map(\.pair.identity)).count == 1, "\(place)")
                #expect(driver.failures.isEmpty, "\(place): \(driver.failures)")
                #expect(driver.authority.protocolErrors.isEmpty, "\(place)")
            }
        }
    }

    @Test func `Answers lost on their way double nothing either`() throws {
        for step in FakeAuthority.Step.allCases {
            let driver = try EngineDriver([
                WantedCertificate(folder: "blog.test", names: ["blog.test"])
            ])
            driver.authority.interfere = { $0 == step && $1 == 1 ? .lost : nil }
            driver.run(for: 3 * 3600)
            #expect(driver.authority.accounts.count == 1, "\(step)")
            #expect(driver.authority.issued.count == 1, "\(step)")
            #expect(driver.authority.orders.count == 1, "\(step)")
            #expect(Set(driver.installed.map(\.pair.identity)).count == 1, "\(step)")
        }
    }
}
