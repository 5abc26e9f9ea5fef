import Glibc
import OpenSSL
import TestSupport
import Testing

@testable import AASAServer

@Suite struct KeptTreeCertificatesTests {
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
        _ store: CertificatesInUse = CertificatesInUse(), now: Int64 = SiteFixture.now
    ) -> CertificatesInUse {
        store.reloaded(
            from: folder, names: ["a.example": ["a.example"], "b.example": ["b.example"]],
            now: now)
    }

    private func tree(_ store: CertificatesInUse, used: Set<String> = ["a.example"]) -> KeptTree {
        var tree = KeptTree()
        store.keep(in: &tree, used: used, path: folder.path)
        return tree
    }

    private func restored(_ tree: KeptTree, in path: String? = nil) throws -> CertificatesInUse {
        var store = CertificatesInUse()
        let read = try #require(KeptTree.read(tree.contents)?.tree)
        #expect(store.restore(read, in: path ?? folder.path).isEmpty)
        return store
    }

    /// Both pairs with their keys, from the bytes that are written.
    @Test func whatIsKeptComesBack() throws {
        let store = load()
        let tree = tree(store)
        expectEqual(tree.certificateFolders, ["a.example"])
        let next = try restored(tree)
        expectEqual(next.folders, ["a.example"])
        expectEqual(next.pairs(in: "a.example").map(\.identity), pairs.map(\.identity))
        expectEqual(next.slots["a.example"]?.map(\.kept), store.slots["a.example"]?.map(\.kept))
        // The files on disk are still the same: nothing is refused, nothing is kept.
        #expect(load(next).problems.isEmpty)
    }

    /// lego's files lie beside the folders, and are kept as what they are.
    @Test func whatLiesBesideTheFoldersComesBackThere() throws {
        let place = fixture.certs
        for (from, to) in [("fullchain.pem", "b.example.crt"), ("privkey.pem", "b.example.key")] {
            expectEqual(rename("\(place)/b.example/\(from)", "\(place)/\(to)"), 0)
        }
        expectEqual(rmdir("\(place)/b.example"), 0)
        let next = try restored(tree(load(), used: ["b.example"]))
        expectEqual(
            next.slots["b.example"]?.map(\.files),
            [
                .init(chain: "\(place)/b.example.crt", key: "\(place)/b.example.key")
            ])
        let loaded = load(next)
        #expect(loaded.problems.isEmpty)
        expectEqual(loaded.slots["b.example"]?.count, 1, "no second one comes with each start")
        try fixture.folder.write("certs/b.example.key", "")
        let kept = load(next)
        #expect(kept.problems.contains { $0.problem.cause.contains("b.example.key is empty") })
    }

    /// A certificate that serves no host is nothing that a successor could lose.
    @Test func onlyFoldersInUseAreKept() {
        let store = load()
        expectEqual(tree(store, used: []), KeptTree())
        expectEqual(
            tree(store, used: ["b.example", "a.example", "none"]).certificateFolders,
            ["a.example", "b.example"])
    }

    /// A folder that was moved (a release) has its files at the same place in it.
    @Test func filesAreKeptByTheirPlaceInTheFolder() throws {
        let tree = tree(load())
        expectEqual(
            Set(tree.files.keys),
            [
                "certs/a.example/fullchain.pem", "certs/a.example/privkey.pem",
                "certs/a.example/fullchain-rsa.pem", "certs/a.example/privkey-rsa.pem",
            ])
        expectEqual(
            tree.files["certs/a.example/privkey.pem"],
            (try fixture.folder.read("certs/a.example/privkey.pem")))
        let next = try restored(tree, in: "/elsewhere")
        expectEqual(
            next.slots["a.example"]?.map(\.files.chain),
            [
                "/elsewhere/a.example/fullchain.pem", "/elsewhere/a.example/fullchain-rsa.pem",
            ])
        expectEqual(next.slots["a.example"]?.first?.files.key, "/elsewhere/a.example/privkey.pem")
    }

    @Test func sinceWhenItIsKeptOutlivesTheProcess() throws {
        let good = load()
        try fixture.folder.write("certs/a.example/fullchain.pem", "<html>")
        let since = SiteFixture.now + 120
        let tree = tree(load(good, now: since))
        expectEqual(
            tree.files["certs/a.example/fullchain.pem"], pairs[0].chain.flatMap(\.pem),
            "the bytes in use, not those on disk")
        let next = try restored(tree)
        let slots = try #require(next.slots["a.example"])
        expectEqual(Set(slots.map(\.kept.since)), [since, nil], "the other pair is as on disk")
        let later = load(next, now: since + 9999)
        expectEqual(
            later.slots["a.example"]?.contains { $0.kept.since == since }, true,
            "later loads do not begin anew")
    }

    /// Of a damaged tree.
    @Test func aPairThatLacksAPartIsNotUsed() throws {
        var tree = tree(load())
        for missing in ["fullchain.pem", "privkey.pem"] {
            var less = tree
            less.files["certs/a.example/" + missing] = nil
            try expectEqual(
                restored(less).pairs(in: "a.example").map(\.identity), [pairs[1].identity])
        }
        tree.files = [:]
        #expect(try restored(tree).folders.isEmpty)
    }

    /// A later OpenSSL refuses a key of 1024 bits: one such pair would keep every host from being
    /// served.
    @Test(arguments: ["fullchain.pem", "privkey.pem", "weak"])
    func whatCannotBeUsedIsSaid(what: String) throws {
        var tree = tree(load())
        if what == "weak" {
            let weak = try fixture.weakPair("a.example")
            tree.files["certs/a.example/fullchain.pem"] = weak.chain.flatMap(\.pem)
            tree.files["certs/a.example/privkey.pem"] = weak.key.unencryptedPEM()
        } else {
            tree.files["certs/a.example/" + what] = Array("<html>".utf8)
        }
        var store = CertificatesInUse()
        let failures = store.restore(tree, in: folder.path)
        expectEqual(failures.map(\.name), ["a.example"])
        expectEqual(failures.first?.why.hasPrefix("its certificate is refused: "), true)
        // The other pair is as good as before.
        expectEqual(store.pairs(in: "a.example").map(\.identity), [pairs[1].identity])
    }
}
