import Foundation
import Glibc
import TestSupport
import Testing

/// Whatever breaks on disk, and whatever is done to the process after that: what was served before
/// is served after.
@Suite(.serialized) struct LastGoodStateTests {
    /// One host per breakage: all of them in one server, so that a column costs one life.
    struct Breakage: Sendable {
        let name: String
        let apply: @Sendable (_ host: String, _ certificates: String) -> Void

        init(
            _ name: String,
            _ apply: @escaping @Sendable (_ host: String, _ certificates: String) -> Void
        ) {
            self.name = name
            self.apply = apply
        }
    }

    private static let team = "teams/D3KQX62K1A.json"
    private static let sibling = "well-known/assetlinks.json"

    /// What can become of one file.
    private static let ofFiles: [(String, @Sendable (String) -> Void)] = [
        ("empty", { put($0, "") }),
        ("truncated", { put($0, String(text($0).prefix(max(1, text($0).count / 2)))) }),
        ("garbled", { put($0, "\u{1}\u{2} no such thing") }),
        (
            "a folder",
            {
                unlink($0)
                mkdir($0, 0o755)
            }
        ),
        (
            "a dangling link",
            {
                unlink($0)
                symlink("/no/such/file", $0)
            }
        ),
        (
            "a link in a circle",
            {
                unlink($0)
                symlink($0, $0)
            }
        ),
        (
            "a FIFO",
            {
                unlink($0)
                mkfifo($0, 0o644)
            }
        ),
        ("unreadable", { chmod($0, 0) }),
        ("too large", { truncate($0, 1 << 24) }),
    ]

    private static func put(_ path: String, _ text: String) {
        try? text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }

    static let breakages: [Breakage] = ofContent + ofCertificates + ofFolders

    // Apart: the compiler takes half a minute for their types in one expression.
    private static let ofContent: [Breakage] =
        [("team", team), ("sibling", sibling), ("host.json", "host.json")].flatMap { what, file in
            ofFiles.map { name, apply in
                Breakage("\(what): \(name)") { host, _ in apply("\(host)/\(file)") }
            }
        }

    private static let ofCertificates: [Breakage] =
        [("chain", "fullchain.pem"), ("key", "privkey.pem")].flatMap { what, file in
            ofFiles.map { name, apply in
                Breakage("\(what): \(name)") { _, folder in apply("\(folder)/\(file)") }
            }
        }

    private static let ofFolders: [Breakage] =
        [
            Breakage("host.json: gone") { host, _ in unlink(host + "/host.json") },
            Breakage("chain: gone") { _, folder in unlink(folder + "/fullchain.pem") },
            Breakage("key: gone") { _, folder in unlink(folder + "/privkey.pem") },
            Breakage("the only team: gone") { host, _ in unlink(host + "/" + team) },
            Breakage("teams: gone") { host, _ in rename(host + "/teams", host + "/.teams") },
            Breakage("teams: a file") { host, _ in
                rename(host + "/teams", host + "/.teams")
                put(host + "/teams", "x")
            },
            Breakage("teams: unreadable") { host, _ in chmod(host + "/teams", 0) },
            Breakage("well-known: a file") { host, _ in
                rename(host + "/well-known", host + "/.well-known")
                put(host + "/well-known", "x")
            },
            Breakage("well-known: a dangling link") { host, _ in
                rename(host + "/well-known", host + "/.well-known")
                symlink("/no/such", host + "/well-known")
            },
            Breakage("well-known: 70 more files") { host, _ in
                for number in 0..<70 { put(host + "/well-known/a\(number)", "x") }
            },
            Breakage("the host: a file") { host, _ in
                rename(host, hidden(host))
                put(host, "x")
            },
            Breakage("the host: a dangling link") { host, _ in
                rename(host, hidden(host))
                symlink("/no/such", host)
            },
            Breakage("the host: unreadable") { host, _ in chmod(host, 0) },
            Breakage("well-known: gone") { host, _ in
                rename(host + "/well-known", host + "/.well-known")
            },
            Breakage("well-known: unreadable") { host, _ in chmod(host + "/well-known", 0) },
            Breakage("well-known/sub: a dangling link") { host, _ in
                rename(host + "/well-known/sub", host + "/well-known/.sub")
                symlink("/no/such", host + "/well-known/sub")
            },
            Breakage("well-known/sub: a file") { host, _ in
                rename(host + "/well-known/sub", host + "/well-known/.sub")
                put(host + "/well-known/sub", "x")
            },
            Breakage("a text: empty") { host, _ in put(host + "/well-known/security.txt", "") },
            Breakage("the host: emptied") { host, _ in
                rename(host, hidden(host))
                mkdir(host, 0o755)
            },
            Breakage("the host: no files left") { host, _ in
                for file in [team, sibling, "well-known/security.txt", "well-known/sub/x.json"] {
                    unlink("\(host)/\(file)")
                }
            },
            Breakage("two documents") { host, _ in
                put(host + "/apple-app-site-association", "{}")
            },
            Breakage("certificates: gone") { _, folder in rename(folder, hidden(folder)) },
            Breakage("certificates: a file") { _, folder in
                rename(folder, hidden(folder))
                put(folder, "x")
            },
            Breakage("certificates: unreadable") { _, folder in chmod(folder, 0) },
            Breakage("certificates: another's key") { _, folder in
                put(folder + "/privkey.pem", text(folder + "/../example.com/privkey.pem"))
            },
        ]

    private static func hidden(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        return url.deletingLastPathComponent().appendingPathComponent("." + url.lastPathComponent)
            .path
    }

    private static func host(_ index: Int) -> String { "h\(index).example" }

    /// A site with a host for every breakage, owned by a user who is not root: permissions are
    /// nothing to root.
    private func site() throws -> SampleSite {
        let site = try SampleSite()
        for index in Self.breakages.indices {
            let host = Self.host(index)
            try site.write(
                "\(host)/\(Self.team)",
                #"{"webcredentials":{"apps":["D3KQX62K1A.com.example.h\#(index)"]}}"#)
            try site.write("\(host)/\(Self.sibling)", "[\(index)]")
            try site.write("\(host)/well-known/sub/x.json", "[\(index), 1]")
            try site.write("\(host)/well-known/security.txt", "Contact: \(index)")
            try site.write("\(host)/host.json", #"{"aliases":["www.\#(host)"]}"#)
            // One pair for all of them: making keys is not what is tried here.
            try FileManager.default.copyItem(
                atPath: "\(site.certs)/example.com", toPath: "\(site.certs)/\(host)")
            for name in ["fullchain-rsa.pem", "privkey-rsa.pem"] {
                unlink("\(site.certs)/\(host)/\(name)")
            }
        }
        if geteuid() == 0 {
            let owned = try Tool.run("chown", ["-R", "65534:65534", site.folder.path])
            expectEqual(owned.status, 0, "\(owned)")
        }
        return site
    }

    /// Every answer of every host, and of its alias.
    private func answers(_ server: ServerProcess) throws -> [String: String] {
        var answers: [String: String] = [:]
        for index in Self.breakages.indices {
            let host = Self.host(index)
            let client = try server.client(host)
            for (name, path) in [
                (host, TestClient.associationPath), ("www.\(host)", TestClient.associationPath),
                (host, "/.well-known/assetlinks.json"), (host, "/.well-known/sub/x.json"),
                (host, "/.well-known/security.txt"),
            ] {
                try client.send("GET \(path) HTTP/1.1\r\nHost: \(name)\r\n\r\n")
                let answer = try client.response()
                answers["\(name)\(path)"] =
                    "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))"
            }
        }
        return answers
    }

    @Test func thereAreEnoughBreakages() { #expect(Self.breakages.count >= 40) }

    @Test(arguments: ServerLife.allCases)
    func whatWasServedBeforeIsServedAfter(column: ServerLife) throws {
        let site = try site()
        let options = [
            "--state", site.folder.path("state"), "--workers", "1", "--watch", "off",
        ]
        var server = try ServerProcess(site, options: options, asNobody: true)
        let before = try answers(server)
        #expect(before.values.allSatisfy { $0.hasPrefix("200 ") })
        let status = try Tool.aasa(["status"], environment: server.environment)
        #expect(!status.stdout.contains("serving the last good version since"), "\(status)")
        for (index, breakage) in Self.breakages.enumerated() {
            let host = Self.host(index)
            breakage.apply("\(site.site)/\(host)", "\(site.certs)/\(host)")
        }
        let successor = try column.live(&server, site, options)
        defer { if let successor { kill(successor, SIGKILL) } }
        let after = try answers(server)
        for (index, breakage) in Self.breakages.enumerated() {
            let host = Self.host(index)
            for (key, answer) in before
            where key.hasPrefix("\(host)/") || key.hasPrefix("www.\(host)/") {
                expectEqual(after[key], answer, "\(column) after \(breakage.name): \(key)")
            }
        }
        let verdict = try Tool.aasa(["status"], environment: server.environment)
        expectEqual(verdict.status, 1)
        // Nobody looks for files that are there.
        let closed = try #require(
            Self.breakages.firstIndex { $0.name == "certificates: unreadable" })
        let said = (server.log + verdict.stdout).split(separator: "\n").filter {
            $0.contains("\(site.certs)/\(Self.host(closed))")
        }
        #expect(said.contains { $0.contains("Permission denied") }, "\(column): \(said)")
        #expect(!said.contains { $0.contains("gone") }, "\(column): \(said)")
        for (index, breakage) in Self.breakages.enumerated()
        where !breakage.name.hasPrefix("c") && !breakage.name.hasPrefix("key") {
            // A few over the limit keep nothing, and a certificate is told as one.
            if breakage.name.contains("70") { continue }
            #expect(
                verdict.stdout.contains(
                    "\(Self.host(index)): serving the last good version since "), "\(breakage.name)"
            )
        }
    }

    /// What concerns the site as a whole.
    @Test(arguments: ["no site", "an empty site", "no certificates", "all at once"])
    func aVolumeThatIsNotThereCostsNothing(what: String) throws {
        let site = try SampleSite()
        let options = ["--state", site.folder.path("state"), "--workers", "1", "--watch", "off"]
        var server = try ServerProcess(site, options: options)
        let good = try server.client().get().body
        // The reloader's thread writes it, and may start late.
        let kept = site.folder.path("state/current/site/example.com")
        #expect(eventually { FileManager.default.fileExists(atPath: kept) })
        expectEqual(server.stop(), 0)
        if what != "no certificates" { expectEqual(rename(site.site, site.site + ".away"), 0) }
        if what == "an empty site" { mkdir(site.site, 0o755) }
        if what.contains("certificates") || what.contains("all") {
            expectEqual(rename(site.certs, site.certs + ".away"), 0)
        }
        server = try ServerProcess(site, options: options)
        try expectEqual(server.client().get().body, good)
        // A folder that is gone is told as such; what it held goes on being used.
        let words =
            what == "no certificates"
            ? "reading the folder" : "serving the last good version since "
        #expect(server.log.contains(words), "\(server.log)")
        expectEqual(server.stop(), 0)
    }

    /// A state folder that cannot be used is said, and is no reason not to serve.
    @Test(arguments: ["foreign", "newer", "a file", "torn", "torn by 1.1.0"])
    func aStateFolderThatIsBrokenItselfIsSaid(what: String) throws {
        let site = try SampleSite()
        let state = site.folder.path("state")
        switch what {
        case "foreign": try site.folder.write("state/letters.txt", "mine")
        case "newer": try site.folder.write("state/aasa-state", "aasa-state 9\n")
        case "a file": try site.folder.write("state", "x")
        case "torn":
            try site.folder.write("state/aasa-state", "aasa-state 3\n")
            try site.folder.write("state/kept/0123/facts.json", "{")
            expectEqual(symlink("kept/0123", state + "/current"), 0)
        default:
            try site.folder.write("state/aasa-state", "aasa-state 1\n")
            try site.folder.write("state/hosts/example.com", "aasa-state 1 host example.com 0\nx")
        }
        let server = try ServerProcess(site, options: ["--state", state, "--workers", "1"])
        try expectEqual(server.client().get().status, 200)
        #expect(server.log.contains(" state: \(state)"), "\(server.log)")
        expectEqual(server.stop(), 0)
        if what == "foreign" {
            try expectEqual(site.folder.read("state/letters.txt"), Array("mine".utf8))
        }
    }
}
