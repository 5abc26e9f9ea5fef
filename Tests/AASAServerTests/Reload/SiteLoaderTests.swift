import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SiteLoaderTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now

    init() throws { fixture = try .withHost() }

    @Test func countersOutliveReloads() throws {
        var loader = try fixture.loader()
        try loader.load(now: now).publication.snapshot.hosts[0].counters.count(.json)
        let after = try loader.load(now: now).publication.snapshot.hosts[0]
        expectEqual(after.counters.value(.json), 1)
    }

    @Test func unchangedCertificatesKeepTheirContexts() throws {
        var loader = try fixture.loader()
        let first = try loader.load(now: now).publication
        let second = try loader.load(now: now).publication
        #expect(first.contexts[0] === second.contexts[0])
        try fixture.certify("a.example", ends: 90)
        #expect(try loader.load(now: now).publication.contexts[0] !== first.contexts[0])
    }

    /// Its suites follow.
    @Test func aNewFormMakesNewContexts() throws {
        var loader = try fixture.loader()
        let first = try loader.load(now: now).publication
        try fixture.write("a.example/host.json", #"{"form": "auto"}"#)
        #expect(try loader.load(now: now).publication.contexts[0] !== first.contexts[0])
    }

    @Test func whatCannotBeWholeIsNotBuilt() throws {
        var loader = try fixture.loader { $0.defaultHost = "z.example" }
        #expect(throws: Problem.self) { try loader.load(now: now) }
        var empty = try fixture.loader { $0.siteFolder = self.fixture.certs + "/a.example" }
        #expect(throws: Problem.self) { try empty.load(now: now) }
        var missing = try fixture.loader { $0.siteFolder = "/no/such/folder" }
        let failure = #expect(throws: Problem.self) { try missing.load(now: now) }
        expectEqual(failure?.place, "/no/such/folder")
        var keyless = try fixture.loader { $0.certificateFolder = self.fixture.site }
        #expect(throws: Problem.self) { try keyless.load(now: now) }
    }

    @Test func aFolderThatCannotBeReadIsNoEmptyOne() throws {
        try fixture.folder.makeFolder("site/b.example/teams")
        try fixture.write("c.example/teams", "no folder")
        var loader = try fixture.loader()
        let facts = try loader.load(now: now).publication.snapshot.hosts.map(\.facts)
        expectEqual(facts.map(\.isStray), [false, true, false])
        expectEqual(facts[2].problem?.contains("not a folder"), true)
    }

    /// A rollback takes away what came between; what a loaded revision loses is damage.
    @Test func whatARevisionLacksWasTakenAwayOnPurpose() throws {
        let folder = try TemporaryFolder("revisions")
        for name in ["1", "2"] {
            try folder.write("\(name)/site/a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        }
        try folder.write("2/site/b.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try folder.write("2/site/a.example/host.json", #"{"aliases": ["w.a.example"]}"#)
        try folder.write("2/site/a.example/well-known/security.txt", "Contact: mailto:a@b.example")
        let link = folder.path("current")
        try Files.replaceLink(link, to: "2")
        var loader = try fixture.loader {
            $0.revisionLink = link
        }
        try expectEqual(loader.load(now: now).publication.snapshot.hosts[0].siblings.count, 1)
        try Files.replaceLink(link, to: "1")
        let (publication, report) = try loader.load(now: now)
        #expect(!report.hasErrors, "\(report.findings)")
        #expect(publication.snapshot.hosts[0].siblings.isEmpty)
        #expect(publication.snapshot.host(named: "w.a.example") == nil)
        #expect(publication.snapshot.host(named: "b.example") == nil && loader.vanished.isEmpty)
        try Files.replaceLink(link, to: "2")
        _ = try loader.load(now: now)
        Files.removeTree(folder.path("2/site/a.example/well-known"))
        try expectEqual(loader.load(now: now).publication.snapshot.hosts[0].siblings.count, 1)
    }

    /// A revision may drop a pair, or have another layout; a pair that a loaded one loses stays.
    @Test func thePairsOfAnotherRevisionAreForgotten() throws {
        try fixture.certify("a.example", rsa: true)
        let folder = try TemporaryFolder("revisions")
        func copy(_ name: String, to place: String) throws {
            try folder.write(place, try fixture.folder.read("certs/a.example/\(name)"))
        }
        for (name, host) in [("1", "a.example"), ("2", "a.example"), ("3", "all")] {
            try folder.write("\(name)/site/a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
            for file in ["fullchain.pem", "privkey.pem"] {
                try copy(file, to: "\(name)/certs/\(host)/\(file)")
            }
        }
        for file in ["fullchain-rsa.pem", "privkey-rsa.pem"] {
            try copy(file, to: "1/certs/a.example/\(file)")
        }
        let link = folder.path("current")
        try Files.replaceLink(link, to: "1")
        var loader = try fixture.loader {
            $0.revisionLink = link
            $0.revisionHasCertificates = true
        }
        try expectEqual(loader.load(now: now).publication.snapshot.certificates.count, 2)
        for name in ["2", "3"] {
            try Files.replaceLink(link, to: name)
            let (publication, report) = try loader.load(now: now)
            #expect(!report.hasErrors, "\(report.certificates)")
            expectEqual(publication.snapshot.certificates.count, 1)
        }
        Files.removeTree(folder.path("3/certs/all"))
        let (publication, report) = try loader.load(now: now)
        #expect(report.hasErrors)
        expectEqual(publication.snapshot.certificates.count, 1)
        withExtendedLifetime(folder) {}
    }
}
