import Foundation
import TestSupport
import Testing

@Suite struct LintInputTests {
    private static let misspelt =
        #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.b"],"compnents":[{"/":"/b"}]}]}}"#

    @Test func aWebServersFolderIsLookedAtFileByFile() throws {
        let folder = try TemporaryFolder("lint")
        try folder.write("public/.well-known/apple-app-site-association", Self.misspelt)
        try folder.write("public/.well-known/assetlinks.json", "[]")
        try folder.write("public/package.json", "{}")
        for path in ["public/.well-known", "public", "."] {
            let result = try Tool.aasa(["lint", folder.path(path)])
            #expect(result.stdout.contains("[entry-key-misspelt]"), "\(path): \(result)")
            #expect(result.stdout.contains("[assetlinks-empty]"), "\(path): \(result)")
            #expect(result.stdout.contains("1 error and 1 warning in 2 of 2 documents"))
        }
    }

    /// Even if no folder beside it has the name of a host.
    @Test(arguments: ["Example.COM", "münchen.de", "shop_1"])
    func aHostThatTheServerRefusesIsAnError(_ name: String) throws {
        let folder = try TemporaryFolder("lint")
        try folder.write("site/\(name)/teams/D3KQX62K1A.json", Self.other)
        let result = try Tool.aasa(["lint", folder.path("site")])
        #expect(result.status == 1 && result.stdout.contains("[site-bad-host]"), "\(result)")
        if name.contains("_") { return }
        let host = try Tool.aasa(["lint", folder.path("site/\(name)")])
        #expect(host.status == 1 && host.stdout.contains("[site-bad-host]"), "\(host)")
        let built = try Tool.aasa(["build", folder.path("site/\(name)")])
        #expect(built.status != 0 && built.stderr.contains("rename the folder"), "\(built)")
    }

    /// Nor is a folder of `mktemp -d` a host with a bad name.
    @Test(arguments: ["example.com/.well-known", "tmp.aXb3Q9zrT4"])
    func aWebRootIsNoSite(_ place: String) throws {
        let folder = try TemporaryFolder("lint")
        try folder.write("\(place)/apple-app-site-association", Self.misspelt)
        let root = place.split(separator: "/")[0]
        let result = try Tool.aasa(["lint", folder.path("\(root)")])
        #expect(result.stdout.contains("[entry-key-misspelt]"), "\(result)")
        #expect(!result.stdout.contains("[site-"), "\(result)")
    }

    /// As in the server: a link to a host's folder has its own name.
    @Test func aLinkToAHostKeepsItsName() throws {
        let folder = try TemporaryFolder("lint")
        try folder.write("site/real/teams/D3KQX62K1A.json", Self.other)
        try folder.write("site/real/links.csv", "https://example.com/b,none\n")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("site/example.com"), withDestinationPath: "real")
        for path in ["site", "site/example.com"] {
            let result = try Tool.aasa(["lint", folder.path(path)])
            #expect(!result.stdout.contains("that of real"), "\(path): \(result)")
        }
        let built = try Tool.aasa(["build", folder.path("site/example.com")])
        #expect(built.stderr.contains("example.com\n"), "\(built)")
    }

    @Test func aFileThatIsTooLargeIsAFinding() throws {
        let folder = try TemporaryFolder("lint")
        let large = try folder.write("large.json", String(repeating: " ", count: (4 << 20) + 1))
        let result = try Tool.aasa(["lint", large])
        #expect(result.status == 1 && result.stdout.contains("[json-too-large]"), "\(result)")
        #expect(result.stdout.contains("1 error in 1 of 1 document"), "\(result)")
        let piped = try Tool.aasa(
            ["lint", "-"], stdin: [UInt8](repeating: 0x20, count: (4 << 20) + 1))
        #expect(piped.status == 1 && piped.stdout.contains("[json-too-large]"), "\(piped)")
    }

    /// A build beside the site whose documents have to list it.
    @Test func aBuildIsReadWithItsSignatureAndProfile() throws {
        let folder = try TemporaryFolder("lint")
        var made = MadeBuild.shop(["applinks:www.example.com", "applinks:example.com/"])
        made.bundles[0].allow(MadeBuild.domainsKey, nil)
        let build = try made.write("Shop.ipa", in: folder)
        try folder.write("site/www.example.com/apple-app-site-association", Self.other)
        for path in [build, try made.writeFolder("Shop.xcarchive", in: folder)] {
            let result = try Tool.aasa(["lint", path, folder.path("site")])
            expectEqual(result.status, 1, "\(result)")
            for code in [
                "profile-domains-missing", "entitlement-path", "entitlement-app-not-listed",
            ] {
                #expect(result.stdout.contains("[\(code)]"), "\(code): \(result)")
            }
        }
        let good = try MadeBuild.family().write("Good.ipa", in: folder)
        let quiet = try Tool.aasa(["lint", good, "--fail-on", "warning"])
        expectEqual(quiet.status, 0, "\(quiet)")
        // What stands in a signature cannot be fixed.
        try expectEqual(Tool.aasa(["lint", good, "--fix"]).status, 0)
        let cut = try folder.write("Cut.ipa", try made.archive().bytes.dropLast(30))
        let broken = try Tool.aasa(["lint", cut])
        #expect(broken.status == 3 && broken.stderr.contains("Cut.ipa: it is damaged"), "\(broken)")
    }

    /// The source is named with the build, or stands beside it.
    @Test func aBuildIsComparedWithItsSource() throws {
        let folder = try TemporaryFolder("lint")
        let build = try MadeBuild.shop([]).write("Shop.ipa", in: folder)
        let source: ListValue = [MadeBuild.domainsKey: ["applinks:example.com"]]
        #expect(try !Tool.aasa(["lint", build]).stdout.contains("build-domains-missing"))
        let named = try folder.write("source/App.entitlements", source.xml)
        let given = try Tool.aasa(["lint", build, named])
        #expect(given.status == 1 && given.stdout.contains("[build-domains-missing]"), "\(given)")
        try folder.write("Shop.entitlements", source.xml)
        let beside = try Tool.aasa(["lint", build])
        #expect(beside.stdout.contains("the source has 1 domain, the signature none"), "\(beside)")
        // Of several the one with the build's name, or none.
        try folder.write("Widget.entitlements", ListValue.table([]).xml)
        #expect(try Tool.aasa(["lint", build]).stdout.contains("[build-domains-missing]"))
        let other = try MadeBuild.shop([]).write("Other.ipa", in: folder)
        #expect(try !Tool.aasa(["lint", other]).stdout.contains("build-domains-missing"))
    }

    private static let other =
        #"{"applinks":{"details":[{"appIDs":["D3KQX62K1A.com.b"],"components":[{"/":"/b"}]}]}}"#

    @Test func codesOfBuildsAreListedAndExplained() throws {
        let rules = try Tool.aasa(["lint", "--rules"])
        #expect(rules.stdout.contains("  error   profile-domains-missing: "), "\(rules)")
        let code = try Tool.aasa(["lint", "--explain", "clip-parent-missing"])
        #expect(code.status == 0 && code.stdout.contains("Fix: "), "\(code)")
        try expectEqual(Tool.aasa(["lint", "--explain", "clip-parents"]).status, 2)
    }
}
