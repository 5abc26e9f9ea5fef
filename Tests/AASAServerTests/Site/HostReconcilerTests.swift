import AppSiteAssociation
import Foundation
import HTTP
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostReconcilerTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now

    init() throws { fixture = try .withHost() }

    private func response(_ snapshot: Snapshot, _ host: String = "a.example") -> PreparedResponse? {
        snapshot.host(named: host)?.association.response(userAgent: nil).response
    }

    @Test func siblingsFallBackEachByItself() throws {
        try fixture.write("a.example/well-known/assetlinks.json", "[]")
        try fixture.write("a.example/well-known/acme-challenge/t", "x")
        try fixture.write(
            "a.example/host.json", "{\"changePassword\": \"https://a.example/pw\"}")
        var loader = try fixture.loader()
        let host = try loader.load(now: now).publication.snapshot.hosts[0]
        func sibling(_ host: ServedHost, _ name: String) -> PreparedResponse? {
            host.siblings.first { $0.name == "/.well-known/\(name)" }?.response
        }
        expectEqual(sibling(host, "assetlinks.json")?.field("Content-Type"), "application/json")
        expectEqual(sibling(host, "acme-challenge/t")?.field("Cache-Control"), "no-store")
        let redirect = try #require(sibling(host, "change-password"))
        expectEqual(redirect.status, 302)
        expectEqual(redirect.field("Location"), "https://a.example/pw")
        try fixture.write("a.example/well-known/assetlinks.json", "-----BEGIN PRIVATE KEY-----")
        let after = try loader.load(now: now).publication.snapshot.hosts[0]
        expectEqual(sibling(after, "assetlinks.json")?.text, "[]")
        expectEqual(after.facts.problem?.contains("private key"), true)
    }

    private static let kept = ["assetlinks.json", "security.txt", "sub/x.json"]

    private func siblings(_ snapshot: Snapshot) -> [String] {
        snapshot.hosts[0].siblings.map { String($0.name.dropFirst("/.well-known/".count)) }.sorted()
    }

    private func writeSiblings() throws {
        for name in Self.kept { try fixture.write("a.example/well-known/\(name)", "[1]") }
    }

    private func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: "\(fixture.site)/a.example/\(path)")
    }

    /// Nobody takes all of them away by taking away what holds them.
    @Test(arguments: ["emptied", "bare", "folder", "link", "file", "sub: link", "sub: file"])
    func siblingsAreNotLostWithWhatHeldThem(how: String) throws {
        try writeSiblings()
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        let place = "\(fixture.site)/a.example"
        switch how {
        case "emptied":
            try remove("teams")
            try remove("well-known")
        case "bare":
            try remove("teams/D3KQX62K1A.json")
            for name in Self.kept { try remove("well-known/\(name)") }
        case "folder": try remove("well-known")
        case "sub: link", "sub: file":
            try remove("well-known/sub")
            if how == "sub: file" { try fixture.write("a.example/well-known/sub", "x") }
            if how == "sub: link" {
                expectEqual(symlink("/no/such", place + "/well-known/sub"), 0)
            }
        default:
            try remove("well-known")
            if how == "link" { expectEqual(symlink("/no/such", place + "/well-known"), 0) }
            if how == "file" { try fixture.write("a.example/well-known", "x") }
        }
        var kept = KeptTree()
        for _ in 0..<2 {
            let (publication, report) = try loader.load(now: now)
            #expect(Set(siblings(publication.snapshot)).isSuperset(of: Self.kept), "\(how)")
            expectEqual(response(publication.snapshot)?.text, SiteFixture.fragment)
            #expect(report.hasErrors)
            expectEqual(report.kept.count, 1)
            kept = loader.kept
        }
        // And so it is for the next process.
        var next = try fixture.loader()
        #expect(next.restore(kept).isEmpty)
        let (publication, report) = try next.load(now: now)
        #expect(Set(siblings(publication.snapshot)).isSuperset(of: Self.kept), "\(how)")
        expectEqual(report.kept.count, 1)
    }

    /// What is meant is done: one file, one folder below, or an empty folder for them all.
    @Test func siblingsThatAreTakenAwayAreGone() throws {
        try writeSiblings()
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        try remove("well-known/security.txt")
        var (publication, report) = try loader.load(now: now)
        expectEqual(siblings(publication.snapshot), ["assetlinks.json", "sub/x.json"])
        #expect(!report.hasErrors)
        expectEqual(report.changes.first?.lines, ["security.txt removed"])
        try remove("well-known/sub")
        (publication, report) = try loader.load(now: now)
        expectEqual(siblings(publication.snapshot), ["assetlinks.json"])
        try remove("well-known/assetlinks.json")
        (publication, report) = try loader.load(now: now)
        expectEqual(siblings(publication.snapshot), [])
        #expect(!report.hasErrors)
    }

    /// A full disk leaves files without bytes.
    @Test func aSiblingThatBecameEmptyKeepsWhatItHeld() throws {
        try fixture.write("a.example/well-known/security.txt", "Contact: mailto:a@example.com")
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        try fixture.write("a.example/well-known/security.txt", "")
        for _ in 0..<2 {
            let (publication, report) = try loader.load(now: now)
            let sibling = publication.snapshot.hosts[0].siblings.first
            expectEqual(sibling?.response.text.hasPrefix("Contact"), true)
            #expect(report.hasErrors && report.kept.count == 1)
        }
    }

    /// A team's part needs no folder of its own: who takes it away means it.
    @Test func aMergedSiblingGoesWithItsLastPart() throws {
        try fixture.write(
            "a.example/teams/D3KQX62K1A.assetlinks.json",
            #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"#
                + #""android_app","package_name":"com.example","sha256_cert_fingerprints":[""#
                + (0..<32).map { String($0 * 7 + 18, radix: 16, uppercase: true) }.joined(
                    separator: ":") + #""]}}]"#)
        var loader = try fixture.loader()
        expectEqual(
            siblings(try loader.load(now: now).publication.snapshot), ["assetlinks.json"])
        var next = try fixture.loader()
        #expect(next.restore(loader.kept).isEmpty)
        try remove("teams/D3KQX62K1A.assetlinks.json")
        for _ in 0..<2 {
            let (publication, report) = try next.load(now: now)
            expectEqual(siblings(publication.snapshot), [])
            #expect(!report.hasErrors, "\(report)")
        }
    }

    /// A copy puts them back one after the other: what is not yet there was not taken away.
    @Test(arguments: ["well-known", "well-known: link", "host"])
    func lostSiblingsComeBackOneByOne(lost: String) throws {
        try writeSiblings()
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        try remove("well-known")
        let place = "\(fixture.site)/a.example"
        switch lost {
        case "well-known: link": expectEqual(symlink("/no/such", place + "/well-known"), 0)
        case "host":
            try remove("teams")
            _ = try loader.load(now: now)
            try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        default: break
        }
        _ = try loader.load(now: now)
        if lost == "well-known: link" { try remove("well-known") }
        try fixture.folder.makeFolder("site/a.example/well-known")
        expectEqual(siblings(try loader.load(now: now).publication.snapshot), Self.kept)
        try fixture.write("a.example/well-known/security.txt", "[2]")
        var next = try fixture.loader()
        #expect(next.restore(loader.kept).isEmpty)
        for _ in 0..<2 {
            let (publication, report) = try next.load(now: now)
            expectEqual(siblings(publication.snapshot), Self.kept)
            let seen = publication.snapshot.hosts[0].siblings.first { $0.name.hasSuffix(".txt") }
            expectEqual(seen?.response.text, "[2]", "what is there is served")
            #expect(report.hasErrors && report.changes.first?.lines.count ?? 0 <= 1)
        }
        var ordered = next
        expectEqual(
            siblings(try ordered.load(now: now, confirmed: ordered.losses).publication.snapshot),
            ["security.txt"])
        try writeSiblings()
        #expect(try !next.load(now: now).report.hasErrors)
        try remove("well-known/security.txt")
        expectEqual(
            siblings(try next.load(now: now).publication.snapshot),
            ["assetlinks.json", "sub/x.json"])
    }

    private func writePart(_ team: String, _ package: String) throws {
        try fixture.write(
            "a.example/teams/\(team).assetlinks.json",
            #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"#
                + #""android_app","package_name":"\#(package)","sha256_cert_fingerprints":[""#
                + (0..<32).map { String($0 * 7 + 18, radix: 16, uppercase: true) }.joined(
                    separator: ":") + #""]}}]"#)
    }

    @Test func aMergedSiblingComesBackTeamByTeam() throws {
        try writePart("D3KQX62K1A", "com.one")
        try writePart("9JA89QQLNQ", "com.two")
        var loader = try fixture.loader()
        let good = try loader.load(now: now).publication.snapshot.hosts[0].siblings[0].response.text
        try remove("teams")
        _ = try loader.load(now: now)
        try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try writePart("D3KQX62K1A", "com.one")
        var next = try fixture.loader()
        #expect(next.restore(loader.kept).isEmpty)
        for _ in 0..<2 {
            let (publication, report) = try next.load(now: now)
            expectEqual(publication.snapshot.hosts[0].siblings.first?.response.text, good)
            #expect(report.hasErrors)
        }
        try writePart("9JA89QQLNQ", "com.two")
        #expect(try !next.load(now: now).report.hasErrors)
        try remove("teams/9JA89QQLNQ.assetlinks.json")
        let (publication, report) = try next.load(now: now)
        expectEqual(
            publication.snapshot.hosts[0].siblings[0].response.text.contains("com.two"), false)
        #expect(!report.hasErrors)
    }

    /// The host never had a document that could be served; what it serves stays all the same.
    @Test(arguments: ["gone", "link", "file"])
    func mergedSiblingsStayWhenTheTeamsCannotBeListed(how: String) throws {
        try fixture.write("a.example/teams/D3KQX62K1A.json", "{")
        try writePart("D3KQX62K1A", "com.one")
        var loader = try fixture.loader()
        expectEqual(
            siblings(try loader.load(now: now).publication.snapshot), ["assetlinks.json"])
        try remove("teams")
        if how == "link" {
            expectEqual(symlink("/no/such", "\(fixture.site)/a.example/teams"), 0)
        }
        if how == "file" { try fixture.write("a.example/teams", "x") }
        for _ in 0..<3 {
            // An order confirms what is gone, and not what cannot be read.
            let confirmed = how == "gone" ? [] : loader.losses
            let (publication, report) = try loader.load(now: now, confirmed: confirmed)
            expectEqual(siblings(publication.snapshot), ["assetlinks.json"])
            #expect(report.hasErrors && report.kept.count == 1)
        }
    }

    /// What is hidden was not removed, and an order confirms nothing of it.
    @Test(arguments: ["teams", "well-known"], ["gone", "link"])
    func aSiblingFromTwoFoldersStaysWhenOneIsAway(folder: String, how: String) throws {
        try writePart("D3KQX62K1A", "com.one")
        try fixture.write("a.example/well-known/assetlinks.json", "[]")
        var loader = try fixture.loader()
        let good = try loader.load(now: now).publication.snapshot.hosts[0].siblings[0].response.text
        try remove(folder)
        if how == "link" {
            expectEqual(symlink("/no/such", "\(fixture.site)/a.example/\(folder)"), 0)
        }
        _ = try loader.load(now: now)
        for _ in 0..<2 {
            let confirmed = how == "link" ? loader.losses : []
            let (publication, report) = try loader.load(now: now, confirmed: confirmed)
            expectEqual(publication.snapshot.hosts[0].siblings.map(\.response.text), [good])
            #expect(report.hasErrors && report.kept.count == 1, "\(report)")
        }
    }

    // MARK: Settings

    private static let allSettings = """
        {"aliases": ["w.a.example"], "form": "auto", "cacheControl": "max-age=60",
        "changePassword": "/password", "types": {"nodeinfo": "text/x-one"},
        "order": ["ZZZZZZZZZZ", "D3KQX62K1A"], "default": true, "strict": false}
        """

    private func everything(_ publication: Publication) -> [String] {
        publication.snapshot.hosts.flatMap { host -> [String] in
            let answer = host.association.response(userAgent: nil).response
            return ["\(host.name) \(host.aliases) \(answer.fields) \(answer.text)"]
                + host.siblings.map { "\($0.name) \($0.response.fields) \($0.response.text)" }
        }
    }

    /// Two teams claim the same path: the order says whose app it opens.
    @Test(arguments: ["broken", "gone", "mistyped", "unreadable"])
    func noSettingIsForgotten(how: String) throws {
        for team in ["D3KQX62K1A", "ZZZZZZZZZZ"] {
            try fixture.write(
                "a.example/teams/\(team).json",
                #"{"applinks":{"details":[{"appIDs":["\#(team).com.shop"],"components":"#
                    + #"[{"/":"/shop/*"}]}]}}"#)
        }
        try fixture.write("a.example/well-known/nodeinfo", "{}")
        try fixture.write("a.example/host.json", Self.allSettings)
        try fixture.certify("a.example", names: ["a.example", "w.a.example"])
        var loader = try fixture.loader()
        let first = try loader.load(now: now).publication
        let good = everything(first)
        let text = try #require(response(first.snapshot)?.text)
        let places = ["ZZZZZZZZZZ", "D3KQX62K1A"].map { text.firstRange(of: $0)?.lowerBound }
        #expect(try #require(places[0]) < #require(places[1]))
        try remove("host.json")
        switch how {
        case "broken": try fixture.write("a.example/host.json", "{\"aliases\": [")
        case "mistyped":
            try fixture.write("a.example/host.json", "{\"ordr\": [\"D3KQX62K1A\"]}")
        case "unreadable": try fixture.folder.makeFolder("site/a.example/host.json")
        default: break
        }
        for process in 0..<2 {
            for _ in 0..<2 {
                let (publication, report) = try loader.load(now: now)
                expectEqual(everything(publication), good, "\(how)")
                #expect(publication.snapshot.defaultHost == 0 && report.hasErrors)
                #expect(report.changes.isEmpty, "\(report.changes)")
            }
            if process == 0 {
                var next = try fixture.loader()
                #expect(next.restore(loader.kept).isEmpty)
                loader = next
            }
        }
        // An order does not mean what cannot be read, and means what is not there.
        let after = try loader.load(now: now, confirmed: loader.losses).publication
        expectEqual((everything(after) == good), (how != "gone"))
        expectEqual((after.snapshot.host(named: "w.a.example") == nil), (how == "gone"))
    }

    /// A folder without any document was emptied: an order that came too early takes nothing away.
    @Test func anEmptiedHostLosesNothingByAnOrder() throws {
        try writeSiblings()
        try fixture.write("a.example/host.json", "{\"aliases\": [\"w.a.example\"]}")
        var loader = try fixture.loader()
        let good = everything(try loader.load(now: now).publication)
        for name in ["teams", "well-known", "host.json"] { try remove(name) }
        for _ in 0..<3 {
            let (publication, report) = try loader.load(now: now, confirmed: loader.losses)
            #expect(everything(publication) == good && report.hasErrors)
        }
    }

    /// Until it was reported, nobody can have confirmed it.
    @Test func aLossIsConfirmedAfterItWasReported() throws {
        try writeSiblings()
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        try remove("well-known")
        #expect(loader.losses.isEmpty)
        let first = try loader.load(now: now, confirmed: loader.losses)
        expectEqual(siblings(first.publication.snapshot), Self.kept)
        expectEqual(loader.losses.count, 3)
        let second = try loader.load(now: now, confirmed: loader.losses)
        #expect(siblings(second.publication.snapshot).isEmpty && !second.report.hasErrors)
        #expect(loader.losses.isEmpty)
    }
}
