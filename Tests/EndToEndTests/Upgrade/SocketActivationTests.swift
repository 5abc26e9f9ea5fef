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
        #expect(result.stdout == "answered 109 failed []\n", "\(result)")
    }
}
