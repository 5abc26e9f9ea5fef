// Covers: ConnectOptions.swift

import Foundation
import TestSupport
import Testing

/// `aasa storm` against a server of this test's own, and its mistakes.
@Suite struct StormCommandTests {

    /// The same storm by both clients, HTTP/2 and older devices among them: every count is the
    /// same, and each report says whose it is and what was checked.
    @Test func lightAndFullAgree() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let port = server.address.port
        func storm(_ more: [String]) throws -> (counts: [String: String], text: Tool.Result) {
            let result = try Tool.aasa(
                [
                    "storm", "https://example.com:\(port)", "--devices", "200", "--over", "1",
                    "--era", "ios8:1,ios9.3:2,ios13:4,ios14:1,developer:2", "--seed", "11",
                    "--http2", "--format", "json", "--resolve", "example.com:\(port):127.0.0.1",
                    "--cacert", site.certs + "/local-ca/ca.pem",
                ] + more)
            let object = try JSONSerialization.jsonObject(with: Data(result.outputBytes))
            let report = try #require(object as? [String: Any], "\(result)")
            let names = [
                "devices", "associated", "willRetry", "denied", "failed", "denials", "failures",
                "eras", "statuses", "tries", "handshakes", "resumed",
            ]
            var counts: [String: String] = [:]
            for name in names {
                let bytes = try JSONSerialization.data(
                    withJSONObject: [report[name] ?? "absent"], options: .sortedKeys)
                counts[name] = String(decoding: bytes, as: UTF8.self)
            }
            return (counts, result)
        }
        let full = try storm([])
        let light = try storm(["--light"])
        #expect(full.counts == light.counts)
        #expect(full.counts["handshakes"] == "[200]")
        #expect(full.text.status == light.text.status)
        #expect(full.text.stdout.contains("\"client\":\"openssl\""), "\(full.text)")
        #expect(light.text.stdout.contains("\"client\":\"light\""), "\(light.text)")
        #expect(!light.text.stdout.contains("\"signaturesChecked\":0"), "\(light.text)")
        // Another authority is refused by both.
        let other = try TemporaryFolder("other-authority")
        let made = try Tool.aasa(["certs", "make", "--certs", other.path, "example.com"])
        #expect(made.status == 0, "\(made)")
        let wrong = ["--cacert", other.path("local-ca/ca.pem"), "--era", "ios13:1"]
        let (a, b) = (try storm(wrong), try storm(wrong + ["--light"]))
        #expect(a.counts == b.counts)
        #expect(a.counts["failures"] == "[{\"tls\":200}]", "\(a.text)")
        // What it cannot do is said at once.
        let resume = try Tool.aasa([
            "storm", "https://example.com:\(port)", "--light", "--resume", "--resolve",
            "example.com:\(port):127.0.0.1",
        ])
        #expect(resume.status == 2 && resume.stderr.contains("resumes nothing"), "\(resume)")
    }

    /// Old devices get through TLS 1.2, ask both paths and HTTP/1.1 or HTTP/2; iOS 8 finds no
    /// signature.
    @Test func playsDevicesOfAllAges() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let port = server.address.port
        let storm = try Tool.aasa([
            "storm", "https://example.com:\(port)", "--devices", "60", "--over", "1", "--http2",
            "--era", "ios8:1,ios9.3:1,ios13:1,ios14:1,developer:1,managed:1", "--format", "json",
            "--resolve", "example.com:\(port):127.0.0.1", "--html", site.folder.path("storm.html"),
            "--cacert", site.certs + "/local-ca/ca.pem",
        ])
        #expect(storm.status == 1, "\(storm)")
        #expect(storm.stdout.contains("\"statuses\":{\"200\":60}"), "\(storm)")
        #expect(storm.stdout.contains("\"failed\":0,\"denials\":{\"unsigned\":"), "\(storm)")
        #expect(storm.stdout.contains("\"failures\":{}"), "\(storm)")
        let page = try String(contentsOfFile: site.folder.path("storm.html"), encoding: .utf8)
        #expect(page.contains("developer mode"))
    }

    @Test(arguments: [
        ["http://127.0.0.1:1/"], ["https://"], ["https://127.0.0.1:0/"],
        ["https://example.com/", "--resolve", "example.com"],
        ["https://127.0.0.1:1/", "--devices", "many"], ["https://127.0.0.1:1/", "--era", "ios7"],
        ["https://127.0.0.1:1/", "--devices", "5000001"],
    ])
    func saysWhatIsWrongWithItsArguments(_ arguments: [String]) throws {
        let storm = try Tool.aasa(["storm"] + arguments)
        #expect(storm.status == 2, "\(storm)")
        #expect(storm.stdout.isEmpty)
        #expect(storm.stderr.hasPrefix("aasa: "), "\(storm)")
    }

    /// A load test is for servers of one's own.
    @Test func refusesOtherPeoplesServers() throws {
        let storm = try Tool.aasa([
            "storm", "https://example.com/", "--resolve", "example.com:443:192.0.2.1",
        ])
        #expect(storm.status == 2, "\(storm)")
        #expect(storm.stderr.contains("--i-own-this-server"), "\(storm)")
    }
}
