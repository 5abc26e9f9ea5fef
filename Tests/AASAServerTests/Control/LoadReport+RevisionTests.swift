import OpenSSL
import Testing

@testable import AASAServer

/// What keeps a machine from following its fleet.
@Suite struct LoadReportRevisionTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now

    init() throws {
        fixture = try SiteFixture()
        try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.certify("a.example")
    }

    private func refusal(judgesCertificates: Bool) throws -> String? {
        var loader = try fixture.loader()
        return try loader.load(now: now).report.refusal(judgesCertificates: judgesCertificates)
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
        #expect(try refusal(judgesCertificates: true)?.contains("b.example") == true)
    }
}
