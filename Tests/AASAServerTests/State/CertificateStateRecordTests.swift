import Glibc
import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

@Suite struct CertificateStateRecordTests {
    private let fixture: SiteFixture
    private let folder: CertificateFolder
    private let pairs: [CertificatePair]

    init() throws {
        fixture = try SiteFixture()
        folder = CertificateFolder(path: fixture.certs)
        pairs = [
            try fixture.certify("a.example"), try fixture.certify("a.example", rsa: true),
        ]
        try fixture.certify("b.example")
    }

    private func load(
        _ store: CertificateStore = CertificateStore(), now: Int64 = SiteFixture.now
    ) -> CertificateStore {
        store.reloaded(
            from: folder, names: ["a.example": ["a.example"], "b.example": ["b.example"]],
            now: now)
    }

    private func restored(
        _ records: [StateRecord], in place: CertificateFolder? = nil
    ) throws -> CertificateStore {
        var store = CertificateStore()
        for record in records { try store.restore(record, in: place ?? folder) }
        return store
    }

    /// Both pairs with their keys, from the bytes that are written.
    @Test func whatIsKeptComesBack() throws {
        let store = load()
        let records = store.records(in: folder, used: ["a.example"])
        #expect(records.map(\.name) == ["a.example"])
        let read = try records.map { try StateRecord(decoding: $0.encoded()) }
        let next = try restored(read)
        #expect(next.folders == ["a.example"])
        #expect(next.pairs(in: "a.example").map(\.identity) == pairs.map(\.identity))
        #expect(next.slots["a.example"]?.map(\.files) == store.slots["a.example"]?.map(\.files))
        // The files on disk are still the same: nothing is refused, nothing is kept.
        #expect(load(next).problems.isEmpty)
    }

    /// lego's files lie beside the folders, and are kept as what they are.
    @Test func whatLiesBesideTheFoldersComesBackThere() throws {
        let place = fixture.certs
        for (from, to) in [("fullchain.pem", "b.example.crt"), ("privkey.pem", "b.example.key")] {
            #expect(rename("\(place)/b.example/\(from)", "\(place)/\(to)") == 0)
        }
        #expect(rmdir("\(place)/b.example") == 0)
        let store = load()
        let records = store.records(in: folder, used: ["b.example"])
        let next = try restored(records)
        #expect(
            next.slots["b.example"]?.map(\.files) == [
                .init(chain: "\(place)/b.example.crt", key: "\(place)/b.example.key")
            ])
        let loaded = load(next)
        #expect(loaded.problems.isEmpty)
        #expect(loaded.slots["b.example"]?.count == 1, "no second one comes with each start")
        try fixture.folder.write("certs/b.example.key", "")
        let kept = load(next)
        #expect(kept.slots["b.example"]?.first?.refused?.contains("b.example.key is empty") == true)
    }

    /// A certificate that serves nobody is nothing that a successor could lose.
    @Test func onlyFoldersInUseAreKeptInOrder() {
        let store = load()
        #expect(store.records(in: folder, used: []).isEmpty)
        #expect(
            store.records(in: folder, used: ["b.example", "a.example", "none"]).map(\.name)
                == ["a.example", "b.example"])
    }

    /// A folder that was moved (a release) has its files at the same place in it.
    @Test func filesAreKeptByTheirPlaceInTheFolder() throws {
        let records = load().records(in: folder, used: ["a.example"])
        #expect(records[0].text("0.chain.name") == "fullchain.pem")
        #expect(records[0].text("1.key.name") == "privkey-rsa.pem")
        let elsewhere = CertificateFolder(path: "/elsewhere")
        let next = try restored(records, in: elsewhere)
        #expect(
            next.slots["a.example"]?.map(\.files.chain) == [
                "/elsewhere/a.example/fullchain.pem", "/elsewhere/a.example/fullchain-rsa.pem",
            ])
        #expect(next.slots["a.example"]?.first?.files.key == "/elsewhere/a.example/privkey.pem")
    }

    @Test func sinceWhenItIsKeptOutlivesTheProcess() throws {
        let good = load()
        try fixture.folder.write("certs/a.example/fullchain.pem", "<html>")
        let since = SiteFixture.now + 120
        let refused = load(good, now: since)
        let records = refused.records(in: folder, used: ["a.example"])
        let next = try restored(records)
        let slots = try #require(next.slots["a.example"])
        #expect(slots.contains { $0.keptSince == since })
        #expect(slots.contains { $0.keptSince == nil }, "the other pair is as on disk")
        let later = load(next, now: since + 9999)
        #expect(
            later.slots["a.example"]?.contains { $0.keptSince == since } == true,
            "later loads do not begin anew")
    }

    @Test func aRecordThatLacksAPartIsDamaged() throws {
        let whole = try #require(load().records(in: folder, used: ["a.example"]).first)
        for missing in ["0.key", "0.chain.name", "0.key.name", "1.key"] {
            var record = StateRecord(.certificates, whole.name)
            for field in whole.fields where field.name != missing {
                record.add(field.name, field.bytes)
            }
            #expect(throws: StateError.damaged, "\(missing)") { try restored([record]) }
        }
        // A pair that is not there is none that is missing.
        var first = StateRecord(.certificates, whole.name)
        for field in whole.fields where !field.name.hasPrefix("1.") {
            first.add(field.name, field.bytes)
        }
        #expect(try restored([first]).pairs(in: "a.example").count == 1)
        #expect(try restored([StateRecord(.certificates, "a.example")]).folders.isEmpty)
    }

    @Test func whatIsNoPairAnyMoreIsSaid() throws {
        let whole = try #require(load().records(in: folder, used: ["a.example"]).first)
        let other = try #require(load().records(in: folder, used: ["b.example"]).first)
        for (name, bytes) in [("0.chain", Array("<html>".utf8)), ("0.key", other["0.key"] ?? [])] {
            var record = StateRecord(.certificates, whole.name)
            for field in whole.fields {
                record.add(field.name, field.name == name ? bytes : field.bytes)
            }
            var store = CertificateStore()
            do throws(StateError) {
                try store.restore(record, in: folder)
                Issue.record("\(name) is not of that pair")
            } catch {
                guard case .unusable(let why) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(why.hasPrefix("its certificate cannot be read: "))
            }
            // The other pair is as good as before.
            #expect(store.pairs(in: "a.example").map(\.identity) == [pairs[1].identity])
        }
    }
}
