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
        #expect(failure?.place == "/no/such/folder")
        var keyless = try fixture.loader { $0.certificateFolder = self.fixture.site }
        #expect(throws: Problem.self) { try keyless.load(now: now) }
    }

    /// A rollback takes away what came between; what a loaded revision loses is damage.
    @Test func whatARevisionLacksWasTakenAwayOnPurpose() throws {
        let folder = try TemporaryFolder("revisions")
        for name in ["1", "2"] {
            try folder.write("\(name)/site/a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        }
        try folder.write("2/site/a.example/host.json", #"{"aliases": ["w.a.example"]}"#)
        try folder.write("2/site/a.example/well-known/security.txt", "Contact: mailto:a@b.example")
        let link = folder.path("current")
        try Files.replaceLink(link, to: "2")
        var loader = try fixture.loader {
            $0.revisionLink = RevisionLink(path: link, hasCertificates: false)
        }
        #expect(try loader.load(now: now).publication.snapshot.hosts[0].siblings.count == 1)
        try Files.replaceLink(link, to: "1")
        let (publication, report) = try loader.load(now: now)
        #expect(!report.hasErrors, "\(report.findings)")
        #expect(publication.snapshot.hosts[0].siblings.isEmpty)
        #expect(publication.snapshot.host(named: "w.a.example") == nil)
        try Files.replaceLink(link, to: "2")
        _ = try loader.load(now: now)
        Files.removeTree(folder.path("2/site/a.example/well-known"))
        #expect(try loader.load(now: now).publication.snapshot.hosts[0].siblings.count == 1)
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
            $0.revisionLink = RevisionLink(path: link, hasCertificates: true)
        }
        #expect(try loader.load(now: now).publication.snapshot.certificates.count == 2)
        for name in ["2", "3"] {
            try Files.replaceLink(link, to: name)
            let (publication, report) = try loader.load(now: now)
            #expect(!report.hasErrors, "\(report.certificates)")
            #expect(publication.snapshot.certificates.count == 1)
        }
        Files.removeTree(folder.path("3/certs/all"))
        let (publication, report) = try loader.load(now: now)
        #expect(report.hasErrors)
        #expect(publication.snapshot.certificates.count == 1)
        withExtendedLifetime(folder) {}
    }

    private func addHosts() throws {
        for name in ["b.example", "c.example"] {
            try fixture.write("\(name)/teams/D3KQX62K1A.json", SiteFixture.fragment)
            try fixture.write("\(name)/well-known/security.txt", "Contact: mailto:a@b.example")
            try fixture.certify(name)
        }
    }

    private func names(_ publication: Publication) -> [String] {
        publication.snapshot.hosts.map(\.name)
    }

    /// A backup is put back host by host: none of those that are not yet there was removed.
    @Test func aLostSiteComesBackHostByHost() throws {
        try addHosts()
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        let away = fixture.folder.path("away")
        try Files.rename(fixture.site, to: away)
        try fixture.folder.makeFolder("site")
        #expect(names(try loader.load(now: now).publication).count == 3)
        // The first host is there, and of it not yet all.
        try fixture.write("b.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.folder.makeFolder("site/b.example/well-known")
        var next = try fixture.loader()
        for process in 0..<2 {
            if process == 1 { #expect(next.restore(loader.records).isEmpty) }
            let (publication, report) =
                try process == 0 ? loader.load(now: now) : next.load(now: now)
            #expect(names(publication) == ["a.example", "b.example", "c.example"])
            #expect(publication.snapshot.defaultHost == nil, "it is not the only host")
            #expect(publication.snapshot.hosts[1].siblings.count == 1)
            #expect(report.hasErrors && report.changes.isEmpty)
            let findings = report.findings.first { $0.host.isEmpty }?.findings ?? []
            #expect(findings.map(\.message).contains { $0.contains("a.example, c.example") })
        }
        // What an operator orders is meant.
        let (publication, report) = try next.load(now: now, isOrdered: true)
        #expect(names(publication) == ["b.example"])
        #expect(publication.snapshot.hosts[0].siblings.isEmpty)
        #expect(!report.hasErrors, "\(report.findings)")
        // Back, and whole: each can be taken away as ever.
        Files.removeTree(fixture.site)
        try Files.rename(away, to: fixture.site)
        #expect(try !loader.load(now: now).report.hasErrors)
        Files.removeTree(fixture.site + "/c.example")
        #expect(names(try loader.load(now: now).publication) == ["a.example", "b.example"])
    }

    /// Else no later change of any host would be loaded.
    @Test func aDefaultHostWhoseAliasIsGoneStays() throws {
        try addHosts()
        try fixture.write("b.example/host.json", #"{"aliases": ["w.example"]}"#)
        for name in ["b.example", "c.example"] {
            try fixture.certify(name, names: [name, "w.example"])
        }
        var loader = try fixture.loader { $0.defaultHost = "w.example" }
        _ = try loader.load(now: now)
        try fixture.write("b.example/host.json", "{}")
        for round in 0..<3 {
            if round == 2 {
                var next = try fixture.loader { $0.defaultHost = "w.example" }
                #expect(next.restore(loader.records).isEmpty)
                loader = next
            }
            let (publication, report) = try loader.load(now: now)
            let snapshot = publication.snapshot
            #expect(snapshot.defaultHost.map { snapshot.hosts[$0].name } == "b.example")
            #expect(report.firstError?.contains("--default-host names it") == true)
        }
        // Another host has the name now.
        try fixture.write("c.example/host.json", #"{"aliases": ["w.example"]}"#)
        let (publication, report) = try loader.load(now: now)
        let snapshot = publication.snapshot
        #expect(snapshot.defaultHost.map { snapshot.hosts[$0].name } == "c.example")
        #expect(!report.hasErrors, "\(report.findings)")
    }
}
