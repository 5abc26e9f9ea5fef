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
        #expect(result.status == 0, "\(result)")
        let attributes = try FileManager.default.attributesOfItem(atPath: real)
        #expect(attributes[.posixPermissions] as? Int == 0o604)
        #expect(try !folder.read("example.com/shared.txt").isEmpty)
        let link = try FileManager.default.destinationOfSymbolicLink(
            atPath: folder.path("example.com/teams/\(AppSite.team).json"))
        #expect(link == "../shared.txt")
    }

    @Test func aTypoInThePrefixStartsNoTeam() throws {
        let site = try AppSite.make()
        let result = try Tool.aasa([
            "app", "add", site.path("example.com"), "D3KQX62K1B.com.example.shop", "--service",
            "webcredentials",
        ])
        #expect(result.status == 2)
        #expect(result.stderr.contains("did you mean D3KQX62K1A?"), "\(result)")
        #expect(result.stderr.contains("--new-team"), "\(result)")
        let left = try FileManager.default.contentsOfDirectory(
            atPath: site.path("example.com/teams"))
        #expect(left == ["D3KQX62K1A.json"])
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
        #expect(first.status == 0, "\(first)")
        #expect(first.stderr.contains("names no app yet"), "\(first)")
        let lint = try Tool.aasa(["lint", site.path])
        #expect(lint.status == 0, "\(lint)")
        let build = try Tool.aasa(["build", site.path("example.com")])
        #expect(build.status == 0 && !build.outputBytes.isEmpty, "\(build)")
        let second = try Tool.aasa([
            "app", "add", site.path("example.com"), "D3KQX62K1A.com.acme.shop", "--path", "/buy/*",
        ])
        #expect(second.status == 0, "\(second)")
        #expect(try Tool.aasa(["lint", site.path]).stdout.contains("nothing found"))
    }
}
