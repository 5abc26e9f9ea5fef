import Foundation
import TestSupport
import Testing

@Suite struct RenewalPreflightTests {
    /// Two hosts without certificates, and an authority that nobody runs.
    private func plan(_ more: [String]) throws -> Tool.Result {
        let folder = try TemporaryFolder("plan")
        for host in ["blog.test", "shop.test"] {
            try folder.write("site/\(host)/teams/\(AppSite.team).json", AppSite.fragment)
        }
        try folder.write("site/blog.test/host.json", ##"{"aliases": ["www.blog.test"]}"##)
        try folder.makeFolder("certs")
        return try Tool.aasa(
            [
                "certs", "plan", "--site", folder.path("site"), "--certs", folder.path("certs"),
                "--acme-directory", "https://127.0.0.1:1/dir", "--resolve",
                "shop.test:443:127.0.0.1:1", "--dns-server", "127.0.0.1:1",
            ] + more)
    }

    /// Authority, certificate and names are looked at each for itself, each error with a remedy.
    @Test func saysWhatStandsInTheWay() throws {
        let look = try plan(["shop.test"])
        expectEqual(look.status, 1, "\(look)")
        #expect(look.stdout.contains("authority https://127.0.0.1:1/dir\n  error: "), "\(look)")
        #expect(look.stdout.contains("127.0.0.1 gave no answer: the connection was refused"))
        #expect(look.stdout.contains("due: there is none yet"), "\(look)")
        #expect(
            look.stdout.contains("tls-alpn-01 127.0.0.1:1: ")
                && look.stdout.contains("could not validate shop.test by tls-alpn-01"), "\(look)")
        #expect(look.stdout.contains("the CAA records of shop.test were not seen"), "\(look)")
    }

    @Test func theSameAsJSON() throws {
        let look = try plan(["shop.test", "--format", "json"])
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(look.outputBytes)) as? [String: Any],
            "\(look)")
        let authorities = try #require(report["authorities"] as? [[String: Any]])
        #expect(authorities.first?["reachable"] as? Bool == false)
        #expect((authorities.first?["errors"] as? [[String: Any]])?.first?["remedy"] is String)
        let certificates = try #require(report["certificates"] as? [[String: Any]])
        #expect(certificates.first?["names"] as? [String] == ["shop.test"])
        #expect(certificates.first?["state"] as? String == "due")
        let names = try #require(report["names"] as? [[String: Any]])
        #expect(names.first?["proven"] as? Bool == false)
        expectEqual((names.first?["errors"] as? [Any])?.isEmpty, false)
    }
}
