import AppSiteAssociation
import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SnapshotBuilderTests {
    private let fixture: SiteFixture
    private let now = SiteFixture.now

    init() throws { fixture = try SiteFixture() }

    private func add(_ host: String, _ settings: String? = nil) throws {
        try fixture.write("\(host)/apple-app-site-association", SiteFixture.fragment)
        if let settings { try fixture.write("\(host)/host.json", settings) }
    }

    private func build(
        defaultHost: String? = nil, waits: Bool = false, previous: [String: HostState] = [:]
    ) throws -> SnapshotBuilder.Built {
        let site = try SiteFolder.read(fixture.site)
        let store = CertificatesInUse().reloaded(
            from: CertificateFolder(path: fixture.certs),
            names: SnapshotBuilder.names(of: site), now: now)
        return SnapshotBuilder(
            factory: ResponseFactory(strictTransportSecuritySeconds: 0), defaultHost: defaultHost,
            certificatePath: "certs", waitsForCertificates: waits
        ).build(
            site, store: store, previous: previous, generation: 7, now: now,
            sign: { payload, _ in payload })
    }

    /// A host was removed and its certificate stayed, as with `--acme` and with certbot.
    @Test func whatServesNobodyIsNoError() throws {
        try add("a.example")
        try fixture.certify("a.example")
        try fixture.certify("gone.example", begins: -100, ends: -1)
        try fixture.folder.write("certs/broken.example/fullchain.pem", "<html>")
        let built = try build()
        expectEqual(built.certificateFindings.map(\.isError).contains(true), false)
        let gone = try #require(built.certificateFindings.first { $0.folder == "gone.example" })
        #expect(gone.problem.cause.contains("no host is served with it"))
        #expect(gone.problem.remedy.contains("remove it with its key"))
        expectEqual(built.snapshot.certificates.map(\.folder), ["a.example"])
        // It is needed again.
        try add("gone.example")
        try add("broken.example")
        let again = try build()
        expectEqual(
            Set(again.certificateFindings.filter(\.isError).map(\.folder)),
            ["gone.example", "broken.example"])
        expectEqual(again.snapshot.certificates.map(\.folder), ["a.example", "gone.example"])
    }

    private func defaultName(_ built: SnapshotBuilder.Built) -> String? {
        built.snapshot.defaultHost.map { built.snapshot.hosts[$0].name }
    }

    /// The flag, or `default` in host.json, or the only host there is.
    @Test func oneHostAnswersForUnknownNames() throws {
        try add("b.example")
        expectEqual(defaultName(try build()), "b.example")
        try add("a.example")
        #expect(defaultName(try build()) == nil, "nobody said which")
        try add("c.example", "{\"default\": true, \"aliases\": [\"w.example\"]}")
        expectEqual(defaultName(try build()), "c.example")
        expectEqual(defaultName(try build(defaultHost: "a.example")), "a.example")
        // An alias is as good a name.
        expectEqual(defaultName(try build(defaultHost: "w.example")), "c.example")
        // The flag is what the operator said last: no other host stands in for it.
        #expect(defaultName(try build(defaultHost: "z.example")) == nil)
    }

    @Test func aSnapshotHoldsEveryHostItsFindingsAndItsCertificates() throws {
        try add("a.example")
        try add("b.example", "{\"form\": \"cms\"}")
        try fixture.write("README", "x")
        try fixture.write("Bad.example/apple-app-site-association", "{}")
        try fixture.certify("a.example")
        try fixture.certify("a.example", rsa: true)
        let built = try build()
        expectEqual(built.snapshot.generation, 7)
        expectEqual(built.snapshot.hosts.map(\.name), ["a.example", "b.example"])
        expectEqual(Set(built.states.keys), ["a.example", "b.example"])
        // Those of no single host come first, under no name.
        expectEqual(built.findings.map(\.host), ["", "b.example"])
        #expect(built.findings[1].findings.map(\.code).contains("host-bad-form"))
        expectEqual(built.snapshot.certificates.map(\.folder), ["a.example", "a.example"])
        expectEqual(built.snapshot.certificates.map(\.keyType), ["ECDSA P-256", "RSA-2048"])
        let first = try #require(built.snapshot.certificates.first)
        #expect(first.names == ["a.example"] && first.file.hasSuffix("fullchain.pem"))
        #expect(first.notBefore == now - 10 * 86_400 && first.notAfter == now + 80 * 86_400)
        // What a certificate lacks is an error, unless it is on its way.
        #expect(built.certificateFindings.contains { $0.isError && $0.folder == "b.example" })
        #expect(
            try build(waits: true).certificateFindings.allSatisfy {
                !$0.isError || $0.folder != "b.example"
            })
    }

    /// A certificate says what is wrong with it, and not with another of its folder.
    @Test func aCertificatesProblemsAreItsOwn() throws {
        try add("a.example")
        try fixture.certify("a.example", begins: -90, ends: -1)
        try fixture.certify("a.example", rsa: true)
        let certificates = try build().snapshot.certificates
        expectEqual(certificates.map { $0.problems.isEmpty }, [false, true], "\(certificates)")
    }

    @Test func eachFolderHasToCoverTheHostsThatNameIt() throws {
        try add("a.example")
        try add("b.example", "{\"certificate\": \"shared.example\"}")
        try add("c.example", "{\"certificate\": \"shared.example\"}")
        let site = try SiteFolder.read(fixture.site)
        expectEqual(
            SnapshotBuilder.names(of: site),
            [
                "a.example": ["a.example"], "shared.example": ["b.example", "c.example"],
            ])
        // Broken settings: the last good ones say which folder it is.
        let states = try build().states
        try fixture.write("b.example/host.json", "{")
        let kept = SiteReconciler(kept: states.mapValues(\.kept))
        expectEqual(
            SnapshotBuilder.names(of: try kept.reconcile(try SiteFolder.read(fixture.site)))[
                "shared.example"], ["b.example", "c.example"])
        let broken = try SiteFolder.read(fixture.site)
        expectEqual(SnapshotBuilder.names(of: broken)["b.example"], ["b.example"])
    }

    @Test func errorsForEverybodyAreThoseOfTheFactory() throws {
        try add("a.example")
        let snapshot = try build().snapshot
        #expect(snapshot.notFound.status == 404 && snapshot.badRequest.status == 400)
        expectEqual(snapshot.unavailable.status, 503)
        #expect(snapshot.unavailable.field("Retry-After") != nil)
    }
}
