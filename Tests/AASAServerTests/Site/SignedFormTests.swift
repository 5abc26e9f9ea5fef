// Covers: HostBuilder+Signature.swift
import AppSiteAssociation
import HTTP
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAServer

/// The signed form over the life of certificates: what is served is valid at the time, always.
@Suite struct SignedFormTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now
    private let day: Int64 = 86_400

    init() throws {
        fixture = try SiteFixture()
        try fixture.write("a.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.write("a.example/host.json", "{\"form\": \"auto\"}")
        try fixture.certify("a.example")
    }

    private func forms(_ snapshot: Snapshot) -> (json: PreparedResponse, signed: PreparedResponse)?
    {
        let association = snapshot.hosts[0].association
        return association.forIOS8.map { (association.response, $0) }
    }

    private func der(_ response: PreparedResponse) -> [UInt8] { Array(response.body.bytes) }

    @Test func bothFormsSayTheSame() throws {
        var loader = try fixture.loader()
        let (json, signed) = try #require(forms(try loader.load(now: now).publication.snapshot))
        expectEqual(json.field("Vary"), "User-Agent")
        expectEqual(signed.field("Vary"), "User-Agent")
        expectEqual(signed.field("Content-Type"), "application/pkcs7-mime")
        expectEqual(CMSVerifier.payload(of: der(signed)), der(json))
        let root = try fixture.folder.write("ca.pem", fixture.authority.pair.leaf.pem)
        let report = CMSVerifier.verify(
            der(signed), host: "a.example", trust: .file(root), now: now)
        #expect(report.isGood, "\(report.findings)")
    }

    /// What was never served has no last good version, however often it is loaded.
    @Test func aHostThatNeverHadACertificateKeepsNothing() throws {
        try fixture.write("b.example/teams/D3KQX62K1A.json", SiteFixture.fragment)
        try fixture.write("b.example/host.json", "{\"form\": \"auto\"}")
        var loader = try fixture.loader()
        for _ in 0..<3 {
            let (publication, report) = try loader.load(now: now)
            let facts = publication.snapshot.hosts[1].facts
            #expect(facts.problem?.contains("certificate") == true && facts.keptSince == nil)
            #expect(report.kept.isEmpty)
        }
    }

    @Test func anUnchangedSignatureIsKept() throws {
        var loader = try fixture.loader()
        let first = try #require(forms(try loader.load(now: now).publication.snapshot))
        let second = try #require(forms(try loader.load(now: now + day).publication.snapshot))
        expectEqual(der(first.signed), der(second.signed))
    }

    @Test func aRenewedCertificateSignsAnewByItself() throws {
        var loader = try fixture.loader()
        let first = try #require(forms(try loader.load(now: now).publication.snapshot))
        let pair = try fixture.certify("a.example", ends: 85)
        let (publication, report) = try loader.load(now: now)
        let second = try #require(forms(publication.snapshot))
        #expect(der(first.signed) != der(second.signed))
        expectEqual(publication.snapshot.hosts[0].facts.signatureEnds, pair.leaf.summary.notAfter)
        expectEqual(report.changes.first?.lines.contains { $0.contains("signed again") }, true)
    }

    @Test func anExpiredSignerKeepsTheLastGoodDocumentAndSignature() throws {
        var loader = try fixture.loader()
        let first = try #require(forms(try loader.load(now: now).publication.snapshot))
        // The renewal brought a certificate that has ended: refused, the earlier one signs on.
        try fixture.certify("a.example", begins: -90, ends: -1)
        let (publication, report) = try loader.load(now: now)
        #expect(report.certificates.contains { $0.isError })
        let second = try #require(forms(publication.snapshot))
        expectEqual(der(first.signed), der(second.signed))
        try fixture.write("a.example/teams/D3KQX62K1A.json", "{\"appclips\":{\"apps\":[]}}")
        let third = try #require(forms(try loader.load(now: now).publication.snapshot))
        expectEqual(CMSVerifier.payload(of: der(third.signed)), der(third.json))
    }

    @Test func whatHasEndedIsNotServedSigned() throws {
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        let stages = loader.lifeStages(now: now)
        #expect(loader.lifeStages(now: now + 81 * day) != stages)
        let (publication, report) = try loader.load(now: now + 81 * day)
        let (json, signed) = try #require(forms(publication.snapshot))
        expectEqual(json.status, 200)
        expectEqual(signed.status, 503)
        #expect(report.hasErrors)
        expectEqual(publication.snapshot.hosts[0].facts.problem?.contains("expired"), true)
    }

    @Test func aSignerThatDoesNotCoverTheHostDoesNotSign() throws {
        try fixture.certify("a.example", names: ["b.example"])
        var loader = try fixture.loader()
        let (json, signed) = try #require(forms(try loader.load(now: now).publication.snapshot))
        expectEqual(json.status, 200)
        expectEqual(signed.status, 503)
    }

    /// The only systems that need the signature accept its host in the Common Name.
    @Test func aCommonNameIsEnoughForASigner() throws {
        try fixture.certify("a.example", names: [])
        var loader = try fixture.loader()
        let (_, signed) = try #require(forms(try loader.load(now: now).publication.snapshot))
        expectEqual(signed.status, 200)
        // A certificate with a Subject Alternative Name comes first.
        let pair = try fixture.certify("a.example", rsa: true)
        let (_, next) = try #require(forms(try loader.load(now: now).publication.snapshot))
        let report = CMSVerifier.verify(
            der(next), host: "a.example", trust: .certificates([fixture.authority.pair.leaf]),
            now: now)
        #expect(report.isGood && report.signer?.fingerprint == pair.leaf.summary.fingerprint)
    }

    /// Who signs the document of a host with these pairs, and what the host reports.
    private func signer(
        _ pairs: [CertificatePair], aliases: [String] = [], last: HostSignature? = nil,
        at now: Int64
    ) throws -> (identity: String?, report: String?) {
        let source = HostFolder.read(name: "a.example", path: fixture.site + "/a.example")
        var settings = source.settings
        settings.aliases = aliases.map { Located($0, range: 0..<1) }
        var kept = KeptHost()
        kept.facts.signature = last
        var builder = HostBuilder(
            source: source, previous: nil, kept: kept, pairs: pairs,
            factory: ResponseFactory(strictTransportSecuritySeconds: 0), now: now,
            sign: { _, _ in [1] })
        let document = try #require(DocumentBuilder.build(source.document).document)
        let signature = builder.buildSignature(document, settings)
        return (signature?.signer, builder.reports.first?.message)
    }

    /// No signature is served under a name that it does not cover.
    @Test func theMostNamesComeFirstThenRSAThenTheLongestLife() throws {
        let names = ["a.example", "w.example"]
        let one = try fixture.certify("a.example", rsa: true)
        let ecdsa = try fixture.certify("a.example", names: names, ends: 20)
        let rsa = try fixture.certify("a.example", names: names, rsa: true, ends: 10)
        let longer = try fixture.certify("a.example", names: names, rsa: true, ends: 15)
        let all = [one, ecdsa, rsa, longer]
        for (days, best) in [(0, longer), (16, ecdsa), (21, one)] as [(Int64, CertificatePair)] {
            let found = try signer(all, aliases: ["w.example"], at: now + days * day)
            #expect(found.identity == best.identity && found.report == nil, "\(days)")
        }
        try expectEqual(signer([ecdsa, one], at: now).identity, one.identity)
    }

    @Test func whoCannotSignIsSaid() throws {
        let pair = try fixture.certify("a.example")
        let life = pair.leaf.summary
        let other = try fixture.certify("b.example")
        let last = HostSignature(
            der: [1], payload: [2], signer: "old", notBefore: now - 90 * day,
            notAfter: now + 90 * day)
        for (pairs, time, why) in [
            ([pair], life.notAfter, "the signing certificate expired on 2027-02-09"),
            (
                [pair], life.notBefore - 1,
                "the signing certificate is not valid before 2026-11-11: check the clock"
            ),
            ([other], now, "the signing certificate does not cover the host"),
            ([], now, "there is no certificate to sign with"),
        ] as [([CertificatePair], Int64, String)] {
            let none = try signer(pairs, at: time)
            #expect(none.identity == nil)
            expectEqual(none.report, why + ", and there is no valid signature")
            let kept = try signer(pairs, last: last, at: time)
            expectEqual(kept.identity, "old")
            expectEqual(kept.report, why + "; the last good signature stays in service")
        }
        #expect(try signer([], last: last, at: last.notAfter).identity == nil)
    }

    private func problem(_ der: [UInt8], _ host: String) -> CMSFindingCode? {
        CMSVerifier.verify(der, host: host, trust: .none, now: now).findings.first {
            $0.code == .wrongHost
        }?.code
    }

    /// Each name has a certificate of its own: the signature is that of one.
    @Test(arguments: ["auto", "signed"])
    func anAliasThatTheSignerDoesNotCoverIsNotAnsweredSigned(form: String) throws {
        try fixture.write(
            "a.example/host.json", "{\"form\": \"\(form)\", \"aliases\": [\"w.a.example\"]}")
        try fixture.certify("w.a.example")
        var loader = try fixture.loader()
        func answer(_ snapshot: Snapshot, _ host: String) throws -> PreparedResponse {
            let served = try #require(snapshot.host(named: host))
            return Array("swcd CFNetwork/711.1.16".utf8).withUnsafeBytes {
                served.association.response(userAgent: $0).response
            }
        }
        let (first, report) = try loader.load(now: now)
        #expect(try problem(der(answer(first.snapshot, "a.example")), "a.example") == nil)
        try expectEqual(answer(first.snapshot, "w.a.example").status, 503)
        let finding = report.findings.flatMap(\.findings).first { $0.code == "site-cannot-sign" }
        expectEqual(finding?.message.contains("w.a.example"), true)
        let facts = first.snapshot.hosts[0].facts
        #expect(facts.problem?.contains("w.a.example") == true && facts.keptSince == nil)
        // Kept over a restart, by whoever signed it.
        var next = try fixture.loader()
        #expect(next.restore(loader.kept).isEmpty)
        let again = try next.load(now: now).publication.snapshot
        try expectEqual(answer(again, "w.a.example").status, 503)
        // One certificate for both names signs anew.
        try fixture.certify("a.example", names: ["a.example", "w.a.example"])
        let (mended, after) = try next.load(now: now)
        #expect(!after.hasErrors, "\(after.findings)")
        let signed = der(try answer(mended.snapshot, "w.a.example"))
        #expect(problem(signed, "w.a.example") == nil && problem(signed, "a.example") == nil)
        #expect(mended.snapshot.hosts[0].facts.problem == nil)
    }

    @Test func theSignedSizeCounts() throws {
        let rules = (0..<4000).map { "{\"/\":\"/a/very/long/path/\($0)\"}" }
        let text =
            "{\"applinks\":{\"details\":[{\"appIDs\":[\"D3KQX62K1A.com.example\"],\"components\":["
            + rules.joined(separator: ",") + "]}]}}"
        let spaces = String(repeating: " ", count: max(0, 131_000 - text.utf8.count))
        try fixture.folder.write("site/b.example/apple-app-site-association", text + spaces)
        try fixture.write("b.example/host.json", "{\"form\": \"signed\", \"strict\": false}")
        try fixture.certify("b.example")
        var loader = try fixture.loader()
        let (publication, report) = try loader.load(now: now)
        let host = try #require(publication.snapshot.host(named: "b.example"))
        expectEqual(host.association.response(userAgent: nil).response.status, 503)
        let finding = report.findings.flatMap(\.findings).first {
            $0.code == "site-signed-too-large"
        }
        expectEqual(finding?.message.contains("131000 bytes"), true, "\(report.findings)")
        expectEqual(finding?.message.contains("131072"), true)
    }

    /// With `auto` only iOS 8 gets the signed form, and the limit of size began with iOS 9.3.1.
    @Test func iOS8GetsTheSignedFormOfAnySize() throws {
        var loader = try fixture.loader()
        let small = try #require(forms(try loader.load(now: now).publication.snapshot))
        expectEqual(small.signed.status, 200)
        let text =
            SiteFixture.fragment
            + String(repeating: " ", count: 131_000 - SiteFixture.fragment.utf8.count)
        Files.removeTree(fixture.site + "/a.example/teams")
        try fixture.write("a.example/apple-app-site-association", text)
        // The second load goes by what the first one left.
        for _ in 0..<2 {
            let (publication, report) = try loader.load(now: now)
            let large = try #require(forms(publication.snapshot))
            expectEqual(der(large.json), Array(text.utf8))
            expectEqual(large.signed.status, 200)
            #expect(der(large.signed).count > SiteLimits.documentBytesMaximum)
            expectEqual(CMSVerifier.payload(of: der(large.signed)), Array(text.utf8))
            #expect(
                !report.findings.flatMap(\.findings).contains {
                    $0.code == "site-signed-too-large"
                })
            #expect(report.kept.isEmpty && publication.snapshot.hosts[0].facts.problem == nil)
        }
    }

    @Test func aReadySignedFileIsServedAsItIs() throws {
        let pair = try fixture.certify("c.example")
        let der = try CMSSigner.sign(Array(SiteFixture.fragment.utf8), with: pair)
        try fixture.folder.write("site/c.example/apple-app-site-association", der)
        var loader = try fixture.loader()
        let snapshot = try loader.load(now: now).publication.snapshot
        let host = try #require(snapshot.host(named: "c.example"))
        let answer = host.association.response(userAgent: nil).response
        expectEqual(self.der(answer), der)
        expectEqual(answer.field("Content-Type"), "application/pkcs7-mime")
        expectEqual(host.facts.apps, 1)
    }

    @Test func aReadySignatureIsNotServedUnderAnAliasThatItDoesNotCover() throws {
        let pair = try fixture.certify("c.example")
        try fixture.certify("w.c.example")
        let der = try CMSSigner.sign(Array(SiteFixture.fragment.utf8), with: pair)
        try fixture.folder.write("site/c.example/apple-app-site-association", der)
        try fixture.write("c.example/host.json", "{\"aliases\": [\"w.c.example\"]}")
        var loader = try fixture.loader()
        let (publication, report) = try loader.load(now: now)
        let host = try #require(publication.snapshot.host(named: "c.example"))
        expectEqual(self.der(host.association.response(userAgent: nil).response), der)
        let alias = try #require(publication.snapshot.host(named: "w.c.example"))
        expectEqual(alias.association.response(userAgent: nil).response.text, SiteFixture.fragment)
        let finding = report.findings.flatMap(\.findings).first { $0.code == "cms-wrong-host" }
        expectEqual(finding?.severity, .warning)
        expectEqual(finding?.message.contains("w.c.example"), true)
    }

    /// A form that nobody can make is no reason to answer nobody, nor after a restart.
    @Test func aHostThatAnsweredGoesOnUntilItCanSign() throws {
        try fixture.write("a.example/host.json", "{}")
        try fixture.certify("a.example", names: ["b.example"])
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        try fixture.write("a.example/host.json", "{\"form\": \"signed\"}")
        func answer(_ loader: inout SiteLoader) throws -> PreparedResponse {
            let (publication, _) = try loader.load(now: now)
            return publication.snapshot.hosts[0].association.response(userAgent: nil).response
        }
        try expectEqual(answer(&loader).text, SiteFixture.fragment)
        var next = try fixture.loader()
        #expect(next.restore(loader.kept).isEmpty)
        try expectEqual(answer(&next).text, SiteFixture.fragment)
        try fixture.certify("a.example")
        try expectEqual(answer(&next).field("Content-Type"), "application/pkcs7-mime")
    }

    /// Nobody else would say it: no certificate in use ends with it.
    @Test func aReadySignatureThatHasEndedGivesWayToItsDocument() throws {
        try fixture.certify("c.example")
        let plan = CertificateTemplate(
            commonName: "c.example", names: ["c.example"], notBefore: now - day,
            notAfter: now + 20 * day)
        let signer = try plan.make(issuer: fixture.authority.pair)
        let der = try CMSSigner.sign(Array(SiteFixture.fragment.utf8), with: signer)
        try fixture.folder.write("site/c.example/apple-app-site-association", der)
        var loader = try fixture.loader()
        _ = try loader.load(now: now)
        let later = now + 21 * day
        #expect(loader.lifeStages(now: later) != loader.lifeStages(now: now))
        let (publication, report) = try loader.load(now: later)
        let host = try #require(publication.snapshot.host(named: "c.example"))
        let answer = host.association.response(userAgent: nil).response
        expectEqual(answer.text, SiteFixture.fragment)
        expectEqual(answer.field("Content-Type"), "application/json")
        #expect(report.hasErrors && host.facts.problem?.contains("expired") == true)
    }

    /// A clock may be wrong at the start, or a signer not begun: it is looked at again by itself.
    @Test func aReadySignedFileThatWasRefusedIsLookedAtAgain() throws {
        for host in ["a.example", "c.example"] { try fixture.certify(host, ends: 800) }
        let plan = CertificateTemplate(
            commonName: "c.example", names: ["c.example"], notBefore: now, notAfter: now + 60 * day)
        let signer = try plan.make(issuer: fixture.authority.pair)
        let der = try CMSSigner.sign(Array(SiteFixture.fragment.utf8), with: signer)
        try fixture.folder.write("site/c.example/apple-app-site-association", der)
        for wrong in [now + 61 * day, now - day] {
            var loader = try fixture.loader()
            func answer(_ time: Int64) throws -> PreparedResponse? {
                try loader.load(now: time).publication.snapshot.host(named: "c.example")?
                    .association.response(userAgent: nil).response
            }
            try expectEqual(answer(wrong)?.status, 503)
            #expect(loader.lifeStages(now: wrong) != loader.lifeStages(now: now + day))
            try expectEqual(answer(now + day)?.status, 200)
        }
    }
}
