// Covers: HostState.swift
import AppSiteAssociation
import HTTP
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostBuilderTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now

    init() throws { fixture = try .withHost() }

    private func response(_ snapshot: Snapshot, _ host: String = "a.example") -> PreparedResponse? {
        snapshot.host(named: host)?.association.response(userAgent: nil).response
    }

    @Test func aBrokenFragmentKeepsTheLastGoodDocument() throws {
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        try fixture.write("a.example/teams/D3KQX62K1A.json", "{\"webcredentials\": ")
        let (broken, report) = try loader.load(now: now)
        #expect(report.hasErrors)
        expectEqual(response(broken.snapshot)?.text, SiteFixture.fragment)
        let problem = try #require(broken.snapshot.hosts[0].facts.problem)
        #expect(problem.contains("D3KQX62K1A.json:1:"))
        // Again, from memory: still said.
        try expectEqual(loader.load(now: now).publication.snapshot.hosts[0].facts.problem, problem)
        try fixture.write("a.example/teams/D3KQX62K1A.json", "{\"webcredentials\":{\"apps\":[]}}")
        let (mended, after) = try loader.load(now: now)
        #expect(!after.hasErrors)
        #expect(mended.snapshot.hosts[0].facts.problem == nil)
        expectEqual(response(mended.snapshot)?.text, "{\"webcredentials\":{\"apps\":[]}}")
        let lines = after.changes.first?.lines ?? []
        // Each line names the service that it is about: the same app may go from several.
        #expect(lines.contains { $0.contains("app D3KQX62K1A") })
        #expect(lines.filter { $0.contains("app D3KQX62K1A") }.allSatisfy { $0.contains(": ") })
        expectEqual(Set(lines).count, lines.count, "\(lines)")
    }

    @Test func withoutAnEarlierDocumentTheAnswerIs503() throws {
        try fixture.write("a.example/teams/D3KQX62K1A.json", "[]")
        var loader = try fixture.loader()
        let (publication, report) = try loader.load(now: now)
        #expect(report.hasErrors)
        let answer = try #require(response(publication.snapshot))
        expectEqual(answer.status, 503)
        expectEqual(answer.field("Cache-Control"), "no-store")
        expectEqual(answer.field("Retry-After"), "60")
    }

    @Test func oneMissingFragmentDoesNotTakeATeamAway() throws {
        try fixture.write(
            "a.example/teams/9JA89QQLNQ.json", "{\"appclips\":{\"apps\":[\"9JA89QQLNQ.b.Clip\"]}}")
        var loader = try fixture.loader()
        let good = try loader.load(now: now).publication.snapshot
        try fixture.write("a.example/teams/9JA89QQLNQ.json", "{")
        let after = try loader.load(now: now).publication.snapshot
        expectEqual(response(after)?.text, response(good)?.text)
        expectEqual(response(after)?.text.contains("9JA89QQLNQ"), true)
    }

    @Test func brokenSettingsKeepTheWholeHost() throws {
        try fixture.write(
            "a.example/host.json",
            "{\"aliases\": [\"w.a.example\"], \"cacheControl\": \"no-cache\"}")
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        try fixture.write("a.example/host.json", "{\"alias\": []}")
        let (publication, report) = try loader.load(now: now)
        #expect(report.hasErrors)
        #expect(publication.snapshot.host(named: "w.a.example") != nil)
        expectEqual(response(publication.snapshot)?.field("Cache-Control"), "no-cache")
    }

    /// A copy puts them back one after the other.
    @Test(arguments: ["gone", "emptied"])
    func lostTeamsComeBackOneByOne(how: String) throws {
        let clip = "{\"appclips\":{\"apps\":[\"9JA89QQLNQ.b.Clip\"]}}"
        try fixture.write("a.example/teams/9JA89QQLNQ.json", clip)
        var loader = try fixture.loader()
        let good = response(try loader.load(now: now).publication.snapshot)?.text
        Files.removeTree(fixture.site + "/a.example/teams")
        if how == "emptied" { try fixture.folder.makeFolder("site/a.example/teams") }
        _ = try loader.load(now: now)
        // Half-written at first.
        try fixture.write("a.example/teams/D3KQX62K1A.json", "{")
        expectEqual(response(try loader.load(now: now).publication.snapshot)?.text, good)
        try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        var next = try fixture.loader()
        #expect(next.restore(loader.kept).isEmpty)
        for _ in 0..<2 {
            let (publication, report) = try next.load(now: now)
            expectEqual(response(publication.snapshot)?.text, good)
            expectEqual(publication.snapshot.hosts[0].facts.problem?.contains("9JA89QQLNQ"), true)
            expectEqual(report.findings.flatMap(\.findings).map(\.code), ["site-teams-gone"])
        }
        var ordered = next
        expectEqual(
            response(try ordered.load(now: now, confirmed: ordered.losses).publication.snapshot)?
                .text,
            SiteFixture.fragment)
        try fixture.write("a.example/teams/9JA89QQLNQ.json", clip)
        #expect(try !next.load(now: now).report.hasErrors)
        // Now it was there, and can be taken away.
        try fixture.write("a.example/teams/9JA89QQLNQ.json", "{}")
        Files.removeTree(fixture.site + "/a.example/teams/9JA89QQLNQ.json")
        let (publication, report) = try next.load(now: now)
        expectEqual(response(publication.snapshot)?.text, SiteFixture.fragment)
        #expect(!report.hasErrors)
    }

    @Test func whereNothingIsServedNothingIsKept() throws {
        try fixture.write("a.example/teams/D3KQX62K1A.json", "[]")
        var loader = try fixture.loader()
        for _ in 0..<2 {
            let (publication, report) = try loader.load(now: now)
            expectEqual(response(publication.snapshot)?.status, 503)
            #expect(report.kept.isEmpty && report.hasErrors)
            #expect(publication.snapshot.hosts[0].facts.problem != nil)
        }
    }
}
