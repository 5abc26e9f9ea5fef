import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SiteReconcilerTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now

    init() throws { fixture = try .withHost() }

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
        expectEqual(names(try loader.load(now: now).publication).count, 3)
        // The first host is there, and of it not yet all.
        try fixture.write("b.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.folder.makeFolder("site/b.example/well-known")
        var next = try fixture.loader()
        for process in 0..<2 {
            if process == 1 { #expect(next.restore(loader.kept).isEmpty) }
            let (publication, report) =
                try process == 0 ? loader.load(now: now) : next.load(now: now)
            expectEqual(names(publication), ["a.example", "b.example", "c.example"])
            #expect(publication.snapshot.defaultHost == nil, "it is not the only host")
            expectEqual(publication.snapshot.hosts[1].siblings.count, 1)
            #expect(report.hasErrors && report.changes.isEmpty)
            let findings = report.findings.first { $0.host.isEmpty }?.findings ?? []
            #expect(findings.map(\.message).contains { $0.contains("a.example, c.example") })
        }
        // What an operator orders is meant.
        let (publication, report) = try next.load(now: now, confirmed: next.losses)
        expectEqual(names(publication), ["b.example"])
        #expect(publication.snapshot.hosts[0].siblings.isEmpty)
        #expect(!report.hasErrors, "\(report.findings)")
        // Back, and whole: each can be taken away as ever.
        Files.removeTree(fixture.site)
        try Files.rename(away, to: fixture.site)
        #expect(try !loader.load(now: now).report.hasErrors)
        Files.removeTree(fixture.site + "/c.example")
        expectEqual(names(try loader.load(now: now).publication), ["a.example", "b.example"])
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
                #expect(next.restore(loader.kept).isEmpty)
                loader = next
            }
            let (publication, report) = try loader.load(now: now)
            let snapshot = publication.snapshot
            expectEqual(snapshot.defaultHost.map { snapshot.hosts[$0].name }, "b.example")
            expectEqual(report.errors.first?.text.contains("--default-host names it"), true)
        }
        // Another host has the name now.
        try fixture.write("c.example/host.json", #"{"aliases": ["w.example"]}"#)
        let (publication, report) = try loader.load(now: now)
        let snapshot = publication.snapshot
        expectEqual(snapshot.defaultHost.map { snapshot.hosts[$0].name }, "c.example")
        #expect(!report.hasErrors, "\(report.findings)")
    }

    private func tree(_ name: String, _ files: [String: String]) -> HostTree {
        var tree = HostTree(name: name, place: "site/" + name)
        tree.files = files.mapValues { Array($0.utf8) }
        tree.folders = ["", "teams"]
        return tree
    }

    private func kept(_ files: [String: String] = [:]) -> KeptHost {
        var kept = KeptHost()
        kept.files = files.mapValues { Array($0.utf8) }
        kept.files["teams/A.json"] = Array("{}".utf8)
        return kept
    }

    @Test func aSiteOfNothingIsLostAndAHostAloneIsRemoved() throws {
        let reconciler = SiteReconciler(kept: ["a.example": kept(), "b.example": kept()])
        let none = SiteSource(path: "site", hosts: [], problems: [])
        let lost = try reconciler.reconcile(none).hosts
        expectEqual(lost.map(\.name), ["a.example", "b.example"])
        #expect(lost.allSatisfy { $0.isLostWithSite && $0.lostBecause != nil })
        expectEqual(lost[0].tree.files, kept().files)
        let one = SiteSource(
            path: "site", hosts: [HostSource(tree("b.example", ["teams/A.json": "{}"]))],
            problems: [])
        try expectEqual(reconciler.reconcile(one).hosts.map(\.name), ["b.example"])
        #expect(throws: Problem.self) { try SiteReconciler(kept: [:]).reconcile(none) }
    }

    /// A folder's name that is refused is no removal of the host that it means.
    @Test(arguments: ["Example.COM", "example.com.", "b\u{fc}cher.example"])
    func anotherSpellingOfAHostKeepsIt(spelling: String) throws {
        let folder = try TemporaryFolder("spelling")
        try folder.write("\(spelling)/teams/A.json", "{}")
        try folder.write("other.example/teams/A.json", "{}")
        let host = HostName.corrected(spelling)
        let disk = try SiteFolder.read(folder.path)
        let site = try SiteReconciler(kept: [host: kept()]).reconcile(disk)
        #expect(HostName.problem(of: host) == nil)
        expectEqual(site.hosts.map(\.name), [host, "other.example"].sorted())
        #expect(site.hosts.first { $0.name == host }?.lostBecause != nil)
        // If the host is there as well, its own folder is what counts.
        try folder.write("\(host)/teams/A.json", "{}")
        let both = try SiteReconciler(kept: [host: kept()]).reconcile(
            try SiteFolder.read(folder.path))
        #expect(both.hosts.allSatisfy { $0.lostBecause == nil })
    }

    @Test func aFolderThatIsClosedKeepsAllThatWasInIt() throws {
        var closed = HostTree(name: "a.example", place: "site/a.example")
        let why = Problem(place: "site/a.example", cause: "closed", remedy: "open it").diagnostic
        closed.unread = ["": why]
        let site = try SiteReconciler(
            kept: ["a.example": kept(["host.json": #"{"form":"auto"}"#])]
        ).reconcile(SiteSource(path: "site", hosts: [HostSource(closed)], problems: []))
        expectEqual(site.hosts.map(\.lostBecause?.message), ["closed"])
        #expect(site.hosts[0].inForce.form == .auto && site.hosts[0].problems.settings == [why])
        #expect(site.hosts[0].tree.files.count == 2 && site.problems.isEmpty)
    }
}
