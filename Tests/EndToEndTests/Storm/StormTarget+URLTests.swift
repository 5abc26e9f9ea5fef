import Foundation
import TestSupport
import Testing

@Suite struct StormTargetURLTests {
    @Test func answersEveryDeviceOfASmallStorm() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let port = server.address.port
        // A lone slash means the site, as people write it.
        for url in ["https://example.com:\(port)", "https://example.com:\(port)/"] {
            let storm = try Tool.aasa([
                "storm", url, "--devices", "40", "--over", "1", "--format", "json", "--resolve",
                "example.com:\(port):127.0.0.1", "--cacert", site.certs + "/local-ca/ca.pem",
            ])
            expectEqual(storm.status, 0, "\(storm)")
            #expect(storm.stdout.contains("\"associated\":40"), "\(storm)")
            #expect(storm.stdout.contains("\"statuses\":{\"200\":40}"), "\(storm)")
        }
    }

    @Test(arguments: [
        "http://127.0.0.1:1/", "https://", "https://127.0.0.1:0/", "x",
    ]) func saysWhatIsNoURL(_ url: String) throws {
        let result = try Tool.aasa(["storm", url])
        #expect(result.status == 2 && result.stderr.contains("is not an https URL"), "\(result)")
        #expect(result.stderr.contains("fix: "), "\(result)")
    }
}
