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
            expectEqual(result.status, 0, "\(result)")
            #expect(result.stdout.contains(" 200"), "\(result)")
            #expect(result.outputBytes.suffix(document.count).elementsEqual(document))
        }
        expectEqual(server.stop(), 0)
    }

    /// What every request of curl in these tests has.
    private func arguments(_ site: SampleSite, _ server: ServerProcess, _ path: String) -> [String]
    {
        [
            "-sS", "--max-time", "20", "--cacert", site.certs + "/local-ca/ca.pem", "--resolve",
            "example.com:\(server.address.port):127.0.0.1", "-w", "%{stderr}%{http_code}",
            "https://example.com:\(server.address.port)\(path)",
        ]
    }

    /// curl 7.88 neither loses its answer nor waits forever.
    @Test(arguments: ["--http1.1", "--http2"], [10, 65_535, 65_536, 100_000])
    func curlWithContent(_ protocolName: String, _ count: Int) throws {
        guard let curl = tool("curl") else { return }
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let document = try Tool.aasa(["build", site.folder.path("site/example.com")]).outputBytes
        let content = try site.folder.write("content", String(repeating: "a", count: count))
        for upload in [["--data-binary", "@" + content], ["-T", content]] {
            let result = try Tool.run(
                curl,
                [protocolName] + upload + arguments(site, server, TestClient.associationPath))
            #expect(result.stderr == "200" && result.outputBytes == document, "\(result)")
        }
        expectEqual(server.stop(), 0)
    }

    /// More content than an answer waits for: the answer ends the request (RFC 9113 §8.1).
    @Test func nghttpWithMuchContent() throws {
        guard let nghttp = tool("nghttp") else { return }
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let content = try site.folder.write("content", String(repeating: "a", count: 1_000_000))
        let result = try Tool.run(
            nghttp,
            [
                "-nv", "--no-verify-peer", "-d", content, "-H", ":authority: example.com",
                "https://\(server.address)\(TestClient.associationPath)",
            ], timeout: .seconds(20))
        #expect(result.status == 0 && result.stdout.contains(":status: 200"), "\(result)")
        #expect(result.stdout.contains("recv RST_STREAM frame"), "\(result)")
        #expect(!result.stdout.contains("recv GOAWAY"), "\(result)")
        expectEqual(server.stop(), 0)
    }

    /// A person who types a request by hand sees why it is refused.
    @Test(arguments: [("X y: z", 1, "400"), ("X: y", 70_000, "414")])
    func curlSeesARefusal(field: String, length: Int, status: String) throws {
        guard let curl = tool("curl") else { return }
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let path = "/" + String(repeating: "q", count: length)
        let result = try Tool.run(
            curl, ["--http1.1", "-H", field] + arguments(site, server, path))
        expectEqual(result.stderr, status, "\(result)")
        expectEqual(server.stop(), 0)
    }

    /// A ticket of TLS 1.3 is used once, so each connection brings the next one.
    @Test func opensslResumesAgainAndAgain() throws {
        guard let openssl = tool("openssl") else { return }
        let site = try SampleSite()
        let server = try ServerProcess(site, options: ["--tickets", "on"])
        let request =
            "GET \(TestClient.associationPath) HTTP/1.1\r\nHost: example.com\r\n"
            + "Connection: close\r\n\r\n"
        for visit in 0..<4 {
            let last = site.folder.path("ticket\(visit - 1)")
            let result = try Tool.run(
                openssl,
                ["s_client", "-connect", "\(server.address)", "-tls1_3", "-ign_eof"]
                    + ["-servername", "example.com"]
                    + ["-sess_out", site.folder.path("ticket\(visit)")]
                    + (visit == 0 ? [] : ["-sess_in", last]),
                stdin: request)
            #expect(result.stdout.contains("HTTP/1.1 200"), "\(result)")
            #expect(result.stdout.contains(visit == 0 ? "\nNew, " : "\nReused, "), "\(result)")
        }
        expectEqual(server.stop(), 0)
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
        expectEqual(server.stop(), 0)
    }

    @Test func wrk() throws {
        guard let wrk = tool("wrk") else { return }
        let server = try ServerProcess(
            try SampleSite(documentBytes: 120_000), options: ["--workers", "2"])
        let result = try Tool.run(
            wrk,
            [
                "-t1", "-c32", "-d10",
                "https://\(server.address)\(TestClient.associationPath)",
            ])
        #expect(result.status == 0 && result.stdout.contains("requests in"), "\(result)")
        #expect(!result.stdout.contains("Non-2xx"), "\(result)")
        expectEqual(server.stop(), 0)
    }
}
