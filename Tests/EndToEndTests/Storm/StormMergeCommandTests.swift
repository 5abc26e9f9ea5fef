import Foundation
import TestSupport
import Testing

@Suite struct StormMergeCommandTests {
    /// Two parts that begin together play the devices of the whole storm, neither more nor less.
    @Test func partsAddUpToTheWhole() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let port = server.address.port
        let folder = site.folder
        // Both have started by then.
        let moment = "\(Int(Date().timeIntervalSince1970) + (Tool.isSanitized ? 30 : 5))"
        @Sendable func storm(_ more: [String]) throws -> Tool.Result {
            try Tool.aasa(
                [
                    "storm", "https://example.com:\(port)", "--devices", "61", "--over", "1",
                    "--seed", "7", "--era", "ios13:2,developer:1", "--format", "json",
                    "--resolve", "example.com:\(port):127.0.0.1",
                ] + more)
        }
        let parts = ["1/2", "2/2"].map { part in
            let file = folder.path("part-\(part.prefix(1)).json")
            let thread = Thread {
                guard let done = try? storm(["--part", part, "--start-at", moment]) else { return }
                try? Data(done.outputBytes).write(to: URL(fileURLWithPath: file + ".new"))
                rename(file + ".new", file)
            }
            thread.start()
            return file
        }
        let whole = try storm([])
        #expect(eventually { parts.allSatisfy(FileManager.default.fileExists(atPath:)) })
        let merged = try Tool.aasa(["storm", "merge", "--format", "json"] + parts)
        func counts(_ result: Tool.Result) throws -> [String: [String: Int]] {
            let object = try JSONSerialization.jsonObject(with: Data(result.outputBytes))
            let report = try #require(object as? [String: Any], "\(result)")
            return try #require(report["eras"] as? [String: [String: Int]], "\(result)")
        }
        try expectEqual(counts(merged), counts(whole), "\(merged)")
        #expect(merged.stdout.contains("\"devices\":61,"), "\(merged)")

        let alone = try Tool.aasa(["storm", "merge", parts[0]])
        expectEqual(alone.status, 1)
        #expect(alone.stdout.contains("Of 2 parts, these are missing: 2."), "\(alone)")
        let none = try Tool.aasa(["storm", "merge", site.certs + "/local-ca/ca.pem"])
        expectEqual(none.status, 3, "\(none)")
        let late = try storm(["--start-at", "2020-01-01T00:00:00Z"])
        #expect(late.status == 3 && late.stderr.contains("that time is past"), "\(late)")
    }
}
