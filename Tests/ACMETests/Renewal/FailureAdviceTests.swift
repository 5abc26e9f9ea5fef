import AppSiteAssociation
import TestSupport
import Testing

@testable import ACME

@Suite struct FailureAdviceTests {
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

    /// A folder of somebody else is no full disk.
    @Test func `A failure on this machine has its own remedy`() {
        let known = FailureAdvice(
            OrderFailure(.local("it is not ours", remedy: "take it away")), directory: "")
        expectEqual(known.remedy, "Take it away.")
        let unknown = FailureAdvice(OrderFailure(.local("no key")), directory: "")
        #expect(unknown.remedy.contains("disk is neither full"))
    }

    /// Nobody has looked at a port: the authority does not know who asks.
    @Test func `An account that is refused is no matter of ports`() throws {
        let driver = try day { driver in
            driver.authority.interfere = { step, _ in
                step == .newOrder
                    ? .answer(
                        FakeAuthority.error(
                            .unauthorized, "Account is not valid, has status \"deactivated\"",
                            status: 401)) : nil
            }
        }
        expectEqual(driver.failures.first?.message.contains("deactivated"), true)
        expectEqual(driver.failures.first?.remedy.contains(".acme/accounts"), true)
        expectEqual(driver.failures.first?.remedy.contains("443"), false)
    }

    @Test(arguments: [
        (
            ProblemDocument.Kind.connection, "203.0.113.7: Timeout during connect",
            "port 443 is open"
        ),
        (.connection, "2001:db8::1: fetching [2001:db8::1]: refused", "AAAA"),
        (.caa, "CAA record for shop.test prevents issuance", "CAA records"),
        (.dns, "no valid A records found", "DNSSEC"),
        (.tls, "remote error: tls: no application protocol", "terminates TLS"),
        (.unauthorized, "Cannot negotiate ALPN protocol \"acme-tls/1\"", "CDN"),
    ]) func `A validation that fails names its remedy`(
        kind: ProblemDocument.Kind, detail: String, remedy: String
    ) throws {
        let driver = try day { $0.authority.validate = { _ in ProblemDocument(kind, detail) } }
        expectEqual(driver.failures.first?.message.contains(detail), true)
        expectEqual(driver.failures.first?.remedy.contains(remedy), true)
    }
}
