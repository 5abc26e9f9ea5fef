import AppSiteAssociation
import HTTP
import TestSupport
import Testing

@testable import AASAServer

/// Nobody takes a name away from who serves it.
@Suite struct NameClaimsTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now
    private static let other = "{\"webcredentials\":{\"apps\":[\"9JA89QQLNQ.com.other\"]}}"

    init() throws {
        fixture = try SiteFixture()
        try fixture.write("b.example/apple-app-site-association", SiteFixture.fragment)
        try fixture.write("b.example/host.json", "{\"aliases\": [\"w.example\"]}")
        try fixture.certify(
            "b.example", names: ["a.example", "b.example", "v.example", "w.example"])
    }

    private func add(_ host: String, _ settings: String? = nil) throws {
        try fixture.write("\(host)/apple-app-site-association", Self.other)
        if let settings { try fixture.write("\(host)/host.json", settings) }
    }

    private func text(_ snapshot: Snapshot, _ name: String) -> String? {
        let answer = snapshot.host(named: name)?.association.response(userAgent: nil).response
        return answer?.status == 200 ? answer?.text : nil
    }

    private func codes(_ report: LoadReport, _ host: String) -> [String] {
        report.findings.filter { $0.host == host }.flatMap(\.findings).map(\.code)
    }

    /// Loads again and again, and then in a process that has only what is kept.
    private func stays(
        _ loader: SiteLoader, _ check: (Snapshot, LoadReport) throws -> Void
    ) throws {
        var loader = loader
        for _ in 0..<2 {
            let (publication, report) = try loader.load(now: now)
            try check(publication.snapshot, report)
        }
        var next = try fixture.loader()
        #expect(next.restore(loader.kept).isEmpty)
        let (publication, report) = try next.load(now: now)
        try check(publication.snapshot, report)
    }

    private func loaded() throws -> SiteLoader {
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        return loader
    }

    @Test(arguments: [true, false])
    func aFolderDoesNotTakeAServedAlias(isEmpty: Bool) throws {
        var loader = try loaded()
        if isEmpty {
            try fixture.folder.makeFolder("site/w.example")
        } else {
            try add("w.example")
        }
        try stays(loader) { snapshot, report in
            expectEqual(text(snapshot, "w.example"), SiteFixture.fragment)
            expectEqual(snapshot.hosts.map(\.name), ["b.example"])
            let finding = try #require(report.findings.flatMap(\.findings).first)
            #expect(report.findings.count == 1 && finding.code == "site-alias-conflict")
            #expect(finding.file.hasSuffix("/w.example"))
            #expect(report.kept.isEmpty)
        }
        // The operator says that it is a host of its own now.
        if isEmpty { return }
        try fixture.write("b.example/host.json", "{}")
        let (publication, report) = try loader.load(now: now)
        expectEqual(text(publication.snapshot, "w.example"), Self.other)
        #expect(!report.hasErrors, "\(report.findings)")
    }

    @Test func anAliasDoesNotTakeAServedAlias() throws {
        let loader = try loaded()
        // First by name, and with settings of its own that stay in force.
        try add("a.example", "{\"aliases\": [\"w.example\", \"v.example\"]}")
        try stays(loader) { snapshot, report in
            expectEqual(text(snapshot, "w.example"), SiteFixture.fragment)
            expectEqual(text(snapshot, "v.example"), Self.other)
            expectEqual(codes(report, "a.example"), ["site-alias-conflict"])
            #expect(codes(report, "b.example").isEmpty)
            #expect(report.kept.isEmpty)
        }
    }

    /// Over a restart, too, if `host.json` of the newcomer is broken by then.
    @Test func whatWasRefusedIsNotServedLater() throws {
        var loader = try loaded()
        try add("a.example", "{\"aliases\": [\"w.example\"]}")
        _ = try loader.load(now: now)
        try fixture.write("a.example/host.json", "{")
        try stays(loader) { snapshot, _ in
            expectEqual(text(snapshot, "w.example"), SiteFixture.fragment)
        }
    }

    @Test func aKeptAliasIsAServedOne() throws {
        let loader = try loaded()
        try fixture.write("b.example/host.json", "{")
        try add("a.example", "{\"aliases\": [\"w.example\"]}")
        try stays(loader) { snapshot, report in
            expectEqual(text(snapshot, "w.example"), SiteFixture.fragment)
            expectEqual(codes(report, "a.example"), ["site-alias-conflict"])
        }
    }

    /// Nothing was served before: the first by name has the alias, and nobody answers 503 for it.
    @Test func atAStartAConflictCostsTheAliasAlone() throws {
        try add("a.example", "{\"aliases\": [\"w.example\", \"b.example\"]}")
        var loader = try fixture.loader()
        let (publication, report) = try loader.load(now: now)
        expectEqual(text(publication.snapshot, "w.example"), Self.other)
        expectEqual(text(publication.snapshot, "a.example"), Self.other)
        expectEqual(text(publication.snapshot, "b.example"), SiteFixture.fragment)
        expectEqual(codes(report, "a.example"), ["site-alias-conflict"])
        expectEqual(codes(report, "b.example"), ["site-alias-conflict"])
    }

    @Test func theDefaultHostStaysAndTheOtherAnswersForItself() throws {
        try fixture.write("b.example/host.json", "{\"default\": true}")
        let loader = try loaded()
        try add("a.example", "{\"default\": true}")
        try stays(loader) { snapshot, report in
            expectEqual(snapshot.defaultHost.map { snapshot.hosts[$0].name }, "b.example")
            expectEqual(text(snapshot, "a.example"), Self.other)
            expectEqual(codes(report, "a.example"), ["site-two-defaults"])
        }
        var first = try fixture.loader()
        let snapshot = try first.load(now: now).publication.snapshot
        expectEqual(snapshot.defaultHost.map { snapshot.hosts[$0].name }, "a.example")
        expectEqual(text(snapshot, "b.example"), SiteFixture.fragment)
    }

    @Test func oneNameOfTwoHostsIsAConflictWithBothPlaces() throws {
        try add("a.example", "{\"aliases\": [\"b.example\", \"w.example\", \"a.example\"]}")
        let site = try SiteFolder.read(fixture.site).withoutConflicts()
        let found = site.hosts[0].problems.names
        expectEqual(found.map(\.code), ["site-alias-conflict", "site-alias-conflict"])
        expectEqual(found[0].start?.column, 14)
        expectEqual(found[0].related.first?.file.hasSuffix("/b.example"), true)
        #expect(found[1].message.contains("already a name of this host"))
        let second = try #require(site.hosts[1].problems.names.first)
        #expect(second.file.hasSuffix("b.example/host.json"))
        expectEqual(second.related.first?.file.hasSuffix("a.example/host.json"), true)
        expectEqual(site.hosts[0].inForce.aliases.map(\.value), ["w.example", "a.example"])
        #expect(site.hosts[1].inForce.aliases.isEmpty)
    }
}
