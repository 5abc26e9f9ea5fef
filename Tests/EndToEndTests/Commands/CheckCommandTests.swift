// Covers: TranscriptJSON.swift

import Foundation
import TestSupport
import Testing

/// `aasa check` and `aasa device` against our own server in every form.
@Suite struct CheckCommandTests {
    static func options(_ server: ServerProcess) -> [String] {
        [
            "--resolve", "example.com:443:\(server.address)", "--cacert",
            server.site.certs + "/local-ca/ca.pem", "--timeout", "60", "--format", "json",
        ]
    }

    static func json(_ result: Tool.Result) throws -> [[String: Any]] {
        try #require(
            JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [[String: Any]],
            "\(result)")
    }

    @Test(arguments: ["json", "signed", "auto"])
    func findsOurOwnServerGood(form: String) throws {
        let site = try SampleSite()
        try site.write("example.com/host.json", "{\"form\": \"\(form)\"}")
        let server = try ServerProcess(site)
        let result = try Tool.aasa(["check", "example.com"] + Self.options(server))
        expectEqual(result.status, 0, "\(result)")
        let report = try #require(try Self.json(result).first)
        #expect(report["errors"] as? Int == 0)
        for key in ["group", "groupWithIOS26"] {
            let group = try #require(report[key] as? String, "\(key)")
            #expect(group.lowercased().contains("x25519"), "\(key): \(group)")
        }
        let eras = try #require(report["eras"] as? [[String: Any]])
        for era in eras {
            // Universal links came after iOS 8, which has no suite in common with a host that
            // serves no signed form.
            let isOld = era["era"] as? String == "ios8"
            let isTooNew = isOld && era["service"] as? String == "applinks"
            let verdict =
                isTooNew ? "skipped" : isOld && form == "json" ? "failed" : "associated"
            #expect(era["verdict"] as? String == verdict, "\(era)")
        }
        #expect(Set(eras.compactMap { $0["service"] as? String }).contains("webcredentials"))
    }

    /// An app is judged by the services that list it, and exit status follows current devices.
    @Test func playsTheServicesThatListTheApp() throws {
        let site = try SampleSite()
        let app = "\(SampleSite.teams[0]).com.example.clip.Clip"
        try site.write(
            "example.com/teams/\(SampleSite.teams[0]).json",
            "{\"appclips\": {\"apps\": [\"\(app)\"]}}")
        let server = try ServerProcess(site)
        func services(_ app: String, status: Int32) throws -> Set<String> {
            let result = try Tool.aasa(
                ["check", "example.com", "--app", app] + Self.options(server))
            expectEqual(result.status, status, "\(result)")
            let report = try #require(try Self.json(result).first)
            let eras = try #require(report["eras"] as? [[String: Any]])
            let current = eras.filter { $0["era"] as? String == "ios14" }
            let expected = status == 0 ? "associated" : "will-retry"
            for era in current where era["verdict"] as? String != expected {
                #expect(era["verdict"] as? String == "denied", "\(era)")
            }
            return Set(current.compactMap { $0["service"] as? String })
        }
        try expectEqual(services(app, status: 0), ["appclips"])
        #expect(try services("\(SampleSite.teams[0]).com.example.nobody", status: 1).count > 1)
    }

    @Test(arguments: ["json", "signed", "auto"])
    func installsAnAppInEveryEra(form: String) throws {
        let site = try SampleSite()
        try site.write("example.com/host.json", "{\"form\": \"\(form)\"}")
        let server = try ServerProcess(site)
        let result = try Tool.aasa(
            [
                "device", "--domain", "webcredentials:example.com", "--app",
                "\(SampleSite.teams[0]).com.example.app", "--era", "all",
            ] + Self.options(server))
        expectEqual(result.status, (form == "json" ? 1 : 0), "\(result)")
        let transcripts = try Self.json(result)
        expectEqual(transcripts.count, 7)
        for transcript in transcripts {
            // A host without the signed form offers no suite that iOS 8 has.
            let isRefused = form == "json" && transcript["era"] as? String == "ios8"
            #expect(
                transcript["verdict"] as? String == (isRefused ? "failed" : "associated"),
                "\(transcript)")
        }
    }

    /// Where nothing could be asked, nothing is known: neither good nor a verdict on the host.
    @Test func couldNotRunWithoutARoute() throws {
        // TCP has no way to a multicast address.
        let nowhere = ["--resolve", "example.com:443:224.0.0.1"]
        let result = try Tool.aasa(["check", "example.com"] + nowhere)
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stdout.contains("address-no-route"))
        // A host that was asked and fails is a verdict.
        let both = try Tool.aasa(
            ["check", "example.com", "example.org"] + nowhere + [
                "--resolve", "example.org:443:127.0.0.1:1",
            ])
        expectEqual(both.status, 1, "\(both)")
    }

    @Test func takesAnIPv6AddressWithAPort() throws {
        let result = try Tool.aasa(
            ["check", "[::1]:1", "--no-cdn-copy", "--timeout", "60", "--format", "json"])
        expectEqual(result.status, 1)
        let report = try #require(try Self.json(result).first)
        #expect(report["host"] as? String == "::1")
        #expect(report["port"] as? Int == 1)
        #expect(report["addresses"] as? [String] == ["::1"])
        expectEqual((report["summary"] as? String)?.hasPrefix("[::1]:1: "), true)
        let text = try Tool.aasa(["check", "[::1]:1", "--no-cdn-copy", "--timeout", "60"])
        #expect(text.stdout.contains("[::1]: error: [::1] is private or reserved"), "\(text)")
        #expect(!text.stdout.contains("\\u003a"), "\(text)")
        // Its last group may be meant as a port.
        for unclear in ["::1", "[::1", "[::1]:x", "example.com/some/path", "https://a.de/b"] {
            try expectEqual(Tool.aasa(["check", unclear]).status, 2, "\(unclear)")
        }
    }

    /// A name beyond ASCII is the same host in both places; an address that nothing uses is named.
    @Test func addressesGivenAreUsedOrNamed() throws {
        for host in ["bücher.example", "BÜCHER.example.", "xn--bcher-kva.example"] {
            let result = try Tool.aasa([
                "check", "bücher.example:1", "--resolve", "\(host):1:127.0.0.1",
            ])
            #expect(result.status == 1 && result.stdout.contains("address-refused"), "\(result)")
            #expect(!result.stderr.contains("was not used"), "\(result)")
        }
        let options = ["--resolve", "a.example:1:127.0.0.1", "--resolve", "a.example:2:127.0.0.1"]
        for command in [
            ["check", "a.example:1"],
            ["device", "--domain", "webcredentials:a.example:1", "--app", "D3KQX62K1A.a"],
        ] {
            let result = try Tool.aasa(command + options)
            #expect(result.stderr.contains("--resolve a.example:2 was not used"), "\(result)")
            #expect(!result.stderr.contains("a.example:1 was not used"), "\(result)")
        }
    }

    @Test(arguments: [
        ["check", "127.0.0.1:1"], ["device", "--domain", "applinks:e.com"],
    ])
    func anAppIsAnIdentifier(command: [String]) throws {
        for app in ["foo", "com.example.app", ""] {
            let result = try Tool.aasa(command + ["--app", app])
            #expect(result.status == 2 && result.stdout.isEmpty, "\(result)")
        }
    }

    @Test func explainsItsCodes() throws {
        let all = try Tool.aasa(["check", "--explain", "all"])
        expectEqual(all.status, 0)
        #expect(all.stdout.split(separator: "\n").count > 120)
        let one = try Tool.aasa(["check", "--explain", "tls-chain-incomplete"])
        #expect(one.stdout.contains("fullchain.pem"))
        try expectEqual(Tool.aasa(["check", "--explain", "tls-nonsense"]).status, 2)
        try expectEqual(Tool.aasa(["check"]).status, 2)
    }
}
