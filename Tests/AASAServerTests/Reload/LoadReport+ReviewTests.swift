import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct LoadReportReviewTests {
    /// What keeps nothing from being served is told by `serve --check` as well.
    @Test func aSiblingsContentIsPartOfTheReview() throws {
        let site = try SiteFixture.withHost()
        try site.write("a.example/well-known/assetlinks.json", "[{}]")
        let source = try SiteFolder.read(site.site).withoutConflicts()
        let options = LintOptions(now: Int(SiteFixture.now))
        let found = HostReview(source.hosts[0], options: options).findings
        #expect(found.contains { $0.severity == .error && $0.code.hasPrefix("assetlinks-") })
        var loader = try site.loader()
        let load = try loader.load(now: SiteFixture.now).report
        #expect(!load.hasErrors)
        let checked = load.reviewed(source, now: SiteFixture.now)
        expectEqual(checked.findings.flatMap(\.findings), found)
    }

    /// A load knows how large the signed form is, a review only how large it is at least.
    @Test func aLoadsFindingsComeFirst() throws {
        let site = try SiteFixture.withHost()
        try site.write("a.example/well-known/webauthn", "{")
        var loader = try site.loader()
        let load = try loader.load(now: SiteFixture.now).report
        let source = try SiteFolder.read(site.site).withoutConflicts()
        let checked = load.reviewed(source, now: SiteFixture.now)
        #expect(load.hasErrors && checked.findings.map(\.host) == ["a.example"])
        expectEqual(checked.findings.flatMap(\.findings), load.findings.flatMap(\.findings))
    }
}
