import TestSupport
import Testing

/// Clients that other people wrote. One that is not installed is said so and left out.
@Suite(.serialized) struct InteropTests {
    private func tool(_ name: String) -> String? {
        let path = Tool.find(name)
        if path == nil { print("SKIPPED: \(name) is not installed") }
        return path
    }

    @Test(arguments: ["--http1.0", "--http1.1", "--http2"], ["1.2", "1.3"])
    func curl(_ protocolName: String, _ tls: String) throws {
        guard let curl = tool("curl") else { return }
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let document = try Tool.aasa(["build", site.folder.path("site/example.com")]).outputBytes
        for path in [TestClient.associationPath, "/apple-app-site-association"] {
            let result = try Tool.run(
                curl,
                [
                    "-sS", protocolName, "--tlsv\(tls)", "--tls-max", tls, "--cacert",
                    site.certs + "/local-ca/ca.pem", "--resolve",
                    "example.com:\(server.address.port):127.0.0.1", "-D", "-",
                    "https://example.com:\(server.address.port)\(path)",
                ])
            #expect(result.status == 0, "\(result)")
            #expect(result.stdout.contains(" 200"), "\(result)")
            #expect(result.outputBytes.suffix(document.count).elementsEqual(document))
        }
        #expect(server.stop() == 0)
    }

    @Test(arguments: [1, 2]) func h2load(_ version: Int) throws {
        guard let h2load = tool("h2load") else { return }
        let server = try ServerProcess(try SampleSite(), options: ["--workers", "2"])
        // Within the requests that one connection may ask.
        let result = try Tool.run(
            h2load,
            (version == 1 ? ["--h1"] : ["-m", "8"]) + [
                "-n", "1600", "-c", "100",
                "https://\(server.address)\(TestClient.associationPath)",
            ])
        #expect(result.stdout.contains("1600 succeeded, 0 failed, 0 errored"), "\(result)")
        #expect(server.stop() == 0)
    }

    @Test func wrk() throws {
        guard let wrk = tool("wrk") else { return }
        let server = try ServerProcess(
            try SampleSite(documentBytes: 120_000), options: ["--workers", "2"])
        let result = try Tool.run(
            wrk,
            [
                "-t1", "-c32", isReduced ? "-d2" : "-d10",
                "https://\(server.address)\(TestClient.associationPath)",
            ])
        #expect(result.status == 0 && result.stdout.contains("requests in"), "\(result)")
        #expect(!result.stdout.contains("Non-2xx"), "\(result)")
        #expect(server.stop() == 0)
    }
}
