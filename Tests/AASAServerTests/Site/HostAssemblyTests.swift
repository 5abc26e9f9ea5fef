import AppSiteAssociation
import HTTP
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostAssemblyTests {
    private func assembly(
        _ settings: HostSettings, _ document: HostDocument?, _ signature: HostSignature? = nil
    ) -> HostAssembly {
        HostAssembly(
            factory: ResponseFactory(strictTransportSecuritySeconds: 0), name: "a.example",
            settings: settings, document: document, signature: signature)
    }

    private func document(ready: [UInt8]? = nil) throws -> HostDocument {
        let json = Array(SiteFixture.fragment.utf8)
        let file = try AssociationFile(reading: SourceText(name: "f", bytes: json))
        return HostDocument(
            json: json, file: file,
            readySigned: ready.map {
                HostSignature(der: $0, payload: json, signer: "", notBefore: 3, notAfter: 4)
            })
    }

    private func signature(_ der: [UInt8]) -> HostSignature {
        HostSignature(der: der, payload: [], signer: "s", notBefore: 1, notAfter: 2)
    }

    private func settings(_ form: AssociationForm) -> HostSettings {
        var settings = HostSettings()
        settings.form = form
        settings.cacheControl = "max-age=60"
        return settings
    }

    private func served(
        _ form: AssociationForm, _ document: HostDocument?, _ signature: HostSignature? = nil,
        uncovered: [String] = [], siblings: [String: SiblingSource] = [:],
        _ change: (inout HostSettings) -> Void = { _ in }
    ) -> ServedHost {
        var settings = settings(form)
        change(&settings)
        return assembly(settings, document, signature).served(
            uncovered: uncovered, siblings: siblings, counters: HostCounters(host: "a.example"),
            facts: HostFacts())
    }

    private func answer(_ host: ServedHost, iOS8: Bool = false) -> PreparedResponse {
        Array("swcd CFNetwork/711.1.16".utf8).withUnsafeBytes {
            host.association.response(userAgent: iOS8 ? $0 : nil).response
        }
    }

    @Test func eachFormAnswersEachDevice() throws {
        let document = try document()
        let json = served(.json, document)
        for iOS8 in [true, false] {
            expectEqual(answer(json, iOS8: iOS8).text, SiteFixture.fragment)
            expectEqual(answer(json, iOS8: iOS8).field("Content-Type"), "application/json")
        }
        let signed = served(.signed, document, signature([1, 2]))
        for iOS8 in [true, false] {
            expectEqual(Array(answer(signed, iOS8: iOS8).body.bytes), [1, 2])
            expectEqual(answer(signed, iOS8: iOS8).field("Content-Type"), "application/pkcs7-mime")
        }
        let auto = served(.auto, document, signature([1, 2]))
        expectEqual(answer(auto).text, SiteFixture.fragment)
        expectEqual(Array(answer(auto, iOS8: true).body.bytes), [1, 2])
        for host in [json, signed, auto] {
            expectEqual(answer(host).status, 200)
            expectEqual(answer(host).field("Cache-Control"), "max-age=60")
        }
    }

    /// A cache must tell the forms apart, and only where there are two.
    @Test func onlyTwoFormsVary() throws {
        let document = try document()
        #expect(answer(served(.json, document)).field("Vary") == nil)
        #expect(answer(served(.signed, document, signature([1]))).field("Vary") == nil)
        let auto = served(.auto, document, signature([1]))
        expectEqual(answer(auto).field("Vary"), "User-Agent")
        expectEqual(answer(auto, iOS8: true).field("Vary"), "User-Agent")
    }

    @Test func withoutASignatureTheSignedFormIs503() throws {
        let document = try document()
        expectEqual(answer(served(.signed, document)).status, 503)
        expectEqual(answer(served(.auto, document)).status, 200)
        expectEqual(answer(served(.auto, document), iOS8: true).status, 503)
        for form in AssociationForm.allCases {
            expectEqual(answer(served(form, nil, signature([1]))).status, 503, "\(form)")
        }
    }

    /// A device takes a signature for another name as a final no.
    @Test func whereTheSignatureDoesNotCoverAnAliasItIsNotServed() throws {
        func unsigned(_ form: AssociationForm, ready: [UInt8]? = nil) throws -> ServedHost {
            let host = served(
                form, try document(ready: ready), signature([1, 2]), uncovered: ["w.example"])
            expectEqual(answer(host, iOS8: true).status, 200)
            return try #require(host.unsigned)
        }
        expectEqual(answer(try unsigned(.signed)).status, 503)
        let auto = try unsigned(.auto)
        #expect(auto.name == "a.example" && auto.aliases == ["w.example"])
        expectEqual(answer(auto).text, SiteFixture.fragment)
        expectEqual(answer(auto, iOS8: true).status, 503)
        expectEqual(answer(try unsigned(.json, ready: [9, 9])).text, SiteFixture.fragment)
        #expect(served(.auto, try document(), signature([1, 2])).unsigned == nil)
    }

    /// Another tool made it: it is served as it is, whoever asks.
    @Test func aFileThatWasSignedBeforeIsServedSigned() throws {
        let document = try document(ready: [9, 9])
        let host = served(.json, document)
        expectEqual(Array(answer(host).body.bytes), [9, 9])
        expectEqual(answer(host).field("Content-Type"), "application/pkcs7-mime")
        let facts = assembly(settings(.json), document).facts
        expectEqual(facts.signedBytes, 2)
    }

    @Test func theFactsAreThoseOfWhatIsServed() throws {
        let document = try document()
        let facts = assembly(settings(.auto), document, signature([1, 2, 3])).facts
        expectEqual(facts.form, .auto)
        #expect(facts.apps == 1 && facts.teams.map(\.identifier) == ["D3KQX62K1A"])
        #expect(facts.documentBytes == SiteFixture.fragment.utf8.count && facts.signedBytes == 3)
        expectEqual(facts.signatureEnds, 2)
        let none = assembly(settings(.json), nil).facts
        #expect(none.apps == 0 && none.documentBytes == 0)
        #expect(none.signedBytes == nil && none.signatureEnds == nil)
    }

    @Test func siblingsAreInOrderAndTheRedirectIsTheirLast() throws {
        func sibling(_ name: String) -> SiblingSource {
            SiblingSource(
                name: name, source: SourceText(name: name, text: name), mediaType: "text/plain")
        }
        let siblings = [
            "b": sibling("b"), "a": sibling("a"),
            "acme-challenge/token": sibling("acme-challenge/token"),
        ]
        let host = served(.json, nil, siblings: siblings) {
            $0.changePassword = "/password"
            $0.aliases = [.init("w.example", range: 0..<1)]
            $0.certificate = "c.example"
        }
        expectEqual(
            host.siblings.map(\.name),
            [
                "/.well-known/a", "/.well-known/acme-challenge/token", "/.well-known/b",
                "/.well-known/change-password",
            ])
        expectEqual(host.siblings[0].response.text, "a")
        expectEqual(host.siblings[0].response.field("Cache-Control"), "max-age=60")
        // It lives for a minute: from a cache it would be another order's.
        expectEqual(host.siblings[1].response.field("Cache-Control"), "no-store")
        expectEqual(host.siblings[3].response.status, 302)
        expectEqual(host.siblings[3].response.field("Location"), "/password")
        #expect(host.aliases == ["w.example"] && host.certificateFolder == "c.example")
        #expect(served(.json, nil, siblings: [:]).siblings.isEmpty)
        expectEqual(served(.json, nil).certificateFolder, "a.example")
    }
}
