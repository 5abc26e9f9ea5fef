import Foundation
import TestSupport
import Testing

/// `lint`, `build` and `serve --check` find the same in one folder.
///
/// `HostReviewTests` holds it for every document of the corpus; here the commands are run.
@Suite struct SameFindingsTests {
    private static let fragment =
        #"{"applinks":{"details":[{"appIds":["9JA89QQLNQ.com.example.shop"],"#
        + #""components":[{"/":"/buy/*"}]}]}}"#

    /// The codes of errors and warnings, which the server's log has as well.
    private func codes(_ text: String) throws -> [String] {
        let value = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let findings = try #require(value["findings"] as? [[String: Any]])
        return findings.filter { $0["severity"] as? String != "note" }
            .compactMap { $0["code"] as? String }.sorted()
    }

    @Test func ofAMisspeltKeyAndABrokenSibling() throws {
        let site = try SampleSite(documentBytes: 200)
        try site.write("example.com/apple-app-site-association", Self.fragment)
        try site.write("example.com/well-known/applinking2.json", "{\"a\": [1 2]}")
        let host = "\(site.site)/example.com"
        let lint = try Tool.aasa(["lint", "--format", "json", host])
        let expected = try codes(lint.stdout)
        expectEqual(expected.filter { $0.hasPrefix("entry-") }, ["entry-key-misspelt"])
        #expect(expected.contains { $0.hasPrefix("json-") } && lint.status == 1)
        #expect(!expected.contains("app-ids-missing"), "it follows from the misspelt key")
        let build = try Tool.aasa(["build", host, "--format", "json"])
        #expect(try codes(build.stderr) == expected && build.status == 1, "\(build)")
        let whole = try Tool.aasa(["lint", "--format", "json", site.site])
        let check = try Tool.aasa(
            ["serve", "--check", "--site", site.site, "--certs", site.certs])
        let found = check.stderr.matches(of: #/code=([a-z0-9-]+)/#).map { String($0.1) }.sorted()
        #expect(try codes(whole.stdout) == found && check.status == 1, "\(check) \(whole)")
        let file = try Tool.aasa(
            ["lint", "--format", "json", "\(host)/well-known/applinking2.json"])
        try expectEqual(codes(file.stdout), expected.filter { $0.hasPrefix("json-") })
        // What can be fixed is among what was found.
        let diff = try Tool.aasa(["lint", "--fix", "--diff", host])
        #expect(diff.stdout.contains("+") && diff.stdout.contains("appID"), "\(diff)")
    }
}
