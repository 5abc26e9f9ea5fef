import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

@Suite struct DocumentBuilderTests {
    private func source(_ team: String, _ text: String) -> SourceText {
        SourceText(name: "a.example/teams/\(team).json", text: text)
    }

    private let fragment = SiteFixture.fragment
    /// Served as it stands there, and no device would find an app by it: an error of the linter.
    private let doubtful = "{\"applinks\":{\"details\":[{\"appIDs\":[\"com.example\"]}]}}"

    @Test func theTeamIsTheNameOfItsFile() {
        expectEqual(DocumentBuilder.team(of: source("D3KQX62K1A", "")), "D3KQX62K1A")
        expectEqual(DocumentBuilder.team(of: SourceText(name: "A.json", text: "")), "A")
        expectEqual(DocumentBuilder.team(of: SourceText(name: "x/A", text: "")), "A")
        expectEqual(DocumentBuilder.team(of: SourceText(name: "", text: "")), "")
    }

    @Test func nothingIsMadeOfNothing() {
        let (document, findings) = DocumentBuilder.build(.none)
        #expect(document == nil && findings.isEmpty)
    }

    /// One team's mistake must not take another team's apps away.
    @Test func oneUnreadableFragmentBlocksTheDocument() {
        let other = source("9JA89QQLNQ", "{\"appclips\":{\"apps\":[\"9JA89QQLNQ.b.Clip\"]}}")
        let whole = DocumentBuilder.build(.fragments([source("D3KQX62K1A", fragment), other]))
        expectEqual(whole.document?.teams.map(\.identifier), ["9JA89QQLNQ", "D3KQX62K1A"])
        for broken in ["", "{", "[]"] {
            let (document, findings) = DocumentBuilder.build(
                .fragments([source("D3KQX62K1A", broken), other]))
            #expect(document == nil, "\(broken)")
            #expect(
                findings.contains {
                    $0.severity == .error && $0.file == "a.example/teams/D3KQX62K1A.json"
                }, "\(broken)")
        }
    }

    @Test func aTeamsShareIsThatOfItsBytes() throws {
        let built = DocumentBuilder.build(
            .fragments([
                source("D3KQX62K1A", fragment),
                source("9JA89QQLNQ", "{\"appclips\":{\"apps\":[\"9JA89QQLNQ.b.Clip\"]}}"),
            ]))
        let document = try #require(built.document)
        #expect(document.teams.allSatisfy { $0.bytes > 0 && $0.apps == 1 })
        #expect(document.teams.reduce(0) { $0 + $1.bytes } <= document.json.count)
        // Where its bytes were written: asked for, and not kept otherwise.
        let range = 2..<10
        expectEqual(document.place(of: range).source.name, "the merged document")
        let kept = DocumentBuilder.build(
            .fragments([source("D3KQX62K1A", fragment)]), keepsOrigins: true)
        let app = try #require(fragment.range(of: "D3KQX62K1A.com"))
        let start = fragment.utf8.distance(from: fragment.startIndex, to: app.lowerBound)
        let place = try #require(kept.document).place(of: start..<(start + 4))
        expectEqual(place.source.name, "a.example/teams/D3KQX62K1A.json")
    }

    @Test func strictnessIsForErrorsOfTheLinter() {
        let source = DocumentSource.readyMade(SourceText(name: "f", text: doubtful))
        let strict = DocumentBuilder.build(source)
        #expect(strict.document == nil)
        #expect(strict.findings.contains { $0.severity == .error })
        let lenient = DocumentBuilder.build(source, check: .readable)
        expectEqual(lenient.document?.json, Array(doubtful.utf8))
        #expect(lenient.findings.contains { $0.severity == .error }, "it is said all the same")
        // What no reader could parse is never published.
        let broken = DocumentBuilder.build(
            .readyMade(SourceText(name: "f", text: "{")), check: .readable)
        #expect(broken.document == nil)
    }

    /// Merge and linter look at the same shape; people read a finding once.
    @Test func aFindingOfBothIsToldOnce() {
        for source in [
            DocumentSource.fragments([source("D3KQX62K1A", doubtful)]),
            .readyMade(SourceText(name: "f", text: doubtful)),
        ] {
            let findings = DocumentBuilder.build(source).findings
            let places = findings.map { "\($0.code) \($0.file) \($0.range as Any)" }
            expectEqual(Set(places).count, places.count, "\(places)")
        }
    }

    @Test func aReadyMadeFileIsServedAsItIsUpToApplesBound() {
        let most = SiteLimits.documentBytesMaximum
        for count in [most, most + 1] {
            let text = fragment + String(repeating: " ", count: count - fragment.utf8.count)
            let (document, findings) = DocumentBuilder.build(
                .readyMade(SourceText(name: "f", text: text)))
            expectEqual((document?.json.count == count), (count == most), "\(count)")
            expectEqual(
                findings.contains { $0.code == "size-over-limit" && $0.severity == .error },
                (count > most))
        }
        let text = " \n" + fragment
        let built = DocumentBuilder.build(.readyMade(SourceText(name: "f", text: text)))
        expectEqual(built.document?.json, Array(text.utf8))
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
                expectEqual(document.json, bytes)
                served += 1
            } else {
                let errors = findings.filter { $0.severity == .error }
                #expect(
                    !errors.isEmpty && errors.allSatisfy { $0.remedy != nil || $0.range != nil })
            }
        }
        #expect(served > 0)
    }

    // MARK: A file that was signed before

    private func signed(
        _ payload: String, _ change: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> (der: [UInt8], begins: Int64, ends: Int64) {
        var plan = CertificateTemplate(
            commonName: "a.example", names: ["a.example"], notBefore: SiteFixture.now - 1000,
            notAfter: SiteFixture.now + 100_000)
        change(&plan)
        let authority = try LocalAuthority.make(now: SiteFixture.now - 100 * 86_400)
        let pair = try plan.make(issuer: authority.pair)
        return (
            try CMSSigner.sign(Array(payload.utf8), with: pair), plan.notBefore, plan.notAfter
        )
    }

    private func build(
        _ der: [UInt8], host: String? = "a.example", now: Int64? = SiteFixture.now
    ) -> (document: HostDocument?, findings: [Diagnostic]) {
        DocumentBuilder.build(
            .readyMade(SourceText(name: "signed", bytes: der)), host: host,
            options: LintOptions(now: now.map { Int($0) }))
    }

    @Test func aSignedFileIsServedAsItIs() throws {
        let (der, begins, ends) = try signed(fragment)
        let built = build(der)
        let document = try #require(built.document)
        expectEqual(document.json, Array(fragment.utf8))
        expectEqual(document.readySigned?.der, der)
        expectEqual(document.readySigned?.notBefore, begins)
        expectEqual(document.readySigned?.notAfter, ends)
        // Whether devices trust the chain is not known on this machine.
        #expect(!built.findings.contains { $0.severity == .error })
        #expect(!built.findings.contains { $0.code == "cms-untrusted" })
    }

    @Test func aSignerThatDevicesWouldRefuseIsRefused() throws {
        let (der, _, ends) = try signed(fragment)
        let other = build(der, host: "b.example")
        #expect(other.document == nil && other.findings.contains { $0.severity == .error })
        #expect(build(der, host: nil).document != nil, "nobody asks for a name")
        let late = build(der, now: ends + 1)
        #expect(late.document == nil)
        #expect(late.findings.allSatisfy { $0.code.hasPrefix("cms-") && $0.file == "signed" })
        // Dates are not looked at where nobody says what time it is.
        #expect(build(der, now: nil).document != nil)
        let torn = build(Array(der.prefix(der.count / 2)))
        #expect(torn.document == nil && torn.findings.contains { $0.severity == .error })
    }

    @Test func whatIsSignedHasToBeADocument() throws {
        let built = build(try signed("{").der)
        #expect(built.document == nil)
        #expect(
            built.findings.contains {
                $0.severity == .error && $0.code.hasPrefix("json-") && $0.file == "signed"
            })
        // As an unsigned one: devices would take nothing of it.
        let array = build(try signed("[1]").der)
        #expect(array.document == nil)
        #expect(array.findings.contains { $0.code == "root-not-object" })
    }
}
