import Foundation
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct LoadedFoldersTests {
    private let now = SiteFixture.now

    /// Two revisions that differ, and a link to the first.
    private func revisions(_ fixture: SiteFixture) throws -> (folder: TemporaryFolder, link: String)
    {
        let folder = try TemporaryFolder("revisions")
        for (name, app) in [("1", "one"), ("2", "two")] {
            try folder.write(
                "\(name)/site/a.example/apple-app-site-association",
                #"{"webcredentials":{"apps":["D3KQX62K1A.com.example.\#(app)"]}}"#)
        }
        let link = folder.path("current")
        try Files.replaceLink(link, to: "1")
        return (folder, link)
    }

    @Test func aLoadFollowsTheLinkOnceAndThePollSeesItMove() throws {
        let fixture = try SiteFixture()
        try fixture.certify("a.example")
        let (folder, link) = try revisions(fixture)
        var loader = try fixture.loader {
            $0.revisionLink = link
        }
        let first = try loader.load(now: now)
        #expect(!first.report.hasErrors)
        let before = FolderFingerprint(of: loader.roots)
        expectEqual(loader.fingerprint, before)
        try Files.replaceLink(link, to: "2")
        #expect(FolderFingerprint(of: loader.roots) != loader.fingerprint)
        let second = try loader.load(now: now)
        expectEqual(second.report.changes.count, 1)
        expectEqual(FolderFingerprint(of: loader.roots), loader.fingerprint)
        withExtendedLifetime(folder) {}
    }

    @Test func theFoldersAreThoseOfTheRevision() throws {
        let fixture = try SiteFixture()
        let (folder, link) = try revisions(fixture)
        var configuration = ServerConfiguration(
            siteFolder: "site", certificateFolder: "certs", listen: [])
        expectEqual(
            LoadedFolders(configuration), LoadedFolders(site: "site", certificates: "certs"))
        configuration.revisionLink = link
        let real = try #require(Files.resolved(folder.path("1")))
        expectEqual(
            LoadedFolders(configuration),
            LoadedFolders(site: real + "/site", certificates: "certs"))
        configuration.revisionHasCertificates = true
        expectEqual(
            LoadedFolders(configuration),
            LoadedFolders(site: real + "/site", certificates: link + "/certs"))
    }

    /// As a shell completes it: what is kept of a folder has one path.
    @Test(arguments: ["", "/", "//"]) func aSlashAtTheEndIsNoOtherFolder(_ slash: String) throws {
        let fixture = try SiteFixture()
        try fixture.certify("a.example")
        try fixture.write("a.example/apple-app-site-association", SiteFixture.fragment)
        var loader = try fixture.loader { $0.certificateFolder += slash }
        _ = try loader.load(now: now)
        let paths = loader.kept.contents.keys.filter { $0.hasPrefix("certs/") }.sorted()
        expectEqual(paths, ["certs/a.example/fullchain.pem", "certs/a.example/privkey.pem"])
        var next = try fixture.loader { $0.certificateFolder += slash }
        #expect(next.restore(loader.kept).isEmpty)
        let (_, report) = try next.load(now: now)
        #expect(report.certificates.isEmpty, "\(report.certificates)")
    }
}
