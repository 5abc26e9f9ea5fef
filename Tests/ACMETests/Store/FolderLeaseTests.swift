import Glibc
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import ACME

@Suite struct FolderLeaseTests {
    private let folder: TemporaryFolder
    private let store: FolderStore
    private let authority: LocalAuthority
    private let now: Int64 = 1_800_000_000

    init() throws {
        folder = try TemporaryFolder()
        store = FolderStore(path: folder.path)
        try store.prepare()
        authority = try LocalAuthority.make(now: now)
    }

    private func install(
        _ id: LineageID, names: [String], keepsOther: Bool = true
    ) throws -> CertificatePair {
        let pair = try authority.issue(
            names: names, key: id.isRSA ? .rsa(bits: 2048) : .ecdsaP256, now: now)
        try store.install(
            id, chain: pair.chain.flatMap(\.pem), key: pair.key.unencryptedPEM(),
            keepsOther: keepsOther)
        return pair
    }

    @Test func `A lease is one's own, goes to another when it is given or forgotten`() throws {
        let path = "\(folder.path)/.acme/lease.json"
        try expectEqual(store.lease(now: 0), .ours(isNew: true))
        try expectEqual(store.lease(now: 1), .ours(isNew: false))
        let place = "another-boot pid:[1]"
        func holds(_ beat: Int) throws {
            try StoreFiles.replace(
                path, with: Array(#"{"holder":"\#(place) 1 1","beat":\#(beat)}"#.utf8))
        }
        try holds(1)
        try expectEqual(store.lease(now: 100), .taken("\(place) 1 1"))
        #expect(throws: Problem.self, "paused beyond its lease") {
            try install(LineageID(folder: "late.test"), names: ["late.test"])
        }
        try holds(2)
        try expectEqual(store.lease(now: 180), .taken("\(place) 1 1"), "it is alive")
        try expectEqual(
            store.lease(now: 180 + LeaseTerms.seconds), .ours(isNew: true), "it is not")
        store.release()
        try expectEqual(FolderStore(path: folder.path).lease(now: 0), .ours(isNew: true))
    }

    @Test func `A holder of this machine that is gone is not waited for`() throws {
        try expectEqual(store.lease(now: 0), .ours(isNew: true))
        let lease = try #require(try StoreFiles.read("\(folder.path)/.acme/lease.json"))
        let text = String(decoding: lease, as: UTF8.self)
        let start = try #require(text.lastIndex(of: " "))
        let dead = text[..<start] + " 1\",\"beat\":4}"
        try StoreFiles.replace("\(folder.path)/.acme/lease.json", with: Array(dead.utf8))
        try expectEqual(store.lease(now: 1), .ours(isNew: true))
    }
}
