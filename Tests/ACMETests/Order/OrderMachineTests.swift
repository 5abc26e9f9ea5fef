import AppSiteAssociation
import TestSupport
import Testing

@testable import ACME

/// A misbehaving authority: what is done about each thing that it can do, and how often it is asked
/// in a day.
@Suite struct OrderMachineTests {
    private func day(
        _ prepare: (EngineDriver) -> Void, settings: (inout RenewalSettings) -> Void = { _ in }
    ) throws -> EngineDriver {
        let driver = try EngineDriver(
            [WantedCertificate(folder: "shop.test", names: ["shop.test", "www.shop.test"])],
            settings: settings)
        driver.authority.offersRenewalInfo = false
        prepare(driver)
        driver.run(for: 86_400, stepsMaximum: 5000)
        return driver
    }

    /// In a day: at most 12 attempts by the back-off, 40 + 12 requests per name each.
    private static let requestsADay = 12 * OrderLimits.requests(names: 2)

    @Test func `Each error type, at each step, for ever: no loop, a remedy, within the budget`()
        throws
    {
        var rows: [String] = []
        for kind in ProblemDocument.Kind.allCases where kind != .other {
            for step in [FakeAuthority.Step.newAccount, .newOrder, .finalize] {
                let driver = try day { driver in
                    driver.authority.interfere = { asked, _ in
                        asked == step
                            ? .answer(FakeAuthority.error(kind, "made up", status: 400)) : nil
                    }
                }
                let asked = driver.authority.requests.count
                #expect(driver.installed.isEmpty)
                #expect(asked <= Self.requestsADay, "\(kind) at \(step): \(asked)")
                #expect(driver.failures.count <= 12 && !driver.failures.isEmpty, "\(kind) \(step)")
                #expect(driver.failures.allSatisfy { $0.remedy.count > 20 })
                rows.append(
                    "\(kind.rawValue.padded(25)) \(step.rawValue.padded(11)) "
                        + "\(String(driver.failures.count).padded(4)) "
                        + "\(String(asked).padded(4)) \(driver.failures.first?.remedy ?? "")")
            }
        }
        print("type, step, attempts and requests in a day, remedy")
        print(rows.joined(separator: "\n"))
    }

    @Test func `Wrong answers of every kind`() throws {
        let html = AuthorityResponse(status: 200, body: Array("<html>busy</html>".utf8))
        let cut = AuthorityResponse(status: 200, body: Array(#"{"status": "pen"#.utf8))
        let empty = AuthorityResponse(status: 200, body: [])
        let list = AuthorityResponse(status: 200, body: Array("[]".utf8))
        let plain = AuthorityResponse(
            status: 201, location: "http://evil.test/",
            body: Array(#"{"status":"valid","newNonce":"file:///etc/passwd"}"#.utf8))
        let broken = AuthorityResponse(status: 503, retryAfter: "7200")
        for answer in [html, cut, empty, list, plain, broken] {
            for step in FakeAuthority.Step.allCases
            where step != .renewalInfo && step != .orderList && step != .account {
                let driver = try day { driver in
                    driver.authority.interfere = { asked, _ in asked == step ? .answer(answer) : nil
                    }
                }
                let asked = driver.authority.requests.count
                #expect(asked <= Self.requestsADay, "\(step): \(asked)")
                // A nonce is in the head of the answer, whatever its body and status.
                let goesWell = step == .newNonce
                #expect(driver.installed.isEmpty != goesWell, "\(step) \(answer.status)")
                #expect(driver.authority.protocolErrors.isEmpty)
            }
        }
    }

    @Test func `Bad nonces in a row are got over, and those without end are not followed`() throws {
        let some = try day { driver in
            driver.authority.interfere = { step, count in
                step == .newOrder && count <= 4
                    ? .answer(FakeAuthority.error(.badNonce, status: 400)) : nil
            }
        }
        expectEqual(some.installed.count, 1)
        #expect(some.failures.isEmpty)
        let always = try day { driver in
            driver.authority.interfere = { step, _ in
                step == .directory || step == .newNonce
                    ? nil : .answer(FakeAuthority.error(.badNonce, status: 400))
            }
        }
        expectEqual(always.failures.first?.message.contains("in a row"), true)
        #expect(always.authority.requests.count <= 12 * 12)
    }

    @Test func `Retry-After is obeyed, and one without measure is not`() throws {
        let driver = try day { driver in
            driver.authority.interfere = { step, _ in
                step == .newOrder
                    ? .answer(
                        FakeAuthority.error(
                            .rateLimited, "too many certificates", status: 429,
                            retryAfter: "43200")) : nil
            }
        }
        let asked = driver.authority.requests.filter { $0.step == .newOrder }.map(\.at)
        #expect((2...3).contains(asked.count))
        for (a, b) in zip(asked, asked.dropFirst()) { #expect(b - a >= 43_200) }
        let mad = try EngineDriver([WantedCertificate(folder: "a.test", names: ["a.test"])])
        mad.authority.interfere = { step, count in
            step == .newOrder && count == 1
                ? .answer(
                    FakeAuthority.error(.rateLimited, status: 429, retryAfter: "99999999999")) : nil
        }
        mad.run(for: 9 * 86_400)
        expectEqual(mad.installed.count, 1)
    }

    @Test func `An authority that lost the account gets the same key again`() throws {
        let driver = try EngineDriver([WantedCertificate(folder: "a.test", names: ["a.test"])])
        driver.run(for: 3600)
        driver.authority.forgetAccounts()
        driver.wanted.append(WantedCertificate(folder: "b.test", names: ["b.test"]))
        driver.engine.update(wanted: driver.wanted, contents: driver.contents)
        driver.run(for: 3600)
        expectEqual(driver.installed.count, 2)
        #expect(driver.failures.isEmpty)
        expectEqual(driver.authority.accounts.count, 1)
    }

    @Test func `Settings that are missing are said without an account`() throws {
        let terms = try day({ _ in }, settings: { $0.agreesToTerms = false })
        expectEqual(terms.failures.first?.message.contains("https://ca.test/terms"), true)
        let binding = try day { $0.authority.needsExternalAccount = true }
        expectEqual(binding.failures.first?.message.contains("--acme-eab"), true)
        let profile = try day(
            { $0.authority.profiles = ["classic"] }, settings: { $0.profile = "x" })
        expectEqual(profile.failures.first?.message.contains("it offers classic"), true)
        for driver in [terms, binding, profile] {
            #expect(driver.authority.accounts.isEmpty)
            expectEqual(driver.authority.count(.newAccount), 0)
        }
        let bound = try day(
            { $0.authority.needsExternalAccount = true },
            settings: {
                $0.authorities = [
                    .init(
                        directory: "https://ca.test/directory",
                        externalAccount: ExternalAccount(
                            identifier: "kid-1", encodedSecret: "c2VjcmV0LXNlY3JldC1zZWNyZXQ"))
                ]
            })
        expectEqual(bound.installed.count, 1)
    }

    @Test func `A clock that jumps neither hangs nor burns`() throws {
        let driver = try EngineDriver([WantedCertificate(folder: "a.test", names: ["a.test"])])
        driver.authority.validate = { _ in ProblemDocument(.dns, "no") }
        driver.run(for: 600)
        driver.now -= 300 * 86_400
        driver.authority.validate = { _ in nil }
        driver.run(for: 3600)
        expectEqual(driver.installed.count, 1)
        let asked = driver.authority.requests.count
        driver.now -= 300 * 86_400
        driver.run(for: 86_400)
        #expect(driver.authority.requests.count < asked + 20)
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
