import AppSiteAssociation
import HTTP
import TestSupport
import Testing

@testable import AASAServer

@Suite struct ResponseFactoryTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now

    init() throws { fixture = try .withHost() }

    private func response(_ snapshot: Snapshot, _ host: String = "a.example") -> PreparedResponse? {
        snapshot.host(named: host)?.association.response(userAgent: nil).response
    }

    @Test func theDocumentIsServedWithItsFields() throws {
        var loader = try fixture.loader()
        let (publication, report) = try loader.load(now: now)
        let answer = try #require(response(publication.snapshot))
        expectEqual(answer.status, 200)
        expectEqual(answer.text, SiteFixture.fragment)
        expectEqual(answer.field("Content-Type"), "application/json")
        expectEqual(answer.field("Cache-Control"), "max-age=3600")
        expectEqual(answer.field("Strict-Transport-Security"), "max-age=63072000")
        #expect(answer.field("Vary") == nil)
        for name in ["ETag", "Last-Modified", "Accept-Ranges", "Set-Cookie"] {
            #expect(answer.field(name) == nil)
        }
        #expect(!report.hasErrors)
        expectEqual(publication.snapshot.generation, 1)
        expectEqual(publication.snapshot.defaultHost, 0)
        expectEqual(publication.contexts.count, 1)
        let facts = publication.snapshot.hosts[0].facts
        expectEqual(
            facts.teams, [.init(identifier: "D3KQX62K1A", apps: 1, bytes: facts.teams[0].bytes)])
        expectEqual(facts.documentBytes, SiteFixture.fragment.utf8.count)
    }

    @Test func withoutHSTSTheFieldIsNotSent() throws {
        var loader = try fixture.loader { $0.strictTransportSecuritySeconds = 0 }
        let snapshot = try loader.load(now: now).publication.snapshot
        #expect(response(snapshot)?.field("Strict-Transport-Security") == nil)
    }
}
