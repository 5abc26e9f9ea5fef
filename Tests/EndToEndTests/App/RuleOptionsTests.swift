import Foundation
import TestSupport
import Testing

@Suite struct RuleOptionsTests {
    @Test func eachOptionIsAPartOfTheRule() throws {
        let site = try AppSite.make()
        let added = try AppSite.run(
            site, "add", AppSite.app, "--path", "/search", "--query", "q=?*", "--query", "p=",
            "--fragment", "top", "--case-insensitive", "--percent-decoded", "--comment", "why",
            "--exclude", "--at", "1")
        expectEqual(added.status, 0, "\(added)")
        let json = try Tool.aasa(["build", site.path("example.com")]).stdout
        #expect(
            json.contains(
                ##"{"/":"/search","?":{"q":"?*","p":""},"#":"top","exclude":true,"##
                    + ##""caseSensitive":false,"percentEncoded":false,"comment":"why"}"##),
            "\(json)")
        // What holds anyway is not written.
        let plain = try AppSite.run(
            site, "edit", AppSite.app, "1", "--no-exclude", "--no-case-insensitive",
            "--no-percent-decoded", "--comment", "", "--query-string", "a=*")
        expectEqual(plain.status, 0, "\(plain)")
        let rules = try Tool.aasa(["build", site.path("example.com")]).stdout
        #expect(rules.contains(##"{"/":"/search","?":"a=*","#":"top"}"##), "\(rules)")
    }

    @Test(arguments: [
        (["--path", "/a", "--query", "q=1", "--query-string", "x"], "either --query or"),
        (["--path", "/a", "--query", "=1"], "write a query item as name=pattern"),
        (["--path", "/a", "--query", "q"], "write a query item as name=pattern"),
        (["--path", "a"], "begins with a slash"),
    ]) func refusesWhatIsNoRule(_ more: [String], _ message: String) throws {
        let site = try AppSite.make()
        let result = try Tool.aasa(
            ["app", "add", site.path("example.com"), AppSite.app] + more)
        #expect(result.status == 2 && result.stderr.contains(message), "\(result)")
    }

    @Test func defaultsAreOverruled() throws {
        let site = try AppSite.make(
            #"{"applinks":{"defaults":{"caseSensitive":false},"details":[{"appIDs":["#
                + #""D3KQX62K1A.com.example.shop"],"components":[{"/":"/buy/*"}]}]}}"#)
        let edited = try AppSite.run(site, "edit", AppSite.app, "1", "--no-case-insensitive")
        expectEqual(edited.status, 0, "\(edited)")
        #expect(try AppSite.text(site).contains(#"{"/":"/buy/*","caseSensitive":true}"#))
    }

    @Test func aPatternThatIsTakenOutIsNotInherited() throws {
        let site = try AppSite.make(
            ##"{"applinks":{"defaults":{"?":{"q":"?*"},"#":"x"},"details":[{"appIDs":["##
                + ##""D3KQX62K1A.com.example.shop"],"components":[{"/":"/b/*","?":{"z":"1"},"##
                + ##""#":"y"}]}]}}"##)
        let edited = try AppSite.run(site, "edit", AppSite.app, "1", "--no-query", "--no-fragment")
        expectEqual(edited.status, 0, "\(edited)")
        #expect(try AppSite.text(site).contains(##"{"/":"/b/*","?":"*","#":"*"}"##))
        let match = try Tool.aasa(["match", site.path("example.com"), "/b/c"])
        #expect(match.stdout.contains("opens      \(AppSite.app)"), "\(match)")
    }
}
