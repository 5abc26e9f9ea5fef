import AppSiteAssociation
import TestSupport
import Testing

@Suite struct EntitlementListRulesTests: LintSuite {
    private func found(_ entries: [String]) -> [String] {
        let list = entries.map { "<string>\($0)</string>" }.joined()
        return codes(
            "<plist version=\"1.0\"><dict><key>com.apple.developer.associated-domains</key>"
                + "<array>\(list)</array></dict></plist>", file: "App.entitlements"
        ).filter { $0 != "entitlement-without-webcredentials" }
    }

    @Test(arguments: [
        (["applinks:a.example.com", "applinks:b.example.com"], [String]()),
        (["applinks:a.example.com", "applinks:a.example.com"], ["entitlement-twice"]),
        (["applinks:a.example.com", "webcredentials:a.example.com"], []),
        (["applinks:https://a.example.com", "applinks:a.example.com"], ["entitlement-scheme"]),
        (["applinks:a.example.com?mode=developer"], ["entitlement-developer-only"]),
        (["applinks:a.example.com?mode=developer", "applinks:a.example.com"], []),
        (
            ["applinks:a.example.com?mode=developer", "applinks:*.a.example.com"],
            ["entitlement-developer-only"]
        ),
        (
            ["applinks:a.example.com?mode=developer", "webcredentials:a.example.com"],
            ["entitlement-developer-only"]
        ),
        (["applinks:*"], ["entitlement-any-domain"]),
        (["applinks:*?mode=managed"], ["entitlement-not-managed"]),
        (["applinks:*.com"], ["entitlement-whole-suffix"]),
        (["applinks:*.co.uk"], ["entitlement-whole-suffix"]), (["applinks:*.example.com"], []),
        (["applinks:localhost"], ["entitlement-local-name"]),
        (["applinks:shop.local"], ["entitlement-local-name"]),
        (
            ["applinks:shop.local?mode=developer", "applinks:shop.local"],
            ["entitlement-local-name"]
        ),
        (["applinks:10.0.0.1"], ["entitlement-address"]),
        (["applinks:yourdomain.com"], ["entitlement-placeholder"]),
    ]) func domainsAreOfUse(_ entries: [String], _ wanted: [String]) {
        expectEqual(found(entries), wanted)
    }

    /// Apple advises 20 to 30; names are counted, not services.
    @Test func manyDomainsAreTold() {
        func list(_ count: Int) -> [String] { (0..<count).map { "applinks:a\($0).example.com" } }
        expectEqual(found(list(30)), [])
        expectEqual(found(list(31)), ["entitlement-many-domains"])
        expectEqual(found(list(30) + ["webcredentials:a0.example.com"]), [])
    }
}
