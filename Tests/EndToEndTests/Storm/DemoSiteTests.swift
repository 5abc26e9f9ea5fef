import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct DemoSiteTests {
    /// What the demo serves is a site as anybody's: it is looked at while it is played.
    @Test func itsSiteAndCertificateAreGood() throws {
        let folder = try TemporaryFolder("demo")
        let demo = try Tool.spawn(
            try Tool.aasa(), ["storm", "demo", "--only", "link", "--over", "30"],
            output: folder.path("out"), errors: folder.path("err"),
            environment: ["TMPDIR": folder.path])
        defer {
            kill(demo, SIGTERM)
            _ = Tool.wait(for: demo, timeout: .seconds(60))
        }
        func trial() -> String? {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            let found = names.first { $0.hasPrefix("aasa-try-") }.map { folder.path($0) }
            guard let found else { return nil }
            let made = (try? FileManager.default.subpathsOfDirectory(atPath: found)) ?? []
            return made.contains { $0.hasSuffix("teams/D3KQX62K1A.json") } ? found : nil
        }
        #expect(eventually { trial() != nil })
        let place = try #require(trial())
        let made = try FileManager.default.subpathsOfDirectory(atPath: place)
        let team = try #require(made.first { $0.hasSuffix("teams/D3KQX62K1A.json") })
        let site = place + "/" + team.dropLast("/example.com/teams/D3KQX62K1A.json".count)
        let lint = try Tool.aasa(["lint", site])
        #expect(!lint.stdout.contains("error"), "\(lint)")
        let match = try Tool.aasa(["match", site, "https://example.com/products/1"])
        #expect(match.status == 0, "\(match)")
        let key = try #require(made.first { $0.hasSuffix("example.com/privkey.pem") })
        let mode = try FileManager.default.attributesOfItem(atPath: place + "/" + key)
        #expect(mode[.posixPermissions] as? Int == 0o600)
        let chain = place + "/" + key.dropLast("privkey.pem".count) + "fullchain.pem"
        let names = try Tool.run(
            "openssl", ["x509", "-in", chain, "-noout", "-checkhost", "example.com"])
        #expect(names.stdout.contains("does match"), "\(names)")
    }
}
