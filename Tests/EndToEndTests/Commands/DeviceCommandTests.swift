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
        #expect(result.status == 0, "\(result)")
        let verdicts = try CheckCommandTests.json(result).map { $0["verdict"] as? String }
        #expect(verdicts == ["associated", "skipped"])
    }

    @Test func wantsASubject() throws {
        #expect(try Tool.aasa(["device"]).status == 2)
        #expect(try Tool.aasa(["device", "--domain", "applinks:example.com"]).status == 2)
    }
}
