import AASAClient
import AASADevice
import AppSiteAssociation
import Testing

@Suite struct AssociatedDomainsTests: RehearsalSuite {
    /// `*.example.com` covers sub-domains and not the apex, for both calls alike.
    @Test func aWildcardCoversSubdomainsOnly() throws {
        let steps = """
            {"do": "request", "site": "example.com", "expect": "not-associated"},
            {"do": "add", "site": "example.com", "account": "x", "password": "y",
             "expect": "not-associated"},
            {"do": "request", "site": "shop.example.com", "expect": "found"},
            {"do": "add", "site": "shop.example.com", "account": "x", "password": "y",
             "expect": "added"},
            {"do": "request", "expect": "found"}
            """
        #expect(
            try Self.holds(
                steps, domains: "webcredentials:*.example.com", safari: "shop.example.com"))
        // Listed as well, the apex is a site like any other.
        #expect(
            try Self.holds(
                "{\"do\": \"request\", \"expect\": \"found\"}",
                domains: "webcredentials:*.example.com webcredentials:example.com"))
        // Stored for the apex alone, nothing fits a wildcard.
        #expect(
            try Self.holds(
                "{\"do\": \"request\", \"expect\": \"item-not-found\"}",
                domains: "webcredentials:*.example.com"))
    }

    /// Associated until deleted; a launch, time and the site's changes ask nobody; only install and
    /// update do (Apple's old rule).
    @Test func associatedUntilDeleted() throws {
        #expect(
            try Self.holds(
                """
                {"do": "change-site", "status": 404, "expect": "associated"},
                {"do": "relaunch", "expect": "associated"},
                {"do": "wait", "days": 365, "expect": "associated"},
                {"do": "request", "expect": "found"},
                {"do": "change-site", "status": 503},
                {"do": "update-app", "expect": "associated"},
                {"do": "wait", "days": 30, "expect": "associated"},
                {"do": "delete-app", "expect": "no-app"},
                {"do": "request", "expect": "no-app"},
                {"do": "relaunch", "expect": "no-app"},
                {"do": "change-site"},
                {"do": "install-app", "expect": "associated"},
                {"do": "request", "expect": "found"}
                """, era: "ios9.3"))
    }

    /// What is left as it was is said with the answer that left it so.
    @Test func saysThatARefusalOfTheCDNChangesNothing() throws {
        let (lines, isGood) = try Self.play(
            Self.story(
                """
                "steps": [{"do": "change-site", "status": 404},
                          {"do": "update-app", "expect": "associated"}]
                """, era: "ios14"))
        #expect(isGood)
        #expect(
            lines.contains {
                $0.contains("associated as before: Apple's CDN says") && $0.contains("404")
                    && $0.contains("asks again in")
            }, "\(lines)")
    }

    /// A site that is repaired is not looked at before the next update.
    @Test func onlyInstallAndUpdateAskAgain() throws {
        #expect(
            try Self.holds(
                """
                {"do": "change-site"},
                {"do": "relaunch", "expect": "not-associated"},
                {"do": "wait", "days": 300, "expect": "not-associated"},
                {"do": "request", "expect": "not-associated"},
                {"do": "update-app", "expect": "associated"},
                {"do": "change-site", "document": {"webcredentials": {"apps": []}}},
                {"do": "update-app", "expect": "not-associated"}
                """, era: "ios9.3", statuses: [404, 404, 200]))
    }
}
