import AppSiteAssociation
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SiteFolderTests {
    private let folder: TemporaryFolder
    private let fragment = "{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.example\"]}}"

    init() throws { folder = try TemporaryFolder("site") }

    private func read() throws -> SiteSource { try SiteFolder.read(folder.path) }

    private func codes(_ host: HostSource) -> [String] { host.problems.all.map(\.code) }

    @Test func hostsFragmentsAndSiblingsAreFound() throws {
        try folder.write("example.com/teams/D3KQX62K1A.json", fragment)
        try folder.write("example.com/teams/9JA89QQLNQ.json", fragment)
        try folder.write("example.com/well-known/assetlinks.json", "[]")
        try folder.write("example.com/well-known/acme-challenge/token", "x")
        try folder.write("example.org/apple-app-site-association", fragment)
        try folder.write("README.md", "the site")
        let site = try read()
        #expect(site.problems.isEmpty)
        expectEqual(site.hosts.map(\.name), ["example.com", "example.org"])
        #expect(site.hosts.allSatisfy { $0.problems.all.isEmpty })
        guard case .fragments(let sources) = site.hosts[0].document else {
            Issue.record("no fragments")
            return
        }
        expectEqual(
            sources.map(\.name).map { $0.split(separator: "/").last },
            [
                "9JA89QQLNQ.json", "D3KQX62K1A.json",
            ])
        expectEqual(
            site.hosts[0].siblings.map(\.name), ["acme-challenge/token", "assetlinks.json"])
        expectEqual(
            site.hosts[0].siblings.map(\.mediaType),
            [
                "application/octet-stream", "application/json",
            ])
        guard case .readyMade(let file) = site.hosts[1].document else {
            Issue.record("no ready-made document")
            return
        }
        expectEqual(file.bytes, Array(fragment.utf8))
    }

    @Test func documentsInTheWrongPlaceAreNamed() throws {
        try folder.write("apple-app-site-association", fragment)
        try folder.write("Example.com/apple-app-site-association", fragment)
        try folder.makeFolder("empty.example")
        try folder.makeFolder("bare.example/teams")
        try folder.write("both.example/apple-app-site-association", fragment)
        try folder.write("both.example/teams/A.json", fragment)
        try folder.write("odd.example/apple-app-site-association", fragment)
        try folder.write("odd.example/wellknown/x", "")
        try folder.write("odd.example/.well-known/x", "")
        try folder.write("near.example/apple-app-site-association", fragment)
        try folder.write("near.example/well-known/webauthn.json", "{}")
        let site = try read()
        expectEqual(site.problems.map(\.code), ["site-bad-host", "site-stray-file"])
        let found = Dictionary(uniqueKeysWithValues: site.hosts.map { ($0.name, codes($0)) })
        expectEqual(found["empty.example"], ["site-no-document"])
        expectEqual(found["bare.example"], ["site-no-document"])
        expectEqual(found["both.example"], ["site-two-documents"])
        expectEqual(found["odd.example"], ["site-unknown-entry", "site-unknown-entry"])
        let hidden = site.hosts.first { $0.name == "odd.example" }?.problems.document.last
        expectEqual(hidden?.remedy, "is it meant to be \"well-known\"?")
        expectEqual(found["near.example"], ["site-unknown-entry"])
    }

    @Test func aMissingFolderIsAnError() {
        #expect(throws: Problem.self) {
            try SiteFolder.read(folder.path("nothing"))
        }
    }
}
