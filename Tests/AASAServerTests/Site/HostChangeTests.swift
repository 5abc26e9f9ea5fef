import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAServer

@Suite struct HostChangeTests {
    private let factory = ResponseFactory(strictTransportSecuritySeconds: 0)

    private func document(_ json: String) throws -> HostDocument {
        let source = SourceText(name: "f", text: json)
        return HostDocument(
            json: source.bytes, file: try AssociationFile(reading: source))
    }

    private func apps(_ names: String...) throws -> HostDocument {
        let list = names.map { "\"\($0)\"" }.joined(separator: ",")
        return try document("{\"webcredentials\":{\"apps\":[\(list)]}}")
    }

    private func state(
        _ document: HostDocument? = nil, siblings: [String: String] = [:],
        signature: HostSignature? = nil, _ change: (inout HostSettings) -> Void = { _ in }
    ) -> HostState {
        var settings = HostSettings()
        change(&settings)
        let assembly = HostAssembly(
            factory: factory, name: "a", settings: settings, document: document,
            signature: signature)
        let sources = siblings.reduce(into: [String: SiblingSource]()) {
            $0[$1.key] = SiblingSource(
                name: $1.key, source: SourceText(name: $1.key, text: $1.value),
                mediaType: "text/plain")
        }
        let served = assembly.served(
            uncovered: [], siblings: sources, counters: HostCounters(host: "a"),
            facts: assembly.facts)
        var state = HostState(
            settings: settings, document: document, siblings: sources, served: served)
        state.kept.facts.signature = signature
        return state
    }

    private func lines(_ old: HostState, _ new: HostState) -> [String] {
        let changes = HostChange.changes(from: ["a": old], to: ["a": new])
        #expect(changes.count <= 1)
        return changes.first?.lines ?? []
    }

    @Test func atTheStartEverythingWouldBeNew() throws {
        #expect(HostChange.changes(from: [:], to: ["a": state(try apps("A.x"))]).isEmpty)
    }

    @Test func everySettingThatChangesAnswersIsNamed() {
        let changed = state {
            $0.cacheControl = "max-age=77"
            $0.certificate = "shared"
            $0.types = ["x": "text/html"]
            $0.isStrict = false
        }
        expectEqual(
            lines(state(), changed),
            [
                "cacheControl: max-age=3600 → max-age=77", "certificate: shared", "types changed",
                "strict: false",
            ])
        #expect(lines(changed, state()).contains("certificate: of its own folder"))
    }

    @Test func renewalsAreNamed() {
        func certificate(_ folder: String, _ key: String, ends: Int64) -> ServedCertificate {
            ServedCertificate(
                folder: folder, file: "f", names: [folder], keyType: key, issuer: "ca",
                notBefore: 0, notAfter: ends)
        }
        let (rsa, ecdsa) = (
            certificate("a", "RSA 2048", ends: 86_400), certificate("a", "ECDSA P-256", ends: 9)
        )
        let renewed = certificate("a", "RSA 2048", ends: 10 * 86_400)
        func changes(_ old: [ServedCertificate], _ new: [ServedCertificate]) -> [HostChange] {
            HostChange.changes(
                from: ["a": state()], to: ["a": state()], certificates: (old, new))
        }
        #expect(changes([], [rsa]).isEmpty)
        #expect(changes([rsa, ecdsa], [ecdsa, rsa]).isEmpty)
        // One change per host: their number is that of the hosts.
        expectEqual(
            changes([rsa, ecdsa], [renewed, certificate("b", "X", ends: 9)]),
            [
                HostChange(
                    host: "a",
                    lines: [
                        "RSA 2048 certificate replaced, expires on 1970-01-11",
                        "ECDSA P-256 certificate removed",
                    ]),
                HostChange(host: "b", lines: ["X certificate added, expires on 1970-01-01"]),
            ])
    }

    @Test func hostsThatComeAndGoAreNamedInOrder() throws {
        let two = state(try apps("A.x", "A.y"))
        let changes = HostChange.changes(
            from: ["b": state(), "c": state()], to: ["a": two, "c": state(), "d": state()])
        expectEqual(
            changes,
            [
                HostChange(host: "a", lines: ["host added, apps: 2"]),
                HostChange(host: "b", lines: ["host removed"]),
                HostChange(host: "d", lines: ["host added, apps: 0"]),
            ])
    }

    /// Unknown names get another document and certificate.
    @Test func theDefaultHostIsNamedWithTheHostThatIsItNow() {
        let states = ["a": state(), "b": state()]
        func changes(_ old: String?, _ new: String?) -> [HostChange] {
            HostChange.changes(from: states, to: states, defaultHosts: (old, new))
        }
        #expect(changes("a", "a").isEmpty && changes(nil, nil).isEmpty)
        expectEqual(changes("a", "b"), [HostChange(host: "b", lines: ["default host: a → b"])])
        expectEqual(changes("a", nil), [HostChange(host: "a", lines: ["default host: a → none"])])
        let added = HostChange.changes(
            from: ["a": state()], to: states, defaultHosts: ("a", "b"))
        expectEqual(added.map(\.lines), [["host added, apps: 0", "default host: a → b"]])
    }

    @Test func settingsThatClientsSeeAreNamed() {
        func aliases(_ names: String...) -> HostState {
            state { $0.aliases = names.map { .init($0, range: 0..<1) } }
        }
        expectEqual(
            lines(aliases("x", "b"), aliases("c", "b", "a")),
            ["alias added: a", "alias added: c", "alias removed: x"])
        #expect(lines(aliases("a", "b"), aliases("b", "a")).isEmpty, "the order says nothing")
        expectEqual(
            lines(state { $0.form = .json }, state { $0.form = .auto }), ["form: json → auto"])
        let password = state { $0.changePassword = "/p" }
        expectEqual(lines(state(), password), ["change-password: /p"])
        expectEqual(lines(password, state()), ["change-password: none"])
        #expect(lines(password, password).isEmpty)
    }

    @Test func siblingsAreComparedByTheirBytes() {
        let old = state(siblings: ["same": "1", "other": "1", "gone": "1"])
        let new = state(siblings: ["same": "1", "other": "2", "new": "1"])
        expectEqual(lines(old, new), ["gone removed", "new added", "other changed"])
    }

    /// A team that is gone comes first: nobody should have to look for it among its apps.
    @Test func documentsAreComparedByTheirMeaning() throws {
        let old = try apps("9JA89QQLNQ.b", "9JA89QQLNQ.c", "D3KQX62K1A.a")
        let new = try apps("D3KQX62K1A.a", "D3KQX62K1A.n")
        let found = lines(state(old), state(new))
        expectEqual(found.first, "document: \(old.json.count) → \(new.json.count) bytes")
        expectEqual(found.dropFirst().first, "team 9JA89QQLNQ removed, with 2 apps")
        for app in ["9JA89QQLNQ.b", "9JA89QQLNQ.c", "D3KQX62K1A.n"] {
            expectEqual(
                found.filter { $0.contains(app) && $0.hasPrefix("webcredentials: ") }.count, 1,
                "\(found)")
        }
        #expect(!found.contains { $0.contains("D3KQX62K1A.a") }, "it has not changed")
        #expect(!lines(state(new), state(old)).contains { $0.contains("is gone") })
        #expect(lines(state(old), state(old)).isEmpty)
        expectEqual(lines(state(), state(new)), ["document served: \(new.json.count) bytes"])
        #expect(lines(state(new), state()).isEmpty, "it is kept, or the findings say why not")
        // Other bytes with the same meaning are a change of bytes alone.
        let spaced = try document(String(decoding: new.json, as: UTF8.self) + "\n")
        expectEqual(lines(state(new), state(spaced)).count, 1)
    }

    @Test func aNewSignatureIsSaidWithItsEnd() {
        func signed(_ signer: String) -> HostState {
            state(
                signature: HostSignature(
                    der: [1], payload: [], signer: signer, notBefore: 0,
                    notAfter: SiteFixture.now))
        }
        expectEqual(
            lines(signed("one"), signed("two")),
            ["signed again; the signature expires on 2026-11-21"])
        #expect(lines(signed("one"), signed("one")).isEmpty)
        #expect(lines(signed("one"), state()).isEmpty)
        expectEqual(lines(state(), signed("one")).count, 1)
    }

    /// Their signers are not known.
    @Test func readyMadeSignaturesAreCompared() throws {
        let document = try apps("D3KQX62K1A.a")
        func signed(_ der: UInt8) -> HostState {
            state(
                document,
                signature: HostSignature(
                    der: [der], payload: [], signer: "", notBefore: 0, notAfter: SiteFixture.now))
        }
        #expect(lines(signed(1), signed(1)).isEmpty)
        expectEqual(lines(signed(1), signed(2)).count, 1)
        expectEqual(lines(signed(1), state(document)), ["no longer signed"])
    }

    @Test func manyChangesAreCounted() {
        let most = HostChange.linesMaximum
        func with(_ count: Int) -> HostState {
            state(siblings: Dictionary(uniqueKeysWithValues: (0..<count).map { ("s\($0)", "") }))
        }
        expectEqual(lines(state(), with(most)).count, most)
        expectEqual(lines(state(), with(most)).last?.hasSuffix("added"), true)
        expectEqual(lines(state(), with(most + 3)).count, most + 1)
        expectEqual(lines(state(), with(most + 3)).last, "and 3 more changes")
    }
}
