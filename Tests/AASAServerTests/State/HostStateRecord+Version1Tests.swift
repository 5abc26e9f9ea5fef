import AppSiteAssociation
import Glibc
import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

/// What aasa 1.1.0 kept, as it wrote it.
@Suite struct HostStateRecordVersion1Tests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now
    private static let other = "{\"appclips\":{\"apps\":[\"9JA89QQLNQ.b.Clip\"]}}"
    private static let merged =
        "{\"webcredentials\":{\"apps\":[\"D3KQX62K1A.com.example\"]},"
        + "\"appclips\":{\"apps\":[\"9JA89QQLNQ.b.Clip\"]}}"

    init() throws { fixture = try .withHost() }

    private func record(_ fields: [(String, String)]) throws -> StateRecord {
        var record = StateRecord(.host, "a.example")
        for (name, text) in fields { record.add(name, text) }
        let text = String(decoding: record.encoded(), as: UTF8.self)
        let old = "aasa-state 1" + text.dropFirst("aasa-state 1".count)
        return try StateRecord(decoding: Array(old.utf8))
    }

    private static let usual = [
        (
            "host.json",
            #"{"aliases":["w.a.example"],"cacheControl":"no-cache"}"#
        ),
        ("document.json", merged),
        ("document.source", "fragments"), ("document.teams", "D3KQX62K1A 60\n9JA89QQLNQ 50"),
        ("sibling/assetlinks.json", "[1]"), ("sibling.type/assetlinks.json", "application/json"),
        ("sibling.cache/assetlinks.json", "no-cache"), ("sibling.merged/assetlinks.json", "1"),
        ("sibling/nodeinfo/x", "{}"), ("sibling.type/nodeinfo/x", "application/json"),
        ("kept", "\(SiteFixture.now - 60)"),
    ]

    private func served(_ host: ServedHost) -> [String] {
        [host.association.response(userAgent: nil).response.text]
            + host.siblings.map { "\($0.name) \($0.response.text)" }
    }

    /// Whatever is broken on disk when the next release starts.
    @Test(arguments: ["fragment", "settings", "siblings", "teams", "host", "site"])
    func whatWasServedIsServed(broken: String) throws {
        try fixture.write("a.example/teams/9JA89QQLNQ.json", Self.other)
        try fixture.write("a.example/well-known/assetlinks.json", "[1]")
        try fixture.write("a.example/well-known/nodeinfo/x", "{}")
        try fixture.write("a.example/host.json", Self.usual[0].1)
        let host = fixture.site + "/a.example"
        let away = fixture.folder.path("away")
        switch broken {
        case "fragment": try fixture.write("a.example/teams/9JA89QQLNQ.json", "{")
        case "settings": #expect(unlink(host + "/host.json") == 0)
        case "siblings": #expect(rename(host + "/well-known", away) == 0)
        case "teams": #expect(rename(host + "/teams", away) == 0)
        case "host":
            #expect(rename(host, away) == 0)
            try fixture.write("a.example", "x")
            try fixture.write("b.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        default: #expect(rename(fixture.site, away) == 0)
        }
        var loader = try fixture.loader()
        #expect(loader.restore([try record(Self.usual)]).isEmpty)
        for _ in 0..<2 {
            let (publication, report) = try loader.load(now: now)
            let host = try #require(publication.snapshot.host(named: "a.example"))
            #expect(
                served(host) == [
                    Self.merged, "/.well-known/assetlinks.json [1]", "/.well-known/nodeinfo/x {}",
                ], "\(broken)")
            #expect(publication.snapshot.host(named: "w.a.example") === host)
            #expect(
                host.association.response(userAgent: nil).response.field("Cache-Control")
                    == "no-cache")
            #expect(report.kept.first?.text.contains("kept since 2026-11-20T23:59:00Z") == true)
            #expect(report.changes.allSatisfy { $0.host != "a.example" }, "\(report.changes)")
            // From here on it is kept as it is now.
            var next = try fixture.loader()
            #expect(next.restore(loader.records).isEmpty)
            loader = next
        }
    }

    /// 1.1.0 wrote which teams there had been: until all are back, the document stays.
    @Test func aLostDocumentComesBackTeamByTeam() throws {
        var loader = try fixture.loader()
        let lost = Self.usual + [("lost.document", "1"), ("lost.siblings", "nodeinfo/x")]
        #expect(loader.restore([try record(lost)]).isEmpty)
        let (publication, report) = try loader.load(now: now)
        #expect(served(publication.snapshot.hosts[0]).first == Self.merged)
        #expect(report.findings.flatMap(\.findings).map(\.code).contains("site-teams-gone"))
        try fixture.write("a.example/teams/9JA89QQLNQ.json", Self.other)
        let whole = try loader.load(now: now).report
        #expect(!whole.findings.flatMap(\.findings).map(\.code).contains("site-teams-gone"))
    }

    @Test func factsAreRead() throws {
        let kept = KeptHost(
            try record(
                Array(Self.usual.dropFirst()) + [
                    ("host.json", #"{"aliases":["w.a.example","v.a.example"],"default":true}"#),
                    ("refused.aliases", "v.a.example"), ("lost.host", "1"),
                    ("lost.siblings", "assetlinks.json"),
                    ("default", "w.a.example"), ("refused.default", "1"),
                ]))
        #expect(kept.isLost && kept.lost == [.sibling("assetlinks.json")])
        #expect(kept.facts.aliases == ["w.a.example"] && !kept.facts.isDefault)
        #expect(kept.facts.defaultName == "w.a.example" && kept.facts.form == .json)
        #expect(kept.facts.since == now - 60 && kept.facts.signature == nil)
        let empty = KeptHost(try record([("host.json", "{\"form\":\"auto\"}")]))
        #expect(empty.facts.form == nil && empty.files.count == 1)
    }

    @Test func aSignatureIsKeptWithWhatItSigns() throws {
        let pair = try fixture.certify("a.example")
        let document = Array(SiteFixture.fragment.utf8)
        let der = try CMSSigner.sign(document, with: pair)
        var old = try record([
            ("host.json", "{\"form\":\"auto\"}"), ("document.json", SiteFixture.fragment),
            ("signature.signer", pair.identity), ("signature.life", "\(now - 9) \(now + 9)"),
        ])
        old.add("signature", der)
        let signature = try #require(KeptHost(old).facts.signature)
        #expect(signature.payload == document && signature.der == der)
        #expect(signature.signer == pair.identity && signature.notAfter == now + 9)
        // One that another tool made is the document.
        var ready = try record([
            ("document.json", SiteFixture.fragment), ("document.source", "readyMade"),
        ])
        ready.add("document.signed", der)
        #expect(KeptHost(ready).files["apple-app-site-association"] == der)
    }
}
