// Covers: Health.swift

import Foundation
import TestSupport
import Testing

/// What load balancers, alerts and operators learn about hosts that are not served.
@Suite(.serialized) struct HealthReportTests {
    private func fetch(_ server: ServerProcess, _ path: String) throws -> String {
        try Tool.run(
            "curl", ["-s", "-w", "%{http_code}", "http://\(server.adminAddress)\(path)"]
        ).stdout
    }

    private func shows(_ server: ServerProcess, _ path: String, _ part: String) throws -> Bool {
        try eventually { try fetch(server, path).contains(part) }
    }

    private func status(_ server: ServerProcess) throws -> Tool.Result {
        try Tool.aasa(["status"], environment: server.environment)
    }

    private func available(_ host: String, _ value: Int) -> String {
        "aasa_document_available{host=\"\(host)\"} \(value)\n"
    }

    /// The authority does not answer, so no order succeeds.
    @Test(arguments: [["other.example"], ["other.example", "example.com"]])
    func withoutACertificateAHostIsNotServed(bare: [String]) throws {
        let site = try SampleSite()
        for host in bare { try FileManager.default.removeItem(atPath: "\(site.certs)/\(host)") }
        let server = try ServerProcess(
            site,
            options: [
                "--acme", "--acme-agree-terms", "--acme-directory", "https://127.0.0.1:1/dir",
            ])
        let readiness = bare.count == 1 ? "200" : "503"
        #expect(try shows(server, "/readyz", readiness), "\(server.log)")
        for host in ["example.com", "other.example"] {
            let line = available(host, bare.contains(host) ? 0 : 1)
            #expect(try shows(server, "/metrics", line), "\(line)")
        }
        let verdict = try status(server)
        #expect(verdict.status == 1 && verdict.stdout.contains("failing: "), "\(verdict)")
        #expect(
            verdict.stdout.contains(
                "other.example has no certificate: no client can connect\n    fix: "), "\(verdict)")
        expectEqual(server.stop(), 0)
    }

    @Test func aHostThatVanishedIsAnAlertUntilItIsConfirmed() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site)
        #expect(try shows(server, "/metrics", available("other.example", 1)))
        try FileManager.default.removeItem(atPath: "\(site.site)/other.example")
        #expect(try shows(server, "/metrics", available("other.example", 0)), "\(server.log)")
        #expect(try fetch(server, "/readyz").hasSuffix("200"), "the other host is served")
        let verdict = try status(server)
        #expect(verdict.status == 1 && verdict.stdout.contains("its folder vanished"), "\(verdict)")
        let confirmed = try Tool.aasa(["reload"], environment: server.environment)
        expectEqual(confirmed.status, 0, "\(confirmed)")
        #expect(try !fetch(server, "/metrics").contains(available("other.example", 0)))
        try expectEqual(status(server).status, 0)
        expectEqual(server.stop(), 0)
    }

    @Test func aStrayFolderIsAWarning() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site)
        try FileManager.default.createDirectory(
            atPath: "\(site.site)/new.example", withIntermediateDirectories: false)
        #expect(try shows(server, "/metrics", "aasa_health_level 1\n"), "\(server.log)")
        #expect(try !fetch(server, "/metrics").contains("document_available{host=\"new.example\""))
        #expect(try fetch(server, "/readyz").hasSuffix("200"))
        let verdict = try status(server)
        #expect(
            verdict.stdout.contains("new.example is not served: its folder is empty"), "\(verdict)")
        expectEqual(server.stop(), 0)
    }
}
