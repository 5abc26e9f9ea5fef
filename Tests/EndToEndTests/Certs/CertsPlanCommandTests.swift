import Foundation
import OpenSSL
import TestSupport
import Testing

@Suite struct CertsPlanCommandTests {
    /// Two hosts without certificates, and an authority that nobody runs.
    private func plan(
        _ more: [String], _ prepare: (TemporaryFolder) throws -> Void = { _ in }
    ) throws -> Tool.Result {
        let folder = try TemporaryFolder("plan")
        for host in ["blog.test", "shop.test"] {
            try folder.write("site/\(host)/teams/\(AppSite.team).json", AppSite.fragment)
        }
        try folder.write("site/blog.test/host.json", ##"{"aliases": ["www.blog.test"]}"##)
        try folder.makeFolder("certs")
        try prepare(folder)
        return try Tool.aasa(
            [
                "certs", "plan", "--site", folder.path("site"), "--certs", folder.path("certs"),
                "--acme-directory", "https://127.0.0.1:1/dir", "--resolve",
                "shop.test:443:127.0.0.1:1", "--dns-server", "127.0.0.1:1",
            ] + more)
    }

    @Test func looksAtEveryHostOrAtThoseThatAreNamed() throws {
        let all = try plan([])
        expectEqual(all.status, 1, "\(all)")
        for name in ["blog.test", "www.blog.test", "shop.test"] {
            #expect(all.stdout.contains("\nname \(name)\n"), "\(all)")
        }
        let one = try plan(["SHOP.test"])
        expectEqual(one.status, 1, "\(one)")
        #expect(one.stdout.contains("certificate shop.test (ecdsa)"), "\(one)")
        #expect(!one.stdout.contains("blog.test"), "\(one)")
        let alias = try plan(["www.blog.test", "--format", "json"])
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(alias.outputBytes)) as? [String: Any],
            "\(alias)")
        #expect(report["ok"] as? Bool == false)
        let certificates = try #require(report["certificates"] as? [[String: Any]])
        expectEqual(certificates.map { $0["host"] as? String }, ["blog.test"])
    }

    /// Its own options, and not those of a server that answers clients.
    @Test func takesWhatAnOrderDependsOn() throws {
        let help = try Tool.aasa(["certs", "plan", "--help-hidden"]).stdout
        for option in ["--site", "--certs", "--listen", "--acme-directory", "--dns-server"] {
            #expect(help.contains("  \(option)"), "\(option)")
        }
        for option in ["--drain", "--access-log", "--budget", "--fleet", "--proxy-protocol"] {
            #expect(!help.contains(option), "\(option)")
        }
    }

    @Test func aHostThatTheSiteDoesNotHaveIsWrongUse() throws {
        let result = try plan(["shop.test", "shpo.test"])
        expectEqual(result.status, 2, "\(result)")
        #expect(result.stderr.contains("shpo.test is not a host of"), "\(result)")
        #expect(result.stderr.contains("name one of: blog.test, www.blog.test, shop.test"))
        #expect(result.stdout.isEmpty)
    }

    /// Whoever made the wildcard should have renewed it long ago.
    @Test(arguments: [(40, true), (5, false), (-5, false)])
    func aCertificateThatNobodyRenewsCoversNothing(daysLeft: Int64, covers: Bool) throws {
        let result = try plan(["shop.test"]) { folder in
            let end = Int64(Date().timeIntervalSince1970) + daysLeft * 86_400
            let template = CertificateTemplate(
                commonName: "shop.test", names: ["shop.test", "*.shop.test"],
                notBefore: end - 90 * 86_400, notAfter: end)
            let pair = try template.make(issuer: nil)
            try folder.write("certs/wild/fullchain.pem", pair.leaf.pem)
            try folder.write("certs/wild/privkey.pem", pair.key.unencryptedPEM())
        }
        let says = "the certificate of wild covers it"
        expectEqual(result.stdout.contains(says), covers, "\(result)")
        #expect(result.stdout.contains("due: there is none yet") != covers, "\(result)")
    }

    @Test(arguments: ["::1", "unix:/x", "dns.example"])
    func wantsAnIPv4AddressOfANameServer(address: String) throws {
        let result = try Tool.aasa(["certs", "plan", "--dns-server", address])
        expectEqual(result.status, 2, "\(result)")
        #expect(result.stderr.contains("--dns-server requires an IPv4 address"), "\(result)")
    }
}
