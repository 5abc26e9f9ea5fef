import TestSupport
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
        expectEqual(whole.installed.count, 1)
        let steps = whole.steps
        #expect(steps > 15)
        for does in [true, false] {
            for step in 1...steps {
                let driver = try run(step, does: does)
                let place = "crash at step \(step), \(does ? "done" : "not done")"
                expectEqual(driver.authority.accounts.count, 1, "\(place)")
                expectEqual(driver.authority.orders.count, 1, "\(place)")
                expectEqual(driver.authority.issued.count, 1, "\(place)")
                // Installed twice is the same certificate twice.
                #expect(!driver.installed.isEmpty, "\(place)")
                expectEqual(Set(driver.installed.map(\.pair.identity)).count, 1, "\(place)")
                #expect(driver.failures.isEmpty, "\(place): \(driver.failures)")
                #expect(driver.authority.protocolErrors.isEmpty, "\(place)")
            }
        }
    }

    /// As systemd's `Restart=always` does it: the back-off is in the store, not in the process.
    @Test(arguments: [true, false])
    func `A restart loop asks for no more than a process that lives on`(does: Bool) throws {
        var mostFailures = 0
        for stepsOfAProcess in [1, 5, 13, 14, 15, 16, 17, 18, 19, 20, 30] {
            let driver = try EngineDriver([
                WantedCertificate(folder: "shop.test", names: ["shop.test", "www.shop.test"])
            ])
            driver.authority.validate = { _ in ProblemDocument(.connection, "no route") }
            driver.crashDoesAction = does
            let end = driver.now + 3 * 3600
            while driver.now < end {
                driver.crashAfter = driver.steps + stepsOfAProcess
                driver.run(for: 30)
                driver.restart()
            }
            let place = "\(stepsOfAProcess) steps, \(does ? "done" : "not done")"
            let failures = driver.authority.failedValidations.filter { $0.name == "shop.test" }
            for failure in failures {
                let hour = failures.filter { (0..<3600).contains($0.at - failure.at) }
                #expect(hour.count <= 5, "\(place)")
            }
            // After 0, 5, 20, 50 and 110 minutes, one of them perhaps twice.
            #expect(failures.count <= 6, "\(place): \(failures.count)")
            #expect(driver.authority.orders.count <= 6, "\(place)")
            mostFailures = max(mostFailures, failures.count)
            #expect(driver.authority.accounts.count <= 1, "\(place)")
        }
        #expect(mostFailures >= 4, "the loop gets as far as a validation")
    }

    @Test func `Answers lost on their way double nothing either`() throws {
        for step in FakeAuthority.Step.allCases {
            let driver = try EngineDriver([
                WantedCertificate(folder: "blog.test", names: ["blog.test"])
            ])
            driver.authority.interfere = { $0 == step && $1 == 1 ? .lost : nil }
            driver.run(for: 3 * 3600)
            expectEqual(driver.authority.accounts.count, 1, "\(step)")
            expectEqual(driver.authority.issued.count, 1, "\(step)")
            expectEqual(driver.authority.orders.count, 1, "\(step)")
            expectEqual(Set(driver.installed.map(\.pair.identity)).count, 1, "\(step)")
        }
    }
}
