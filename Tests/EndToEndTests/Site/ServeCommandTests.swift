// Covers: AASA.swift, ExitCode.swift

import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct ServeCommandTests {
    private func serve(
        _ arguments: [String], environment: [String: String] = [:]
    ) throws -> Tool.Result {
        try Tool.aasa(["serve"] + arguments, environment: environment)
    }

    @Test func checkSaysWhatWouldBeServed() throws {
        let site = try SampleSite()
        let good = try serve(["--check", "--site", site.site, "--certs", site.certs])
        expectEqual(good.status, 0, "\(good)")
        for part in ["example.com", "other.example", "131072", "ECDSA P-256", "RSA"] {
            #expect(good.stdout.contains(part), "\(part) in \(good.stdout)")
        }
        #expect(!good.stdout.contains("1 siblings"), "\(good.stdout)")
        try site.write("example.com/teams/D3KQX62K1A.json", "{\n  \"applinks\": {},\n}")
        let broken = try serve(["--check", "--site", site.site, "--certs", site.certs])
        expectEqual(broken.status, 1)
        #expect(broken.stderr.contains("D3KQX62K1A.json:2:"), "\(broken.stderr)")
        #expect(broken.stderr.contains("fix="))
    }

    @Test func whatKeepsItFromRunningIsStatus3WithAReasonAndARemedy() throws {
        let site = try SampleSite()
        let folders = ["--site", site.site, "--certs", site.certs]
        let table: [([String], String)] = [
            (["--site", "/no/site", "--certs", site.certs, "--listen", "127.0.0.1:0"], "/no/site"),
            (["--site", site.site, "--certs", "/no/certs", "--listen", "127.0.0.1:0"], "certs"),
            (folders + ["--listen", "192.0.2.77:0"], "192.0.2.77"),
            (folders + ["--listen", "127.0.0.1:0", "--default-host", "x.example"], "x.example"),
            (folders + ["--listen", "127.0.0.1:0", "--log-file", "/no/log"], "/no/log"),
            (
                folders + ["--listen", "127.0.0.1:0", "--access-log", "/no/such/log"],
                "create the folder /no/such first"
            ),
            (folders + ["--listen", "127.0.0.1:0", "--user", "no-such-user"], "no-such-user"),
            (
                folders + ["--listen", "127.0.0.1:1", "--admin", "127.0.0.1:1"],
                "this is the address of --listen 127.0.0.1:1"
            ),
            (
                folders + ["--listen", "*:1", "--admin", "127.0.0.1:1"],
                "this is the address of --listen"
            ),
            (
                folders + ["--listen", "127.0.0.1:0", "--admin", "unix:\(site.site)/plain"],
                "there is a file that is not a socket"
            ),
            (
                folders + ["--listen", "127.0.0.1:0", "--pid-file", "/no/folder/pid"],
                "create the folder /no/folder first"
            ),
            (
                folders + ["--listen", "127.0.0.1:0", "--admin", "unix:/no/folder/admin"],
                "create the folder /no/folder first"
            ),
            (
                folders + ["--listen", "127.0.0.1:1", "--listen-plain", "127.0.0.1:1"],
                "this is the address of --listen 127.0.0.1:1"
            ),
            (
                folders + [
                    "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--admin-token-file",
                    "/no/token",
                ], "/no/token"
            ),
        ]
        _ = try site.folder.write("site/plain", "somebody's file")
        for (arguments, part) in table {
            let result = try serve(arguments)
            expectEqual(result.status, 3, "\(arguments): \(result)")
            #expect(result.stderr.contains(part), "\(result.stderr)")
            #expect(result.stderr.contains("aasa: "))
            #expect(!result.stderr.contains("Fatal"))
            let check = try serve(arguments + ["--check"])
            #expect([1, 3].contains(check.status), "\(arguments): \(check)")
            #expect(check.stderr.contains(part), "\(check.stderr)")
        }
        // What is no socket is not overwritten.
        try expectEqual(site.folder.read("site/plain"), Array("somebody's file".utf8))
    }

    /// Whoever waits for the file of a server that was killed would go on before the next serves.
    @Test func aLeftoverReadyFileIsTakenAway() throws {
        let site = try SampleSite()
        let ready = site.folder.path("ready")
        try "listen 127.0.0.1:1\n".write(toFile: ready, atomically: true, encoding: .utf8)
        let result = try Tool.aasa([
            "serve", "--site", site.folder.path("none"), "--certs", site.certs, "--listen",
            "127.0.0.1:0", "--ready-file", ready,
        ])
        expectEqual(result.status, 3, "\(result)")
        #expect(!FileManager.default.fileExists(atPath: ready))
    }

    @Test func aPortInUseNamesItsOwner() throws {
        let server = try ServerProcess(try SampleSite())
        try server.site.folder.write("ready", "the first server's")
        let result = try serve([
            "--site", server.site.site, "--certs", server.site.certs, "--listen",
            "\(server.address)", "--ready-file", server.site.folder.path("ready"),
        ])
        expectEqual(result.status, 3)
        #expect(result.stderr.contains("in use by"), "\(result.stderr)")
        #expect(result.stderr.contains("(process \(server.pid))"), "\(result.stderr)")
        // What belongs to the first stays.
        #expect(FileManager.default.fileExists(atPath: server.site.folder.path("ready")))
        try expectEqual(server.client().get().status, 200)
    }

    @Test func tooFewDescriptorsAreSaid() throws {
        let site = try SampleSite()
        let script = "ulimit -n 70 && exec \"$0\" \"$@\""
        let result = try Tool.run(
            "/bin/sh",
            [
                "-c", script, try Tool.aasa(), "serve", "--site", site.site, "--certs", site.certs,
                "--listen", "127.0.0.1:0",
            ])
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stderr.contains("LimitNOFILE"))
    }

    @Test func logsAreJSONLinesAndFollowRotation() throws {
        let site = try SampleSite()
        let log = site.folder.path("log")
        let access = site.folder.path("access")
        let server = try ServerProcess(
            site, options: ["--log-format", "json", "--log-file", log, "--access-log", access])
        try expectEqual(server.client().get().status, 200)
        func lines(_ path: String) -> [Substring] {
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            return text.split(separator: "\n")
        }
        #expect(eventually { lines(access).count == 1 })
        for path in [log, access] { expectEqual(rename(path, path + ".1"), 0) }
        server.signal(SIGUSR1)
        #expect(eventually { lines(log).contains { $0.contains("reopened") } })
        try expectEqual(server.client().get().status, 200)
        #expect(eventually { lines(access).count == 1 })
        expectEqual(server.stop(), 0)
        for path in [log, access, access + ".1"] {
            for line in lines(path) {
                #expect(
                    (try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line)")
            }
        }
    }

    /// The table at the start, notes, and why a start fails: collectors read nothing else.
    @Test func withJSONEveryLineIsJSON() throws {
        func objects(_ text: String) throws -> [[String: Any]] {
            try text.split(separator: "\n").map { line in
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
                return try #require(object as? [String: Any], "\(line)")
            }
        }
        let site = try SampleSite()
        let server = try ServerProcess(
            site, options: ["--log-format", "json"], environment: ["AASA_LISTN": "misspelt"])
        expectEqual(server.stop(), 0)
        let lines = try objects(server.log)
        let messages = lines.compactMap { $0["message"] as? String }
        #expect(messages.contains { $0.contains("AASA_LISTN") })
        let host = try #require(lines.first { $0["message"] as? String == "serving host" })
        #expect(host["host"] as? String == "example.com" && host["teams"] as? Int == 3)
        let drain = try #require(lines.first { ($0["seconds"] as? Int) != nil })
        #expect(drain["seconds"] as? Int == 10)
        let failed = try Tool.aasa(["serve", "--site", "/no/site", "--log-format", "json"])
        expectEqual(failed.status, 3)
        let reason = try #require(objects(failed.stderr).last)
        #expect(reason["level"] as? String == "error" && reason["fix"] != nil)
    }

    @Test(arguments: ["0.0.0.0:0", "*:0", "[::]:0"])
    func theAdminSideOnTheNetworkAsksForItsToken(address: String) throws {
        let site = try SampleSite()
        let open = try ServerProcess(site, options: ["--admin", address, "--admin-allow-network"])
        func status(
            _ server: ServerProcess, _ path: String, _ token: String? = nil
        ) throws -> String {
            let url = "http://127.0.0.1:\(server.adminAddress.port)\(path)"
            let field = token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
            return try Tool.run(
                "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}"] + field + [url]
            ).stdout
        }
        try expectEqual(["/healthz", "/readyz"].map { try status(open, $0) }, ["200", "200"])
        try expectEqual(status(open, "/metrics"), "403")
        expectEqual(open.stop(), 0)
        let scraped = try ServerProcess(
            site, options: ["--admin", address, "--admin-allow-network", "--admin-open-metrics"])
        try expectEqual(["/healthz", "/metrics"].map { try status(scraped, $0) }, ["200", "200"])
        try expectEqual(["/", "/status.json"].map { try status(scraped, $0) }, ["403", "403"])
        expectEqual(scraped.stop(), 0)
        let token = "a-token-of-28-characters-----"
        try site.folder.write("token", token + "\n")
        let guarded = try ServerProcess(
            site,
            options: [
                "--admin", address, "--admin-allow-network", "--admin-token-file",
                site.folder.path("token"),
            ])
        try expectEqual(status(guarded, "/healthz"), "200")
        for path in ["/", "/metrics", "/status.json"] {
            try expectEqual(status(guarded, path), "401")
            try expectEqual(status(guarded, path, "wrong-wrong-wrong-wrong-wrong"), "401")
            try expectEqual(status(guarded, path, token), "200")
        }
        expectEqual(guarded.stop(), 0)
    }

    @Test func aKeyThatEverybodyCanReadIsReported() throws {
        let site = try SampleSite()
        let key = site.certs + "/example.com/privkey.pem"
        // The folders above let others through only where the test says so.
        guard try Tool.run("chmod", ["-R", "a+rX", site.folder.path]).status == 0,
            access("/tmp", X_OK) == 0
        else { return }
        let options = ["--site", site.site, "--certs", site.certs, "--check"]
        let loud = try Tool.aasa(["serve"] + options)
        #expect(loud.status == 0 && loud.stderr.contains("chmod o-rwx \(key)"), "\(loud)")
        expectEqual(chmod(key, 0o640), 0)
        #expect(!(try Tool.aasa(["serve"] + options)).stderr.contains("chmod o-rwx \(key)\n"))
    }

    @Test func rootIsGivenUp() throws {
        guard geteuid() == 0 else {
            print("rootIsGivenUp: skipped, needs root")
            return
        }
        let site = try SampleSite()
        // The folders are ours alone; the new user has to reach and read them.
        _ = try Tool.run("chmod", ["-R", "a+rX", site.folder.path])
        let server = try ServerProcess(site, options: ["--user", "nobody"])
        try expectEqual(server.client().get().status, 200)
        let status = try String(contentsOfFile: "/proc/\(server.pid)/status", encoding: .utf8)
        let nobody = getpwnam("nobody")
        let uid = try #require(nobody).pointee.pw_uid
        #expect(status.contains("Uid:\t\(uid)\t\(uid)\t\(uid)"), "\(status)")
        // Of every thread, as it holds for a thread and for those that it starts.
        let threads = try FileManager.default.contentsOfDirectory(
            atPath: "/proc/\(server.pid)/task")
        #expect(threads.count > 3)
        for thread in threads {
            let status = try String(
                contentsOfFile: "/proc/\(server.pid)/task/\(thread)/status", encoding: .utf8)
            #expect(status.contains("NoNewPrivs:\t1"), "\(status.prefix(40))")
        }
        try site.write("example.com/well-known/gpc.json", "{}")
        #expect(eventually { server.log.contains("gpc.json added") }, "\(server.log)")
        expectEqual(server.stop(), 0)
    }

    /// Its user has to connect to it: commands run as that user.
    @Test func theAdminSocketBelongsToTheUser() throws {
        guard geteuid() == 0 else {
            print("theAdminSocketBelongsToTheUser: skipped, needs root")
            return
        }
        let site = try SampleSite()
        _ = try Tool.run("chmod", ["-R", "a+rX", site.folder.path])
        let socket = site.folder.path("admin")
        let server = try ServerProcess(
            site, options: ["--user", "nobody"], admin: "unix:\(socket)")
        var found = stat()
        let status = lstat(socket, &found)
        expectEqual(status, 0)
        let nobody = getpwnam("nobody")?.pointee.pw_uid
        expectEqual(found.st_uid, nobody)
        expectEqual(server.stop(), 0)
    }
}
