import Foundation
import TestSupport
import Testing

@Suite struct AppListingTests {
    /// Apps times rules, each with the names of all others: the output has to grow with the input.
    @Test(arguments: ["text", "json"])
    func sharedRulesAreListedOnce(format: String) throws {
        func bytes(_ count: Int) throws -> Int {
            let apps = (0..<count).map { "\"D3KQX62K1A.com.example.a\($0)\"" }
            let rules = (0..<count).map { "{\"/\": \"/p\($0)/*\"}" }
            let site = try AppSite.make(
                "{\"applinks\": {\"details\": [{\"appIDs\": [\(apps.joined(separator: ","))], "
                    + "\"components\": [\(rules.joined(separator: ","))]}]}}")
            let list = try AppSite.run(site, "list", "--rules", "--format", format)
            expectEqual(list.status, 0)
            #expect(list.stdout.contains("D3KQX62K1A.com.example.a0"))
            #expect(list.stdout.contains("/p\(count - 1)/*"))
            return list.outputBytes.count
        }
        #expect(try Double(bytes(800)) < 2.5 * Double(bytes(400)))
    }

    @Test func namesWhoSharesAFewRules() throws {
        let site = try AppSite.make(
            ##"{"applinks": {"details": [{"appIDs": ["D3KQX62K1A.a", "D3KQX62K1A.b"], "##
                + ##""components": [{"/": "/x", "exclude": true}, {"/": "/*"}]}, "##
                + ##"{"appIDs": ["D3KQX62K1A.b"], "paths": ["/y", "NOT /z"]}]}}"##)
        let list = try AppSite.run(site, "list", "--rules")
        let lines = list.stdout.split(separator: "\n").map(String.init)
        expectEqual(
            lines.filter { $0.hasPrefix(" ") },
            [
                "  1  NOT /x  (shared with D3KQX62K1A.b)", "  2  /*  (shared with D3KQX62K1A.b)",
                "  1  NOT /x  (shared with D3KQX62K1A.a)", "  2  /*  (shared with D3KQX62K1A.a)",
                "  3  /y", "  4  NOT /z",
            ], "\(list)")
        let json = try AppSite.run(site, "list", "--rules", "--format", "json")
        let rows = try #require(
            JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [[String: Any]])
        let rules = try #require(rows.last?["ruleList"] as? [[String: Any]])
        expectEqual(rules.map { $0["number"] as? Int }, [1, 2, 3, 4])
        expectEqual(rules.map { $0["excludes"] as? Bool }, [true, false, false, true])
        #expect(rules.first?["sharedWith"] as? [String] == ["D3KQX62K1A.a"])
    }
}
