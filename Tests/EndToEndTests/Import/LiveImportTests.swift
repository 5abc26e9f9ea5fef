import Foundation
import TestSupport
import Testing

@Suite struct LiveImportTests {
    @Test func takesWhatAHostServes() throws {
        let site = try SampleSite()
        try site.write(
            "example.com/well-known/webauthn", #"{"origins": ["https://example.com"]}"#)
        let server = try ServerProcess(site)
        let port = server.address.port
        let target = site.folder.path("taken/example.com")
        let connect = [
            "--resolve", "example.com:\(port):127.0.0.1", "--cacert",
            site.certs + "/local-ca/ca.pem",
        ]
        let done = try Tool.aasa(["import", "https://example.com:\(port)", target] + connect)
        expectEqual(done.status, 0, "\(done)")
        // With the siblings, and the list of all that came.
        let known = "/example.com/well-known"
        let names = try FileManager.default.contentsOfDirectory(atPath: site.site + known).sorted()
        #expect(names.contains("assetlinks.json") && names.contains("webauthn"))
        for name in names {
            #expect(done.stdout.contains("\(target)/well-known/\(name)\n"), "\(done)")
        }
        #expect(done.stderr.contains("as https://example.com:\(port)/.well-known/"), "\(done)")
        let same = try Tool.aasa(["diff", site.site + "/example.com", target])
        expectEqual(same.status, 0, "\(same)")
        // Without the authority nothing is taken, and why is said.
        let refused = try Tool.aasa(
            ["import", "https://example.com:\(port)", target + "2"] + connect.prefix(2))
        expectEqual(refused.status, 3, "\(refused)")
        #expect(refused.stderr.contains("/.well-known/apple-app-site-association: "), "\(refused)")
        #expect(refused.stderr.contains("fix: aasa check example.com"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: target + "2"))
    }

    @Test func refusesWhatIsNoURL() throws {
        let folder = try TemporaryFolder("live")
        let result = try Tool.aasa(["import", "https://", folder.path("example.com")])
        #expect(result.status == 2 && result.stderr.contains("is not an https URL"), "\(result)")
        let plain = try Tool.aasa(["import", "http://example.com", folder.path("example.com")])
        #expect(plain.status == 2 && plain.stderr.contains("is not an https URL"), "\(plain)")
    }
}
