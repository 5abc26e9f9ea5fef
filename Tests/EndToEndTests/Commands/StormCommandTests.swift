// Covers: ConnectOptions.swift

import Foundation
import TestSupport
import Testing

/// `aasa storm` against a server of this test's own, and its mistakes.
@Suite struct StormCommandTests {

    /// A server whose certificate is of another authority fails every device.
    @Test func checksTheCertificate() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let port = server.address.port
        let other = try TemporaryFolder("other-authority")
        let made = try Tool.aasa(["certs", "make", "--certs", other.path, "example.com"])
        expectEqual(made.status, 0, "\(made)")
        let storm = try Tool.aasa([
            "storm", "https://example.com:\(port)", "--devices", "20", "--over", "1", "--format",
            "json", "--resolve", "example.com:\(port):127.0.0.1", "--cacert",
            other.path("local-ca/ca.pem"),
        ])
        expectEqual(storm.status, 1, "\(storm)")
        #expect(storm.stdout.contains("\"failures\":{\"tls\":20}"), "\(storm)")
    }

    /// Old devices get through TLS 1.2, ask both paths and HTTP/1.1 or HTTP/2; iOS 8 finds no
    /// signature.
    @Test func playsDevicesOfAllAges() throws {
        let site = try SampleSite()
        try site.write("example.com/host.json", "{\"form\": \"auto\"}")
        let server = try ServerProcess(site)
        let port = server.address.port
        let storm = try Tool.aasa([
            "storm", "https://example.com:\(port)", "--devices", "60", "--over", "1", "--http2",
            "--era", "ios8:1,ios9.3:1,ios13:1,ios14:1,developer:1,managed:1", "--format", "json",
            "--resolve", "example.com:\(port):127.0.0.1", "--html", site.folder.path("storm.html"),
            "--cacert", site.certs + "/local-ca/ca.pem",
        ])
        expectEqual(storm.status, 0, "\(storm)")
        #expect(storm.stdout.contains("\"statuses\":{\"200\":60}"), "\(storm)")
        #expect(storm.stdout.contains("\"failed\":0,\"denials\":{}"), "\(storm)")
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
        expectEqual(storm.status, 2, "\(storm)")
        #expect(storm.stdout.isEmpty)
        #expect(storm.stderr.hasPrefix("aasa: "), "\(storm)")
    }

    /// A load test is for servers of one's own.
    @Test func refusesOtherPeoplesServers() throws {
        let storm = try Tool.aasa([
            "storm", "https://example.com/", "--resolve", "example.com:443:192.0.2.1",
        ])
        expectEqual(storm.status, 2, "\(storm)")
        #expect(storm.stderr.contains("--i-own-this-server"), "\(storm)")
    }
}
