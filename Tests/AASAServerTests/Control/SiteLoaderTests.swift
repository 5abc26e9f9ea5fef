import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SiteLoaderTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now

    init() throws {
        fixture = try SiteFixture()
        try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.certify("a.example")
    }

    @Test func countersOutliveReloads() throws {
        var loader = try fixture.loader()
        try loader.load(now: now).publication.snapshot.hosts[0].counters.count(.json)
        let after = try loader.load(now: now).publication.snapshot.hosts[0]
        #expect(after.counters.value(.json) == 1)
    }

    @Test func unchangedCertificatesKeepTheirContexts() throws {
        var loader = try fixture.loader()
        let first = try loader.load(now: now).publication
        let second = try loader.load(now: now).publication
        #expect(first.contexts[0] === second.contexts[0])
        try fixture.certify("a.example", ends: 90)
        #expect(try loader.load(now: now).publication.contexts[0] !== first.contexts[0])
    }

    @Test func whatCannotBeWholeIsNotBuilt() throws {
        var loader = try fixture.loader { $0.defaultHost = "z.example" }
        #expect(throws: Problem.self) { try loader.load(now: now) }
        var empty = try fixture.loader { $0.siteFolder = self.fixture.certs + "/a.example" }
        #expect(throws: Problem.self) { try empty.load(now: now) }
        var missing = try fixture.loader { $0.siteFolder = "/no/such/folder" }
        let failure = #expect(throws: Problem.self) { try missing.load(now: now) }
        #expect(failure?.place == "/no/such/folder")
        var keyless = try fixture.loader { $0.certificateFolder = self.fixture.site }
        #expect(throws: Problem.self) { try keyless.load(now: now) }
    }
}
