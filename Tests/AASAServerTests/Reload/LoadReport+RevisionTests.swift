import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

/// What keeps a machine from following its fleet.
@Suite struct LoadReportRevisionTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now

    init() throws { fixture = try .withHost() }

    private func refusal(judgesCertificates: Bool, days: Int64 = 0) throws -> String? {
        var loader = try fixture.loader()
        let report = try loader.load(now: now + days * 86_400).report
        return report.refusal(judgesCertificates: judgesCertificates)
    }

    @Test func whatIsWholeIsFollowed() throws {
        #expect(try refusal(judgesCertificates: true) == nil)
        #expect(try refusal(judgesCertificates: false) == nil)
    }

    @Test func aFileThatCannotBeReadIsNamed() throws {
        try fixture.write("a.example/teams/7QX9T2M4LB.json", "{")
        for judges in [true, false] {
            let reason = try #require(try refusal(judgesCertificates: judges))
            #expect(reason.contains("a.example/teams/7QX9T2M4LB.json:1:"), "\(reason)")
        }
    }

    /// Its certificate is ordered when it is served, and not before.
    @Test(arguments: ["auto", "signed"]) func aNewHostIsSignedLater(form: String) throws {
        try fixture.write("b.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.write("b.example/host.json", "{\"form\": \"\(form)\"}")
        #expect(try refusal(judgesCertificates: false) == nil)
        try expectEqual(refusal(judgesCertificates: true)?.contains("b.example"), true)
    }

    /// One host's certificate must not keep a fresh machine from serving the others.
    @Test func whatTimeBringsIsNoReason() throws {
        let pair = try fixture.certify("b.example", ends: 20)
        let signed = try CMSSigner.sign(Array(SiteFixture.fragment.utf8), with: pair)
        try fixture.folder.write("site/b.example/apple-app-site-association", signed)
        try fixture.write("c.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.write("c.example/host.json", "{\"form\": \"signed\"}")
        try fixture.certify("c.example", ends: 30)
        var running = try fixture.loader()
        #expect(try !running.load(now: now).report.hasErrors)
        for days: Int64 in [0, 40] {
            for judges in [true, false] {
                #expect(try refusal(judgesCertificates: judges, days: days) == nil)
            }
        }
        let later = try running.load(now: now + 40 * 86_400).report
        #expect(later.hasErrors)
        #expect(later.refusal(judgesCertificates: true) == nil)
    }

    /// A running machine that is taken back to an ended certificate keeps the one that is valid.
    @Test func whatIsKeptBecauseOfItsDatesIsNoReason() throws {
        let good = try fixture.certify("a.example")
        var running = try fixture.loader()
        _ = try running.load(now: now)
        try fixture.certify("a.example", begins: -90, ends: -1)
        let (publication, report) = try running.load(now: now)
        #expect(report.hasErrors && report.refusal(judgesCertificates: true) == nil)
        expectEqual(
            publication.snapshot.certificates.map(\.notAfter), [good.leaf.summary.notAfter])
    }

    @Test func aCertificateOfAnotherHostIsAReason() throws {
        try fixture.certify("a.example", names: ["z.example"])
        try expectEqual(refusal(judgesCertificates: true)?.contains("does not cover"), true)
        #expect(try refusal(judgesCertificates: false) == nil)
    }
}
