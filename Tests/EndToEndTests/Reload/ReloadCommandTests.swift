// Covers: StatusCommand.swift, FolderWatch.swift

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct ReloadCommandTests {
    @Test func aReloadIsOrderedByPidFile() throws {
        let site = try SampleSite()
        let pidFile = site.folder.path("pid")
        let server = try ServerProcess(site, options: ["--watch", "off", "--pid-file", pidFile])
        #expect(eventually { FileManager.default.fileExists(atPath: pidFile) })
        // Behind the reloader's first look at the folders, which may come late and would take what
        // has changed by then for a change of its own.
        let first = try Tool.aasa(
            ["reload", "--pid-file", pidFile], environment: server.environment)
        expectEqual(first.status, 0, "\(first)")
        let team = SampleSite.teams[0]
        try site.write("example.com/teams/\(team).json", SampleSite.fragment(team, path: "/n/*"))
        let result = try Tool.aasa(
            ["reload", "--pid-file", pidFile], environment: server.environment)
        expectEqual(result.status, 0, "\(result)")
        #expect(result.stdout.contains("~ rule"), "\(result)")
        try site.write("example.com/teams/\(team).json", "{")
        let broken = try Tool.aasa(["reload"], environment: server.environment)
        expectEqual(broken.status, 1, "\(broken)")
        #expect(broken.stdout.contains("\(team).json:1:2: "), "\(broken)")
        #expect(
            broken.stdout.contains("example.com: serving the last good version since "), "\(broken)"
        )
        try site.write("example.com/teams/\(team).json", SampleSite.fragment(team, path: "/n/*"))
        #expect(eventually { server.log.contains("cause=order") }, "\(server.log)")
        #expect(server.log.contains("~ rule"))
        expectEqual(server.stop(), 0)
        #expect(!FileManager.default.fileExists(atPath: pidFile))
    }

    /// A host in `auto` whose certificate is renewed again and again while it is asked: new
    /// connections see the new certificate, open ones go on, the signed form is always verifiable.
    @Test func renewedCertificatesAreTakenOverAndSignAnew() throws {
        let site = try SampleSite()
        try site.write("example.com/host.json", "{\"form\": \"auto\"}")
        let server = try ServerProcess(site)
        let open = try server.client()
        try expectEqual(open.get().status, 200)
        for round in 1...3 {
            try FileManager.default.removeItem(atPath: "\(site.certs)/example.com")
            let made = try Tool.aasa(["certs", "make", "--certs", site.certs, "example.com"])
            expectEqual(made.status, 0, "\(made)")
            let isTakenOver = try eventually {
                guard try server.client().get().status == 200 else { return false }
                return signings(server.log) >= round
            }
            #expect(isTakenOver, "\(server.log)")
            let client = try server.client()
            try client.send(
                "GET \(TestClient.associationPath) HTTP/1.1\r\nHost: example.com\r\n"
                    + "User-Agent: swcd (unknown version) CFNetwork/711.1.16 Darwin/14.0\r\n\r\n")
            let signed = try client.response()
            #expect(signed.head.contains("application/pkcs7-mime"))
            let file = try site.folder.write("signed.der", signed.body)
            let verified = try Tool.run(
                "openssl",
                [
                    "cms", "-verify", "-inform", "DER", "-in", file, "-purpose", "sslserver",
                    "-CAfile", "\(site.certs)/local-ca/ca.pem",
                ])
            expectEqual(verified.status, 0, "\(verified.stderr)")
            expectEqual(verified.outputBytes, (try open.get().body))
        }
        expectEqual(server.stop(), 0)
    }

    /// A release swaps the link that the site is reached through: what is watched otherwise is the
    /// old release, in which nothing changes any more. Polling would see it a minute later.
    @Test(arguments: ["current", "current/site"])
    func aSwappedLinkIsNoticed(_ path: String) throws {
        let site = try SampleSite()
        let folder = site.folder
        let isInside = path.hasSuffix("/site")
        for release in ["one", "two"] {
            try folder.makeFolder("releases/\(release)")
            let place = "releases/\(release)" + (isInside ? "/site" : "")
            if isInside { try folder.makeFolder(place) }
            try FileManager.default.copyItem(
                atPath: "\(site.site)/example.com", toPath: folder.path("\(place)/example.com"))
        }
        let team = SampleSite.teams[0]
        try folder.write(
            "releases/two\(isInside ? "/site" : "")/example.com/teams/\(team).json",
            SampleSite.fragment(team, path: "/released/*"))
        expectEqual(symlink("releases/one", folder.path("current")), 0)
        let server = try ServerProcess(
            site, options: ["--site", folder.path(path), "--poll", "86400"])
        let client = try server.client()
        try expectEqual(client.get().status, 200)
        expectEqual(symlink("releases/two", folder.path("next")), 0)
        expectEqual(rename(folder.path("next"), folder.path("current")), 0)
        let isTaken = try eventually {
            String(decoding: try client.get().body, as: UTF8.self).contains("/released/*")
        }
        #expect(isTaken, "\(server.log)")
        expectEqual(server.stop(), 0)
    }

    private func signings(_ log: String) -> Int {
        log.split(separator: "\n").filter { $0.contains("signed again") }.count
    }

    @Test func brokenEditsNeverReachAnybody() throws {
        let site = try SampleSite()
        let server = try ServerProcess(site)
        let client = try server.client()
        let good = try client.get().body
        let file = "example.com/teams/\(SampleSite.teams[0]).json"
        for broken in ["", "{", "[]", "{\"applinks\": 1}", "\u{FEFF}{", "<html>"] {
            try site.write(file, broken)
            usleep(300_000)
            let answer = try client.get()
            expectEqual(answer.status, 200)
            expectEqual(answer.body, good)
        }
        #expect(eventually { server.log.contains("serving the last good version") })
        #expect(try server.metric("aasa_reloads_total", "failed") >= 1)
        let team = SampleSite.teams[0]
        try site.write(file, SampleSite.fragment(team, path: "/mended/*"))
        let isMended = try eventually {
            String(decoding: try client.get().body, as: UTF8.self).contains("/mended/*")
        }
        #expect(isMended)
        expectEqual(server.stop(), 0)
    }
}
