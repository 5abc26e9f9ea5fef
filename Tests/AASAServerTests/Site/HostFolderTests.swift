import AppSiteAssociation
import Glibc
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostFolderTests {
    private let folder: TemporaryFolder
    private let fragment = "{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.example\"]}}"

    init() throws { folder = try TemporaryFolder("site") }

    private func read() throws -> SiteSource { try SiteFolder.read(folder.path) }

    private func codes(_ host: HostSource) -> [String] { host.problems.all.map(\.code) }

    @Test func whatEditorsLeaveBehindIsIgnored() throws {
        for name in [".D3.json.swp", "D3.json~", "#D3.json#", "4913", "D3.json.tmp"] {
            try folder.write("example.com/teams/\(name)", "not a fragment")
        }
        try folder.write("example.com/teams/D3KQX62K1A.json", fragment)
        try folder.write(".git/config", "")
        let site = try read()
        expectEqual(site.hosts.map(\.name), ["example.com"])
        #expect(codes(site.hosts[0]).isEmpty)
    }

    @Test func theKubernetesLayoutIsRead() throws {
        try folder.write("example.com/..2026_11_21/teams.json", "")
        try folder.write("example.com/..2026_11_21/apple-app-site-association", fragment)
        expectEqual(symlink("..2026_11_21", folder.path("example.com/..data")), 0)
        expectEqual(
            symlink(
                "..data/apple-app-site-association",
                folder.path("example.com/apple-app-site-association")), 0)
        let host = try #require(try read().hosts.first)
        #expect(codes(host).isEmpty)
        guard case .readyMade(let file) = host.document else {
            Issue.record("no document")
            return
        }
        expectEqual(file.bytes, Array(fragment.utf8))
    }

    @Test func linksThatLeadOutOfTheSiteAreRefused() throws {
        try folder.write("example.com/apple-app-site-association", fragment)
        try folder.makeFolder("example.com/well-known")
        expectEqual(symlink("/etc/passwd", folder.path("example.com/well-known/passwd.txt")), 0)
        let host = try #require(try read().hosts.first)
        #expect(host.siblings.isEmpty)
        expectEqual(
            host.problems.siblings["passwd.txt"]?.first?.message.contains("/etc/passwd"), true)
        #expect(host.problems.document.isEmpty)
    }

    @Test func privateKeysAndMisplacedNamesAreNotServed() throws {
        try folder.write("example.com/apple-app-site-association", fragment)
        try folder.write("example.com/well-known/a.pem", "x\n-----BEGIN PRIVATE KEY-----\n")
        try folder.write("example.com/well-known/apple-app-site-association", fragment)
        try folder.write("example.com/well-known/change-password", "x")
        try folder.write("example.com/well-known/a b", "x")
        let host = try #require(try read().hosts.first)
        #expect(host.siblings.isEmpty)
        expectEqual(codes(host), Array(repeating: "site-sibling-refused", count: 4))
    }

    @Test func aFIFOIsNotWaitedFor() throws {
        try folder.makeFolder("example.com")
        expectEqual(mkfifo(folder.path("example.com/apple-app-site-association"), 0o600), 0)
        let host = try #require(try read().hosts.first)
        expectEqual(codes(host), ["site-unreadable"])
    }

    @Test func aFileThatIsTooLargeIsRefusedWithBothFigures() throws {
        try folder.write(
            "example.com/apple-app-site-association",
            [UInt8](repeating: 32, count: SiteLimits.fragmentBytesMaximum + 1))
        let host = try #require(try read().hosts.first)
        expectEqual(host.problems.document.first?.message.contains("1048577 bytes"), true)
        expectEqual(host.problems.document.first?.message.contains("1048576"), true)
    }
}
