// Covers: HostBuilder.swift, HostState.swift, HostDocument.swift, HostChange.swift
// Covers: SnapshotBuilder.swift, ResponseFactory.swift, DocumentBuilder.swift
import AppSiteAssociation
import Foundation
import HTTP
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

    private func response(_ snapshot: Snapshot, _ host: String = "a.example") -> PreparedResponse? {
        snapshot.host(named: host)?.association.response(userAgent: nil).response
    }

    @Test func theDocumentIsServedWithItsFields() throws {
        var loader = try fixture.loader()
        let (publication, report) = try loader.load(now: now)
        let answer = try #require(response(publication.snapshot))
        #expect(answer.status == 200)
        #expect(answer.text == SiteFixture.fragment)
        #expect(answer.field("Content-Type") == "application/json")
        #expect(answer.field("Cache-Control") == "max-age=3600")
        #expect(answer.field("Strict-Transport-Security") == "max-age=63072000")
        #expect(answer.field("Vary") == nil)
        for name in ["ETag", "Last-Modified", "Accept-Ranges", "Set-Cookie"] {
            #expect(answer.field(name) == nil)
        }
        #expect(!report.hasErrors)
        #expect(publication.snapshot.generation == 1)
        #expect(publication.snapshot.defaultHost == 0)
        #expect(publication.contexts.count == 1)
        let facts = publication.snapshot.hosts[0].facts
        #expect(
            facts.teams == [.init(identifier: "D3KQX62K1A", apps: 1, bytes: facts.teams[0].bytes)])
        #expect(facts.documentBytes == SiteFixture.fragment.utf8.count)
    }

    @Test func withoutHSTSTheFieldIsNotSent() throws {
        var loader = try fixture.loader { $0.strictTransportSecuritySeconds = 0 }
        let snapshot = try loader.load(now: now).publication.snapshot
        #expect(response(snapshot)?.field("Strict-Transport-Security") == nil)
    }

    @Test func aBrokenFragmentKeepsTheLastGoodDocument() throws {
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        try fixture.write("a.example/teams/D3KQX62K1A.json", "{\"webcredentials\": ")
        let (broken, report) = try loader.load(now: now)
        #expect(report.hasErrors)
        #expect(response(broken.snapshot)?.text == SiteFixture.fragment)
        let problem = try #require(broken.snapshot.hosts[0].facts.problem)
        #expect(problem.contains("D3KQX62K1A.json:1:"))
        // Again, from memory: still said.
        #expect(try loader.load(now: now).publication.snapshot.hosts[0].facts.problem == problem)
        try fixture.write("a.example/teams/D3KQX62K1A.json", "{\"webcredentials\":{\"apps\":[]}}")
        let (mended, after) = try loader.load(now: now)
        #expect(!after.hasErrors)
        #expect(mended.snapshot.hosts[0].facts.problem == nil)
        #expect(response(mended.snapshot)?.text == "{\"webcredentials\":{\"apps\":[]}}")
        let lines = after.changes.first?.lines ?? []
        // Each line names the service that it is about: the same app may go from several.
        #expect(lines.contains { $0.contains("app D3KQX62K1A") })
        #expect(lines.filter { $0.contains("app D3KQX62K1A") }.allSatisfy { $0.contains(": ") })
        #expect(Set(lines).count == lines.count, "\(lines)")
    }

    @Test func withoutAnEarlierDocumentTheAnswerIs503() throws {
        try fixture.write("a.example/teams/D3KQX62K1A.json", "[]")
        var loader = try fixture.loader()
        let (publication, report) = try loader.load(now: now)
        #expect(report.hasErrors)
        let answer = try #require(response(publication.snapshot))
        #expect(answer.status == 503)
        #expect(answer.field("Cache-Control") == "no-store")
        #expect(answer.field("Retry-After") == "60")
    }

    @Test func oneMissingFragmentDoesNotTakeATeamAway() throws {
        try fixture.write(
            "a.example/teams/9JA89QQLNQ.json", "{\"appclips\":{\"apps\":[\"9JA89QQLNQ.b.Clip\"]}}")
        var loader = try fixture.loader()
        let good = try loader.load(now: now).publication.snapshot
        try fixture.write("a.example/teams/9JA89QQLNQ.json", "{")
        let after = try loader.load(now: now).publication.snapshot
        #expect(response(after)?.text == response(good)?.text)
        #expect(response(after)?.text.contains("9JA89QQLNQ") == true)
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
        #expect(response(publication.snapshot)?.field("Cache-Control") == "no-cache")
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
        #expect(sibling(host, "assetlinks.json")?.field("Content-Type") == "application/json")
        #expect(sibling(host, "acme-challenge/t")?.field("Cache-Control") == "no-store")
        let redirect = try #require(sibling(host, "change-password"))
        #expect(redirect.status == 302)
        #expect(redirect.field("Location") == "https://a.example/pw")
        try fixture.write("a.example/well-known/assetlinks.json", "-----BEGIN PRIVATE KEY-----")
        let after = try loader.load(now: now).publication.snapshot.hosts[0]
        #expect(sibling(after, "assetlinks.json")?.text == "[]")
        #expect(after.facts.problem?.contains("private key") == true)
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
                #expect(symlink("/no/such", place + "/well-known/sub") == 0)
            }
        default:
            try remove("well-known")
            if how == "link" { #expect(symlink("/no/such", place + "/well-known") == 0) }
            if how == "file" { try fixture.write("a.example/well-known", "x") }
        }
        var records: [StateRecord] = []
        for _ in 0..<2 {
            let (publication, report) = try loader.load(now: now)
            #expect(Set(siblings(publication.snapshot)).isSuperset(of: Self.kept), "\(how)")
            #expect(response(publication.snapshot)?.text == SiteFixture.fragment)
            #expect(report.hasErrors)
            #expect(report.kept.count == 1)
            records = loader.records
        }
        // And so it is for the next process.
        var next = try fixture.loader()
        #expect(next.restore(records).isEmpty)
        let (publication, report) = try next.load(now: now)
        #expect(Set(siblings(publication.snapshot)).isSuperset(of: Self.kept), "\(how)")
        #expect(report.kept.count == 1)
    }

    /// What is meant is done: one file, one folder below, or an empty folder for them all.
    @Test func siblingsThatAreTakenAwayAreGone() throws {
        try writeSiblings()
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        try remove("well-known/security.txt")
        var (publication, report) = try loader.load(now: now)
        #expect(siblings(publication.snapshot) == ["assetlinks.json", "sub/x.json"])
        #expect(!report.hasErrors)
        #expect(report.changes.first?.lines == ["security.txt removed"])
        try remove("well-known/sub")
        (publication, report) = try loader.load(now: now)
        #expect(siblings(publication.snapshot) == ["assetlinks.json"])
        try remove("well-known/assetlinks.json")
        (publication, report) = try loader.load(now: now)
        #expect(siblings(publication.snapshot) == [])
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
            #expect(sibling?.response.text.hasPrefix("Contact") == true)
            #expect(report.hasErrors && report.kept.count == 1)
        }
    }

    /// A team's part needs no folder of its own: who takes it away means it.
    @Test func aMergedSiblingGoesWithItsLastPart() throws {
        try fixture.write(
            "a.example/teams/D3KQX62K1A.assetlinks.json",
            #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"#
                + #""android_app","package_name":"com.example","sha256_cert_fingerprints":[""#
                + (0..<32).map { _ in "A7" }.joined(separator: ":") + #""]}}]"#)
        var loader = try fixture.loader()
        #expect(
            siblings(try loader.load(now: now).publication.snapshot) == ["assetlinks.json"])
        var next = try fixture.loader()
        #expect(next.restore(loader.records).isEmpty)
        try remove("teams/D3KQX62K1A.assetlinks.json")
        for _ in 0..<2 {
            let (publication, report) = try next.load(now: now)
            #expect(siblings(publication.snapshot) == [])
            #expect(!report.hasErrors, "\(report)")
        }
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

    @Test func everyDocumentOfTheCorpusIsServedAsItIsOrRefusedWithAPlace() throws {
        guard let corpus = Corpus.folder("aasa") else { return }
        let names = try FileReading.entries(of: corpus.path, maximum: 10_000)
        var served = 0
        for entry in names where entry.kind == .file {
            let bytes = try FileReading.bytes(
                at: "\(corpus.path)/\(entry.name)", maximum: 1 << 24)
            let source = SourceText(name: entry.name, bytes: bytes)
            let (document, findings) = DocumentBuilder.build(.readyMade(source))
            if let document {
                #expect(document.json == bytes)
                served += 1
            } else {
                let errors = findings.filter { $0.severity == .error }
                #expect(
                    !errors.isEmpty && errors.allSatisfy { $0.remedy != nil || $0.range != nil })
            }
        }
        #expect(served > 0)
    }
}
