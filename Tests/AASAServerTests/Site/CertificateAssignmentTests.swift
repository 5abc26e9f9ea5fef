import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

@Suite struct CertificateAssignmentTests {
    private let fixture: SiteFixture

    init() throws {
        fixture = try SiteFixture()
        try fixture.certify("a.example")
    }

    private func load() -> CertificatesInUse {
        CertificatesInUse().reloaded(
            from: CertificateFolder(path: fixture.certs), names: ["a.example": ["a.example"]],
            now: SiteFixture.now)
    }

    private func assignment(
        _ name: String, aliases: [String] = [], folder: String? = nil
    ) -> CertificateAssignment {
        CertificateAssignment(
            [wanted(name, aliases, folder: folder)], store: load(),
            path: "certs", defaultHost: nil, now: SiteFixture.now)
    }

    @Test func aHostTakesItsOwnFolderElseAnyThatCoversIt() throws {
        try fixture.certify("wild", names: ["*.b.example"], folder: "wild.example")
        expectEqual(assignment("a.example").hosts.map(\.names), [["a.example"]])
        let wild = assignment("x.b.example")
        expectEqual(wild.hosts.map(\.names), [["x.b.example"]])
        #expect(wild.findings.isEmpty)
        let none = assignment("c.example")
        #expect(none.hosts.isEmpty)
        #expect(none.defaultHost == nil)
        expectEqual(none.findings.first?.problem.remedy.contains("aasa certs make"), true)
    }

    @Test func aliasesTakeTheirOwnCertificateWhereTheHostsDoesNotCoverThem() throws {
        try fixture.certify("w.example")
        let found = assignment("a.example", aliases: ["w.example", "z.example"])
        expectEqual(found.hosts.map(\.names), [["a.example", "z.example"], ["w.example"]])
        #expect(found.findings.map(\.problem.cause).contains { $0.contains("z.example") })
        expectEqual(found.defaultHost, 0)
    }

    /// As after the folder of a host got another name.
    @Test func aliasesOfAHostWithoutACertificateKeepTheirs() throws {
        try fixture.certify("old", names: ["w.example"], folder: "old.example")
        let found = assignment("new.example", aliases: ["w.example", "z.example"])
        expectEqual(found.hosts.map(\.names), [["w.example"]])
        #expect(found.findings.count == 1 && found.folders == ["old.example"])
    }

    /// iOS 8 asks for the host and its aliases alike.
    @Test func hostsOfTheSignedFormServeIOS8() throws {
        try fixture.certify("w.example")
        for form in AssociationForm.allCases {
            let found = assignment([wanted("a.example", ["w.example"], form: form)])
            expectEqual(found.hosts.map(\.servesIOS8), Array(repeating: form != .json, count: 2))
        }
    }

    private func assignment(
        _ wanted: [HostSource], defaultHost: String? = nil, waits: Bool = false
    ) -> CertificateAssignment {
        CertificateAssignment(
            wanted, store: load(), path: "certs", defaultHost: defaultHost,
            now: SiteFixture.now, waitsForCertificates: waits)
    }

    private func wanted(
        _ name: String, _ aliases: [String] = [], folder: String? = nil,
        form: AssociationForm = .json
    ) -> HostSource {
        let list = aliases.map { "\"\($0)\"" }.joined(separator: ",")
        let settings =
            "{\"aliases\":[\(list)],\"certificate\":\"\(folder ?? name)\","
            + "\"form\":\"\(form.rawValue)\"}"
        return HostSource(
            HostTree(name: name, place: name, files: ["host.json": Array(settings.utf8)]))
    }

    /// What serves a host is kept for the next process, by whatever way it was found.
    @Test func theFoldersInUseAreNamed() throws {
        try fixture.certify("w.example")
        try fixture.certify("wild", names: ["*.b.example"], folder: "wild.example")
        try fixture.certify("unused.example")
        let found = assignment([
            wanted("a.example", ["w.example", "y.b.example"]), wanted("x.b.example"),
        ])
        expectEqual(found.folders, ["a.example", "w.example", "wild.example"])
        expectEqual(
            found.hosts.map(\.names),
            [
                ["a.example"], ["w.example"], ["y.b.example"], ["x.b.example"],
            ])
        #expect(found.findings.isEmpty)
        expectEqual(Set(found.pairs.keys), ["a.example", "x.b.example"], "these may sign")
    }

    @Test func aFolderThatIsNamedComesBeforeTheHostsOwn() throws {
        let other = try fixture.certify("other", names: ["a.example"], folder: "shared.example")
        let found = assignment([wanted("a.example", folder: "shared.example")])
        expectEqual(found.pairs["a.example"]?.map(\.identity), [other.identity])
        expectEqual(found.folders, ["shared.example"])
    }

    /// Of several that cover a name, the first by name: the same one at every load.
    @Test func theFirstFolderThatCoversAName() throws {
        let first = try fixture.certify("x", names: ["z.example"], folder: "b.example")
        try fixture.certify("y", names: ["z.example"], folder: "c.example")
        let found = assignment([wanted("z.example")])
        expectEqual(found.pairs["z.example"]?.map(\.identity), [first.identity])
    }

    /// certbot leaves HOST behind and renews HOST-0001; an old wildcard lies beside the new one.
    @Test func whatClientsRefuseYieldsToWhatTheyAccept() throws {
        try fixture.certify("b.example", begins: -100, ends: -1)
        let new = try fixture.certify("b.example", folder: "b.example-0001")
        try fixture.certify("c", names: ["*.c.example"], begins: -100, ends: -1, folder: "c-old")
        let wild = try fixture.certify("c", names: ["*.c.example"], folder: "d-new")
        try fixture.certify("e", names: ["other.example"], folder: "e.example")
        let right = try fixture.certify("e", names: ["e.example"], folder: "z-right")
        let found = assignment([
            wanted("b.example"), wanted("x.c.example"), wanted("e.example"),
            wanted("a.example", ["y.c.example"]),
        ])
        expectEqual(found.pairs["b.example"]?.map(\.identity), [new.identity])
        expectEqual(found.pairs["x.c.example"]?.map(\.identity), [wild.identity])
        expectEqual(found.pairs["e.example"]?.map(\.identity), [right.identity])
        expectEqual(found.hosts.last?.names, ["y.c.example"])
        expectEqual(found.hosts.last?.pairs.map(\.identity), [wild.identity])
        expectEqual(found.folders, ["a.example", "b.example-0001", "d-new", "z-right"])
        // What the old ones lack is no error any more.
        #expect(!found.concerns("b.example") && !found.concerns("c-old"))
        expectEqual(found.findings.map(\.isError), [false, false])
        #expect(found.findings[0].problem.cause.contains("b.example-0001/fullchain.pem"))
        #expect(found.findings[0].problem.remedy.contains("b.example/fullchain.pem"))
    }

    /// One of two lineages of a folder stopped being renewed: nearly all clients choose ECDSA, and
    /// would be given the one that has ended.
    @Test func whatHasEndedYieldsToWhatIsValidBesideIt() throws {
        try fixture.certify("b.example", begins: -100, ends: -1)
        let valid = try fixture.certify("b.example", rsa: true)
        expectEqual(
            assignment([wanted("b.example")]).pairs["b.example"]?.map(\.identity),
            [valid.identity])
        // The same where a folder of another name covers it.
        try fixture.certify("c", names: ["*.c.example"], begins: -100, ends: -1, folder: "c")
        let wild = try fixture.certify("c", names: ["*.c.example"], rsa: true, folder: "c")
        expectEqual(
            assignment([wanted("x.c.example")]).pairs["x.c.example"]?.map(\.identity),
            [wild.identity])
    }

    /// The pair that clients prefer does not name the alias.
    @Test func anAliasIsServedWithThePairThatNamesIt() throws {
        try fixture.certify("b.example")
        let both = try fixture.certify("b.example", names: ["b.example", "w.example"], rsa: true)
        let found = assignment([wanted("b.example", ["w.example"])])
        expectEqual(found.hosts.map(\.names), [["b.example"], ["w.example"]])
        expectEqual(found.hosts.last?.pairs.map(\.identity), [both.identity])
        #expect(found.findings.isEmpty)
    }

    @Test func anEndedCertificateServesWhereThereIsNoOther() throws {
        let old = try fixture.certify("b.example", begins: -100, ends: -1)
        try fixture.certify("c", names: ["*.b.example"], begins: -100, ends: -1, folder: "c")
        let found = assignment([wanted("b.example"), wanted("x.b.example")])
        expectEqual(found.pairs["b.example"]?.map(\.identity), [old.identity])
        expectEqual(found.pairs["x.b.example"]?.isEmpty, false)
        #expect(found.findings.isEmpty, "the store has said what is wrong")
    }

    @Test func unknownNamesAreAnsweredByTheDefaultHost() throws {
        try fixture.certify("b.example")
        try fixture.certify("w.example")
        let hosts = [wanted("a.example", ["w.example"]), wanted("b.example")]
        // The alias has an entry of its own in between.
        expectEqual(assignment(hosts, defaultHost: "b.example").defaultHost, 2)
        expectEqual(assignment(hosts, defaultHost: "a.example").defaultHost, 0)
        expectEqual(assignment(hosts).defaultHost, 0)
        // The default host has no certificate: some host answers.
        expectEqual(
            assignment([wanted("n.example"), wanted("b.example")], defaultHost: "n.example")
                .defaultHost, 0)
        #expect(assignment([]).defaultHost == nil)
    }

    @Test func whatIsMissingIsAnErrorUnlessItIsOrdered() throws {
        let hosts = [wanted("n.example"), wanted("a.example", ["z.example"])]
        let missing = assignment(hosts)
        expectEqual(missing.findings.map(\.isError), [true, true])
        expectEqual(missing.findings.map(\.folder), ["n.example", "a.example"])
        expectEqual(missing.findings[0].problem.place, "certs/n.example")
        expectEqual(missing.findings[0].problem.cause, "there is no certificate for n.example")
        expectEqual(missing.hosts.map(\.names), [["a.example", "z.example"]])
        let waiting = assignment(hosts, waits: true)
        expectEqual(waiting.findings.map(\.isError), [false, false])
        expectEqual(waiting.findings[0].problem.cause, "there is no certificate for n.example yet")
        #expect(waiting.findings[0].problem.remedy.contains("ordering"))
    }

    /// The files are there and broken: that was said already, with what is wrong with them.
    @Test func brokenFilesAreNotCalledMissing() throws {
        try fixture.folder.write("certs/n.example/fullchain.pem", "<html>")
        try fixture.folder.write("certs/n.example/privkey.pem", "")
        let found = assignment([wanted("n.example"), wanted("a.example")])
        #expect(found.findings.isEmpty)
        expectEqual(found.hosts.map(\.names), [["a.example"]])
    }
}
