// Covers: Resolver.swift, TranscriptText.swift
// Covers: RehearseCommand.swift

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
        #expect(result.status == 0, "\(result)")
        let verdicts = try CheckCommandTests.json(result).map { $0["verdict"] as? String }
        #expect(verdicts == ["associated", "skipped"])
    }

    @Test func rehearsesAStory() throws {
        let server = try ServerProcess(try SampleSite())
        let folder = try TemporaryFolder("rehearse")
        let story = try folder.write(
            "story.json",
            """
            {"app": "\(SampleSite.teams[1]).com.example.app", "era": "ios13",
             "domains": ["webcredentials:example.com"],
             "accounts": [{"account": "ada", "password": "lovelace"}],
             "safari": [{"account": "ada", "password": "lovelace"}],
             "steps": [{"do": "log-in", "user": {"picks": "ada"}, "expect": "logged-in"},
                       {"do": "request", "site": "other.example", "expect": "not-associated"}]}
            """)
        let result = try Tool.aasa(
            ["device", "rehearse", story] + CheckCommandTests.options(server))
        #expect(result.status == 0, "\(result)")
        let bad = try Tool.aasa(["device", "rehearse", try folder.write("bad.json", "{}")])
        #expect(bad.status == 2)
        let schema = try Tool.aasa(["device", "rehearse", "--schema"])
        #expect(schema.status == 0 && schema.stdout.contains("change-site"))
        let help = try Tool.aasa(["device", "rehearse", "--help"])
        #expect(help.stdout.contains("delete-app") && help.stdout.contains("declined"))
        #expect(try Tool.aasa(["device", "rehearse"]).status == 2)
    }

    @Test func wantsASubject() throws {
        #expect(try Tool.aasa(["device"]).status == 2)
        #expect(try Tool.aasa(["device", "--domain", "applinks:example.com"]).status == 2)
    }
}
