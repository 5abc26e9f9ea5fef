// Covers: Resolver.swift, TranscriptText.swift

import Foundation
import TestSupport
import Testing

@Suite struct DeviceCommandTests {
    @Test func readsEntitlementFiles() throws {
        let server = try ServerProcess(try SampleSite())
        let folder = try TemporaryFolder("device")
        let file = try folder.write(
            "App.entitlements",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>com.apple.developer.associated-domains</key>
            <array><string>applinks:example.com</string>
            <string>webcredentials:example.com?mode=developer</string></array>
            </dict></plist>
            """)
        let result = try Tool.aasa(
            [
                "device", "--entitlements", file, "--app",
                "\(SampleSite.teams[0]).com.example.app", "--era", "ios14",
            ] + CheckCommandTests.options(server))
        expectEqual(result.status, 0, "\(result)")
        let verdicts = try CheckCommandTests.json(result).map { $0["verdict"] as? String }
        expectEqual(verdicts, ["associated", "skipped"])
    }

    @Test func saysWhetherASignInSessionReturns() throws {
        let server = try ServerProcess(try SampleSite())
        let app = "\(SampleSite.teams[0]).com.example.app"
        func run(_ service: String) throws -> Tool.Result {
            try Tool.aasa(
                [
                    "device", "--domain", "\(service):example.com", "--app", app,
                    "--https-callback", "https://example.com/done",
                ] + CheckCommandTests.options(server))
        }
        let links = try run("applinks")
        #expect(links.status == 1 && links.stdout.contains("need the service webcredentials"))
        let credentials = try run("webcredentials")
        #expect(credentials.stdout.contains("\"httpsCallback\": \"https://example.com/done\""))
        let wrong = ["device", "--domain", "applinks:a.de", "--app", app, "--https-callback", "x"]
        try expectEqual(Tool.aasa(wrong).status, 2)
    }

    @Test func wantsASubject() throws {
        try expectEqual(Tool.aasa(["device"]).status, 2)
        try expectEqual(Tool.aasa(["device", "--domain", "applinks:example.com"]).status, 2)
    }

    private static func build(_ folder: TemporaryFolder, kind: String = "app-store") throws
        -> String
    {
        let app = MadeBundle(
            "Payload/App.app", "com.example.app", team: SampleSite.teams[0],
            domains: ["applinks:example.com", "webcredentials:example.com"], kind: kind)
        return try MadeBuild([app]).write("App.ipa", in: folder)
    }

    @Test func takesABuildAndItsURLs() throws {
        let server = try ServerProcess(try SampleSite())
        let folder = try TemporaryFolder("device")
        let build = try Self.build(folder)
        func report(_ urls: [String], status: Int32) throws -> [String: Any] {
            let result = try Tool.aasa(
                ["device", "--build", build] + urls + CheckCommandTests.options(server))
            expectEqual(result.status, status, "\(result)")
            return try #require(
                JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any])
        }
        let good = try report(["https://example.com/buy/1"], status: 0)
        #expect(good["good"] as? Bool == true && good["build"] as? String == build)
        let run = try #require((good["runs"] as? [[String: Any]])?.first)
        let domains = try #require(run["domains"] as? [[String: Any]])
        expectEqual(domains.map { $0["verdict"] as? String }, ["associated", "associated"])
        let links = try #require(run["links"] as? [[String: Any]])
        expectEqual(links.map { $0["opens"] as? Bool }, [true])

        let other = try report(["https://www.example.com/buy/1"], status: 1)
        let findings = try #require(other["findings"] as? [[String: Any]])
        expectEqual(findings.map { $0["code"] as? String }, ["link-near-entry"])
    }

    @Test func comparesABuildWithItsSource() throws {
        let server = try ServerProcess(try SampleSite())
        let folder = try TemporaryFolder("device")
        let source: ListValue = [
            MadeBuild.domainsKey: ["applinks:example.com", "applinks:shop.example"]
        ]
        let file = try folder.write("App.entitlements", source.xml)
        let result = try Tool.aasa(
            ["device", "--build", try Self.build(folder), "--entitlements", file]
                + CheckCommandTests.options(server))
        expectEqual(result.status, 1, "\(result)")
        #expect(result.stdout.contains("build-domain-missing"), "\(result)")
    }

    @Test func aBuildSaysWhichAppItIs() throws {
        let folder = try TemporaryFolder("device")
        let build = try Self.build(folder)
        try expectEqual(Tool.aasa(["device", "--build", build, "--app", "A.b"]).status, 2)
        try expectEqual(Tool.aasa(["device", "--build", build, "no URL"]).status, 2)
        try expectEqual(
            Tool.aasa(["device", "--domain", "applinks:a.com", "--app", "A", "https://a.com/"])
                .status, 2)
        let broken = try folder.write("Broken.ipa", "PK\u{3}\u{4}")
        let result = try Tool.aasa(["device", "--build", broken])
        #expect(result.status == 3 && result.stderr.contains("fix: Copy or export"), "\(result)")
        let other = try folder.write("App.json", "{}")
        let wrong = try Tool.aasa(["device", "--build", other])
        #expect(wrong.status == 3 && wrong.stderr.contains("neither a folder nor a ZIP archive"))
    }
}
