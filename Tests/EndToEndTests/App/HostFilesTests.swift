import Foundation
import TestSupport
import Testing

@Suite struct HostFilesTests {
    @Test func keepsModesAndFollowsLinks() throws {
        let folder = try TemporaryFolder("app")
        let real = try folder.write("example.com/shared.txt", AppSite.fragment)
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: real)
        try folder.makeFolder("example.com/teams")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("example.com/teams/\(AppSite.team).json"),
            withDestinationPath: "../shared.txt")
        let result = try Tool.aasa([
            "app", "remove", folder.path("example.com"), "D3KQX62K1A.com.example.shop", "--service",
            "webcredentials",
        ])
        expectEqual(result.status, 0, "\(result)")
        let attributes = try FileManager.default.attributesOfItem(atPath: real)
        #expect(attributes[.posixPermissions] as? Int == 0o604)
        #expect(try !folder.read("example.com/shared.txt").isEmpty)
        let link = try FileManager.default.destinationOfSymbolicLink(
            atPath: folder.path("example.com/teams/\(AppSite.team).json"))
        expectEqual(link, "../shared.txt")
    }

    @Test func aTypoInThePrefixStartsNoTeam() throws {
        let site = try AppSite.make()
        let result = try Tool.aasa([
            "app", "add", site.path("example.com"), "D3KQX62K1B.com.example.shop", "--service",
            "webcredentials",
        ])
        expectEqual(result.status, 2)
        #expect(result.stderr.contains("did you mean D3KQX62K1A?"), "\(result)")
        #expect(result.stderr.contains("--new-team"), "\(result)")
        let left = try FileManager.default.contentsOfDirectory(
            atPath: site.path("example.com/teams"))
        expectEqual(left, ["D3KQX62K1A.json"])
    }

    /// An origin on a host without a document left the host's error behind.
    @Test(arguments: [
        ["--origin", "https://a.example"],
        [
            "--android", "com.acme.shop", "--fingerprint",
            Array(repeating: "AB", count: 31).joined(separator: ":") + ":CD",
        ],
    ]) func aHostThatBeginsWithASiblingHasADocument(_ more: [String]) throws {
        let site = try TemporaryFolder("edit")
        try site.write("example.com/README", "a host to come")
        let arguments = ["app", "add", site.path("example.com"), "--team", "D3KQX62K1A"] + more
        let first = try Tool.aasa(arguments)
        expectEqual(first.status, 0, "\(first)")
        #expect(first.stderr.contains("names no app yet"), "\(first)")
        let lint = try Tool.aasa(["lint", site.path])
        expectEqual(lint.status, 0, "\(lint)")
        let build = try Tool.aasa(["build", site.path("example.com")])
        #expect(build.status == 0 && !build.outputBytes.isEmpty, "\(build)")
        let second = try Tool.aasa([
            "app", "add", site.path("example.com"), "D3KQX62K1A.com.acme.shop", "--path", "/buy/*",
        ])
        expectEqual(second.status, 0, "\(second)")
        #expect(try Tool.aasa(["lint", site.path]).stdout.contains("nothing found"))
    }

    // MARK: What is there and cannot be read

    private static let edits: [[String]] = [
        ["add", AppSite.app, "--path", "/new"],
        ["add", AppSite.app, "--path", "/new", "--new-team"],
        ["move", "9JA89QQLNQ.com.example.old", "D3KQX62K1A.com.example.old", "--new-team"],
        ["remove", AppSite.app],
    ]

    private func run(_ site: TemporaryFolder, _ edit: [String]) throws -> Tool.Result {
        try Tool.aasa(["app", edit[0], site.path("s/example.com")] + edit.dropFirst())
    }

    /// A site where one team has a file, and another one that is left to the test.
    private func siteOfTwo() throws -> TemporaryFolder {
        let folder = try TemporaryFolder("unread")
        try folder.write(
            "s/example.com/teams/9JA89QQLNQ.json",
            #"{ "webcredentials": { "apps": ["9JA89QQLNQ.com.example.old"] } }"#)
        return folder
    }

    @Test(arguments: edits) func aFileBehindALinkOutOfTheSiteIsNotOverwritten(
        _ edit: [String]
    ) throws {
        let site = try siteOfTwo()
        let shared = try site.write("shared/g.json", AppSite.fragment)
        try FileManager.default.createSymbolicLink(
            atPath: site.path("s/example.com/teams/\(AppSite.team).json"),
            withDestinationPath: shared)
        let result = try run(site, edit)
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stderr.contains("teams/\(AppSite.team).json: the link points"), "\(result)")
        #expect(!result.stderr.contains("--new-team"), "\(result)")
        try expectEqual(site.read("shared/g.json"), Array(AppSite.fragment.utf8))
    }

    @Test(arguments: edits) func aFileThatIsTooLargeIsNotOverwritten(_ edit: [String]) throws {
        let site = try siteOfTwo()
        let text = AppSite.fragment + String(repeating: " ", count: 1_100_000)
        try site.write("s/example.com/teams/\(AppSite.team).json", text)
        let result = try run(site, edit)
        expectEqual(result.status, 3, "\(result)")
        // A comparison of the bytes themselves is told difference by difference.
        let left = try site.read("s/example.com/teams/\(AppSite.team).json")
        let isWhole = left == Array(text.utf8)
        #expect(isWhole)
    }

    @Test func linksInACircleAreNotOverwritten() throws {
        let site = try siteOfTwo()
        let path = site.path("s/example.com/teams/\(AppSite.team).json")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "\(AppSite.team).json")
        let result = try run(site, ["add", AppSite.app, "--path", "/new", "--new-team"])
        expectEqual(result.status, 3, "\(result)")
        try expectEqual(
            FileManager.default.destinationOfSymbolicLink(atPath: path),
            "\(AppSite.team).json")
    }

    @Test func aPartOfASiblingThatCannotBeReadIsNotOverwritten() throws {
        let site = try AppSite.make()
        let text = "[]" + String(repeating: " ", count: 1_100_000)
        try site.write("example.com/teams/\(AppSite.team).assetlinks.json", text)
        let result = try AppSite.run(
            site, "add", "--android", "com.example.shop", "--fingerprint",
            Array(repeating: "AB", count: 31).joined(separator: ":") + ":CD")
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stderr.contains("\(AppSite.team).assetlinks.json: "), "\(result)")
        let left = try site.read("example.com/teams/\(AppSite.team).assetlinks.json")
        let isWhole = left == Array(text.utf8)
        #expect(isWhole)
    }

    /// The team whose file can be read is not kept from its own edits.
    @Test func anotherTeamsFileThatCannotBeReadKeepsNobody() throws {
        let site = try AppSite.make()
        try site.write(
            "example.com/teams/9JA89QQLNQ.json", String(repeating: " ", count: 1_100_000))
        let result = try AppSite.run(site, "add", AppSite.app, "--path", "/new")
        expectEqual(result.status, 0, "\(result)")
        let stranger = try AppSite.run(
            site, "add", "Q7LM2X9PRT.com.example.x", "--service", "webcredentials")
        expectEqual(stranger.status, 2, "\(stranger)")
        #expect(stranger.stderr.contains("there are D3KQX62K1A, 9JA89QQLNQ"), "\(stranger)")
    }
}
