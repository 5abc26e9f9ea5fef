import Foundation
import Glibc
import TestSupport
import Testing

/// `host.json` and certificates that are broken, or gone: every setting stays, and what is gone on
/// purpose can be confirmed.
@Suite(.serialized) struct LastGoodSettingsTests {
    private static func put(_ path: String, _ text: String) {
        try? text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private static let ofSettings: [(host: String, apply: @Sendable (String) -> Void)] = [
        ("broken.example", { put($0, #"{"order": ["ZZZZZZZZZZ"#) }),
        ("gone.example", { unlink($0) }),
        ("mistyped.example", { put($0, #"{"ordr": ["D3KQX62K1A"], "types": {}}"#) }),
        ("nothing.example", { put($0, "") }),
    ]

    /// Everything of an answer that host.json decides.
    private func answers(_ server: ServerProcess, _ names: [String]) throws -> [String] {
        try names.flatMap { name -> [String] in
            let host = name.split(separator: ".").suffix(2).joined(separator: ".")
            let client = try server.client(host)
            return try [TestClient.associationPath, "/.well-known/info"].map { path in
                try client.send("GET \(path) HTTP/1.1\r\nHost: \(name)\r\n\r\n")
                let answer = try client.response()
                let fields = ["max-age=77", "application/json", "text/x-info"].filter {
                    answer.head.contains($0)
                }
                return "\(name)\(path) \(answer.status) \(fields) "
                    + String(decoding: answer.body, as: UTF8.self)
            }
        }
    }

    /// Two teams claim the same path: `order` in `host.json` says whose app it opens.
    @Test(arguments: ServerLife.allCases)
    func everySettingStaysWithoutItsFile(column: ServerLife) throws {
        let site = try SampleSite()
        for (host, _) in Self.ofSettings {
            for team in ["D3KQX62K1A", "ZZZZZZZZZZ"] {
                try site.write(
                    "\(host)/teams/\(team).json",
                    #"{"applinks":{"details":[{"appIDs":["\#(team).com.shop"],"components":"#
                        + #"[{"/":"/shop/*"}]}]}}"#)
            }
            try site.write("\(host)/well-known/info", "{}")
            try site.write(
                "\(host)/host.json",
                #"{"aliases":["www.\#(host)"],"order":["ZZZZZZZZZZ"],"#
                    + #""cacheControl":"max-age=77","types":{"info":"text/x-info"}}"#)
            try FileManager.default.copyItem(
                atPath: "\(site.certs)/example.com", toPath: "\(site.certs)/\(host)")
        }
        if geteuid() == 0 {
            let owned = try Tool.run("chown", ["-R", "65534:65534", site.folder.path])
            expectEqual(owned.status, 0, "\(owned)")
        }
        let options = [
            "--state", site.folder.path("state"), "--workers", "1", "--watch", "off",
            "--drain", "1",
        ]
        var server = try ServerProcess(site, options: options, asNobody: true)
        let names = Self.ofSettings.flatMap { [$0.host, "www." + $0.host] }
        let before = try answers(server, names)
        for answer in before where answer.contains("apple-app-site-association ") {
            #expect(answer.contains(" 200 ") && answer.contains("max-age=77"), "\(answer)")
            let places = ["ZZZZZZZZZZ", "D3KQX62K1A"].map {
                answer.range(of: $0 + ".com.shop")?.lowerBound
            }
            #expect(try #require(places[0]) < #require(places[1]))
        }
        expectEqual(before.filter { $0.contains("text/x-info") }.count, names.count)
        // What is served is kept a moment later, and a process that is killed keeps nothing more.
        let current = site.folder.path("state/current")
        #expect(eventually { FileManager.default.fileExists(atPath: current) })
        for (host, apply) in Self.ofSettings { apply("\(site.site)/\(host)/host.json") }
        let successor = try column.live(&server, site, options)
        defer { if let successor { kill(successor, SIGKILL) } }
        try expectEqual(answers(server, names), before)
        let status = try Tool.aasa(["status"], environment: server.environment)
        for (host, _) in Self.ofSettings {
            #expect(
                status.stdout.contains("\(host): serving the last good version since "),
                "\(status.stdout)")
        }
        // What is gone is confirmed by the next order; what is broken is not.
        guard column == .reload else { return }
        _ = try Tool.aasa(["reload"], environment: server.environment)
        let after = try answers(server, names)
        for (old, new) in zip(before, after) {
            expectEqual((old == new), !old.contains("gone.example"), "\(new)")
        }
    }

    /// One certificate of two was deleted on purpose: nobody has to stop the server.
    @Test func aCertificateOfTwoIsGivenUpByAReload() throws {
        let site = try SampleSite()
        let server = try ServerProcess(
            site,
            options: ["--state", site.folder.path("state"), "--workers", "1", "--watch", "off"])
        for name in ["fullchain-rsa.pem", "privkey-rsa.pem"] {
            expectEqual(unlink("\(site.certs)/example.com/\(name)"), 0)
        }
        let first = try Tool.aasa(["reload"], environment: server.environment)
        #expect(first.status == 1 && first.stdout.contains("fullchain-rsa.pem"), "\(first)")
        let second = try Tool.aasa(["reload"], environment: server.environment)
        expectEqual(second.status, 0, "\(second)")
        #expect(!second.stdout.contains("fullchain-rsa.pem"), "\(second)")
        try expectEqual(server.client().get().status, 200)
        expectEqual(server.stop(), 0)
    }
}
