import Foundation
import TestSupport
import Testing

/// Every published file that others made, as a host's only document: served byte for byte, or
/// refused with the place and the reason; none disturbs the others.
@Suite struct CorpusTests {
    @Test func everyPublishedFileIsServedOrRefusedWithAReason() throws {
        let files = Corpus.files(in: "aasa", withExtension: "json")
        guard !files.isEmpty else { return }
        let site = try SampleSite()
        var documents: [String: [UInt8]] = [:]
        for file in files {
            let host = "f\(file.deletingPathExtension().lastPathComponent).example".lowercased()
            let bytes = try Data(contentsOf: file)
            let folder = "\(site.site)/\(host)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try bytes.write(to: URL(fileURLWithPath: "\(folder)/apple-app-site-association"))
            documents[host] = [UInt8](bytes)
        }
        let server = try ServerProcess(site, options: ["--watch", "off"])
        var served = 0
        for (host, document) in documents.sorted(by: { $0.key < $1.key }) {
            let client = try server.client()
            try client.send(
                "GET \(TestClient.associationPath) HTTP/1.1\r\nHost: \(host)\r\n"
                    + "Connection: close\r\n\r\n")
            let answer = try client.response()
            if answer.status == 200 {
                expectEqual(answer.body, document, "\(host)")
                served += 1
                continue
            }
            expectEqual(answer.status, 503, "\(host): \(answer.head)")
            // The start-up table names the worst; `aasa build` says it of every host.
            let refused = try Tool.aasa(["build", "\(site.site)/\(host)"])
            #expect(refused.status != 0, "\(host)")
            #expect(
                refused.stderr.firstMatch(of: /apple-app-site-association:\d+:\d+: ./) != nil,
                "\(refused.stderr)")
        }
        // 12 % are not JSON, some more hold placeholders; most are good.
        #expect(served > documents.count / 2, "\(served) of \(documents.count)")
        try expectEqual(server.client().get().status, 200)
        expectEqual(server.stop(), 0)
    }
}
