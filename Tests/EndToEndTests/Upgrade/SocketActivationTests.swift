import Foundation
import TestSupport
import Testing

@Suite struct SocketActivationTests {
    @Test func theQueueOfAnActivatedSocketOutlivesTheServer() throws {
        let python = try #require(Tool.find("python3"), "python3 is missing")
        let site = try SampleSite()
        let script = Fixtures.packageRoot
            .appendingPathComponent("Tests/EndToEndTests/Upgrade/Fixtures/activate.py").path
        let result = try Tool.run(
            python,
            [script, try Tool.aasa(), site.site, site.certs, site.folder.path("log")])
        expectEqual(result.stdout, "answered 109 failed []\n", "\(result)")
        let log = try String(contentsOfFile: site.folder.path("log"), encoding: .utf8)
        #expect(log.contains("SIGTERM received: the listeners are closed"), "\(log)")
    }
}
