// Covers: LintCommand.swift, LintArguments.swift, SignedFindings.swift
// Covers: HostArgument.swift

import Foundation
import TestSupport
import Testing

@Suite struct LintCommandTests {
    private static let good =
        #"{"applinks":{"details":[{"appIDs":["9JA89QQLNQ.com.a"],"components":[{"/":"/a/*"}]}]}}"#
    private static let misspelt =
        #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.b"],"compnents":[{"/":"/b"}]}]}}"#

    @Test func exitStatusFollowsFailOn() throws {
        let folder = try TemporaryFolder("lint")
        let good = try folder.write("good.json", Self.good)
        let noted = try folder.write(
            "noted.json",
            #"{"applinks":{"details":[{"appIDs":["9JA89QQLNQ.com.a"],"paths":["/a"]}]}}"#)
        let bad = try folder.write("bad.json", Self.misspelt)
        try expectEqual(Tool.aasa(["lint", good, "--fail-on", "note"]).status, 0)
        try expectEqual(Tool.aasa(["lint", noted]).status, 0)
        try expectEqual(Tool.aasa(["lint", noted, "--fail-on", "note"]).status, 1)
        try expectEqual(Tool.aasa(["lint", bad]).status, 1)
        try expectEqual(Tool.aasa(["lint", bad, "--ignore", "entry-key-misspelt"]).status, 0)
        try expectEqual(Tool.aasa(["lint", folder.path("missing"), bad]).status, 3)
        try expectEqual(Tool.aasa(["lint"]).status, 2)
        // The second one would find nothing.
        let twice = try Tool.aasa(["lint", "-", "-"], stdin: Array(Self.good.utf8))
        #expect(twice.status == 2 && twice.stderr.contains("only once"), "\(twice)")
        try expectEqual(Tool.aasa(["lint", good, "--ignore", "catchal"]).status, 2)
    }

    @Test func outputIsOnStandardOutputWithoutColour() throws {
        let result = try Tool.aasa(["lint", "-"], stdin: Array(Self.misspelt.utf8))
        #expect(result.stdout.hasPrefix("-:1:56: error: \"compnents\" is ignored"), "\(result)")
        #expect(!result.stdout.contains("\u{1B}") && result.stderr.isEmpty)
    }

    @Test func aSiteIsSeenAsAWhole() throws {
        let folder = try TemporaryFolder("lint")
        try folder.write("site/shop.example/teams/9JA89QQLNQ.json", Self.good)
        try folder.write(
            "site/shop.example/teams/D3KQX62K1A.json",
            #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.b"],"components":[{"/":"/a/b"}]}]}}"#
        )
        try folder.write("site/shop.example/well-known/security.txt", "Contact: a@b.example\n")
        let result = try Tool.aasa(["lint", folder.path("site"), "--format", "github"])
        expectEqual(result.status, 1)
        for code in ["team-urls-claimed", "security-contact-uri", "security-expires-missing"] {
            #expect(result.stdout.contains("title=\(code)::"), "\(result)")
        }
        #expect(
            result.stderr.hasSuffix("2 errors and 1 warning in 2 of 3 documents\n"), "\(result)")
    }

    @Test func entitlementsAreHeldAgainstTheHostsDocument() throws {
        let folder = try TemporaryFolder("lint")
        try folder.write("site/shop.example/teams/9JA89QQLNQ.json", Self.good)
        let entitlements = try folder.write(
            "App.entitlements",
            """
            <?xml version="1.0"?>
            <plist version="1.0"><dict><key>com.apple.developer.associated-domains</key>
            <array><string>applinks:shop.example</string></array></dict></plist>
            """)
        let site = folder.path("site")
        let listed = try Tool.aasa(["lint", site, entitlements, "--app", "9JA89QQLNQ.com.a"])
        expectEqual(listed.status, 0, "\(listed)")
        let other = try Tool.aasa(["lint", site, entitlements, "--app", "9JA89QQLNQ.com.x"])
        #expect(other.status == 1 && other.stdout.contains("[entitlement-app-not-listed]"))
    }

    @Test func signedFilesAreRead() throws {
        guard let signed = Corpus.folder("aasa-signed") else { return }
        let result = try Tool.aasa([
            "lint", signed.appendingPathComponent("S01.der").path, "--format", "json",
        ])
        // Its certificate has ended, and lint says so now.
        #expect(result.status == 1 && result.stdout.contains("cms-expired"), "\(result)")
        #expect(result.stdout.contains("paths") && result.stdout.contains("cms-not-checked"))
    }

    @Test func machinesGetJSON() throws {
        for format in ["json", "sarif"] {
            let result = try Tool.aasa(
                ["lint", "-", "--format", format], stdin: Array(Self.misspelt.utf8))
            expectEqual(result.status, 1)
            let object = try JSONSerialization.jsonObject(with: Data(result.outputBytes))
            expectEqual((object as? [String: Any])?.isEmpty, false)
        }
    }

    @Test func rulesAreExplained() throws {
        let explained = try Tool.aasa(["lint", "--explain", "catch-all"])
        #expect(explained.status == 0 && explained.stdout.contains("Fix: "))
        let unknown = try Tool.aasa(["lint", "--explain", "catchal"])
        #expect(unknown.status == 2 && unknown.stderr.contains("did you mean catch-all?"))
        #expect(try Tool.aasa(["lint", "--rules"]).stdout.contains("app-id-placeholder"))
    }

    /// Names that are not UTF-8 were passed over in silence, or ended the look at everything.
    @Test func aNameThatIsNoTextIsSaid() throws {
        let folder = try TemporaryFolder("names")
        try folder.write("apple-app-site-association", Self.misspelt)
        try folder.write("site/example.com/host.json", "{}")
        let made = try Tool.run(
            "/bin/sh",
            [
                "-c",
                """
                printf '{}' > "$(printf 'apple-app-site-association\\351')"
                mkdir "$(printf 'folder\\377')" site/example.com/teams
                printf '{}' > "site/example.com/teams/$(printf 'D3KQX\\377.json')"
                printf '{}' > "site/$(printf 'b\\377')"
                """,
            ], folder: folder.path)
        expectEqual(made.status, 0, "\(made)")
        let loose = try Tool.aasa(["lint", folder.path])
        expectEqual(loose.status, 1, "\(loose)")
        expectEqual(
            loose.stdout.components(separatedBy: "not checked: its name is not UTF-8").count, 4,
            "\(loose)")
        #expect(loose.stdout.contains("entry-key-misspelt"), "\(loose)")
        let site = try Tool.aasa(["lint", folder.path("site")])
        expectEqual(site.status, 1, "\(site)")
        #expect(site.stdout.contains("its name is not UTF-8 [site-unreadable]"), "\(site)")
        let named = try Tool.run(
            "/bin/sh",
            [
                "-c", "exec \"$0\" lint \"$(printf 'no\\377')\" apple-app-site-association",
                try Tool.aasa(),
            ],
            folder: folder.path)
        expectEqual(named.status, 3, "\(named)")
        #expect(named.stderr.contains("whose name is not UTF-8"), "\(named)")
        #expect(named.stdout.contains("entry-key-misspelt"), "\(named)")
    }
}
