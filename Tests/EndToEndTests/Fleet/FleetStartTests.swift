import Foundation
import Glibc
import Reactor
import TestSupport
import Testing

/// A server before it has something to serve.
@Suite(.serialized) struct FleetStartTests {
    /// Starts a server that is not waited for; ended with the value.
    private final class Start {
        let pid: pid_t
        private let site: SampleSite
        private let files: TemporaryFolder
        let admin: String

        init(_ site: SampleSite, _ options: [String]) throws {
            self.site = site
            files = try TemporaryFolder("start")
            var probe = try ListeningSocket(on: .v4(0x7F00_0001, port: 0), backlog: 1)
            admin = "\(probe.address)"
            probe.close()
            pid = try Tool.spawn(
                try Tool.aasa(),
                [
                    "serve", "--certs", site.certs, "--listen", "127.0.0.1:0", "--admin", admin,
                    "--run", files.path("run"), "--ready-file", files.path("ready"),
                ] + options, output: files.path("out"), errors: files.path("err"))
        }

        var log: String {
            (try? String(contentsOfFile: files.path("err"), encoding: .utf8)) ?? ""
        }

        func ask(_ path: String) throws -> String {
            try Tool.run(
                "curl", ["-s", "-w", "%{http_code}", "http://\(admin)\(path)"]
            ).stdout
        }

        func says(_ path: String, _ parts: String...) throws -> Bool {
            try eventually {
                let answer = try ask(path)
                return parts.allSatisfy(answer.contains)
            }
        }

        func status(after signal: Int32) -> Int32 {
            kill(pid, signal)
            return Tool.wait(for: pid, timeout: .seconds(20)).status
        }

        deinit {
            kill(pid, SIGKILL)
            _ = Tool.wait(for: pid, timeout: .seconds(30))
        }
    }

    private func start(_ bed: FleetBed) throws -> Start {
        try Start(
            bed.site,
            [
                "--fleet", "web", "--etcd", bed.etcd.url, "--machine", "m1", "--state",
                bed.state("m1"),
            ])
    }

    @Test(.enabled(if: EtcdProcess.isInstalled), arguments: [SIGTERM, SIGINT])
    func aMachineWithoutAFirstRevisionEndsWhenItIsToldTo(signal: Int32) throws {
        let bed = try FleetBed()
        bed.etcd.kill()
        let server = try start(bed)
        #expect(try server.says("/healthz", "failing", "nothing is served yet", "200"))
        expectEqual(server.status(after: signal), 0, "\(server.log)")
        #expect(server.log.contains("received before anything was served"), "\(server.log)")
    }

    @Test(.enabled(if: EtcdProcess.isInstalled))
    func aMachineWithoutAFirstRevisionSaysSoAndWaits() throws {
        let bed = try FleetBed()
        bed.etcd.kill()
        let server = try start(bed)
        let missing = "fleet: etcd does not answer: "
        #expect(try server.says("/readyz", "not ready", missing, "503"), "\(server.log)")
        for page in ["/", "/metrics", "/status.json"] {
            #expect(try server.says(page, "200"), "\(page)")
        }
        #expect(server.log.contains("nothing is served until it answers"), "\(server.log)")
        #expect(!server.log.contains("keeps serving its revision"), "\(server.log)")
        try bed.etcd.restart()
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        #expect(try server.says("/readyz", "ready", "200"), "\(server.log)")
        let fleet = try bed.fleet("status", "--wait", "60s")
        expectEqual(fleet.status, 0, "\(fleet)")
        expectEqual(server.status(after: SIGTERM), 0, "\(server.log)")
    }

    /// Whoever asks the fleet learns that this machine serves nothing.
    @Test(.enabled(if: EtcdProcess.isInstalled))
    func aMachineWhoseFirstRevisionIsRefusedIsNotWell() throws {
        let bed = try FleetBed()
        try expectEqual(bed.fleet("publish", bed.site.site).status, 0)
        let keys = try bed.etcd.control(["get", "--prefix", "/aasa/web/blobs/", "--keys-only"])
        for key in keys.stdout.split(separator: "\n") where !key.isEmpty {
            try bed.etcd.control(["put", String(key), "{\"poison\":true}"])
        }
        let server = try start(bed)
        let refused = "revision 1 is rejected, nothing is served: "
        #expect(try server.says("/readyz", "not ready", refused, "503"), "\(server.log)")
        let isKnown = try eventually {
            let status = try bed.fleet("status")
            return status.status == 1 && status.stdout.contains("failing")
        }
        #expect(isKnown, "\(server.log)")
        expectEqual(server.status(after: SIGTERM), 0, "\(server.log)")
    }

    /// A pipe that no process writes into would keep its reader waiting.
    @Test func aPipeInTheSiteIsReportedAndNotWaitedFor() throws {
        let site = try SampleSite()
        let pipe = site.site + "/example.com/teams/\(SampleSite.teams[0]).json"
        try FileManager.default.removeItem(atPath: pipe)
        expectEqual(mkfifo(pipe, 0o644), 0)
        let server = try Start(site, ["--site", site.site])
        #expect(try server.says("/healthz", "not a regular file", "200"), "\(server.log)")
        expectEqual(server.status(after: SIGTERM), 0, "\(server.log)")
    }
}
