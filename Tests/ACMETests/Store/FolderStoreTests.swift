import Glibc
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import ACME

@Suite struct FolderStoreTests {
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

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
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

    @Test func `Compare and swap: who is late changes nothing`() throws {
        let key = StoreKey.account("https://ca.test/directory")
        #expect(try store.read(key) == nil)
        let first = try #require(try store.swap(key, to: [1], from: nil))
        #expect(try store.swap(key, to: [2], from: nil) == nil)
        #expect(try store.swap(key, to: [2], from: "other") == nil)
        try expectEqual(store.read(key)?.bytes, [1])
        #expect(try store.swap(key, to: [3], from: first) != nil)
        try expectEqual(store.read(key)?.bytes, [3])
        expectEqual(mode("\(folder.path)/.acme/\(key.path)"), 0o600)
    }

    @Test func `Key and chain come in one step, keys for us alone, the RSA pair beside`() throws {
        let id = LineageID(folder: "a.test")
        try expectEqual(store.content(of: "a.test"), .empty)
        let first = try install(id, names: ["a.test"])
        expectEqual(mode("\(folder.path)/a.test/privkey.pem"), 0o600)
        try expectEqual(
            store.content(of: "a.test"), .ours(ecdsa: CertificateFacts(first.leaf), rsa: nil))
        let rsa = try install(LineageID(folder: "a.test", isRSA: true), names: ["a.test"])
        let second = try install(id, names: ["a.test", "b.test"])
        try expectEqual(
            store.content(of: "a.test"),
            .ours(ecdsa: CertificateFacts(second.leaf), rsa: CertificateFacts(rsa.leaf)))
        // The one before is kept for who is reading it, no more.
        #expect(try StoreFiles.names(in: "\(folder.path)/.acme/issued/a.test").count <= 2)
    }

    @Test func `What somebody put there is never touched`() throws {
        mkdir("\(folder.path)/b.test", 0o755)
        try expectEqual(store.content(of: "b.test"), .empty)
        try StoreFiles.replace(
            "\(folder.path)/b.test/fullchain.pem", with: Array("theirs".utf8), mode: 0o644)
        #expect(throws: Problem.self) {
            try install(LineageID(folder: "b.test"), names: ["b.test"])
        }
        try expectEqual(
            StoreFiles.read("\(folder.path)/b.test/fullchain.pem"), Array("theirs".utf8))
        // lego's layout, and a link of certbot's.
        try StoreFiles.replace("\(folder.path)/c.test.crt", with: [1], mode: 0o644)
        symlink("../../archive/d.test", "\(folder.path)/d.test")
        for host in ["c.test", "d.test"] {
            guard case .foreign = try store.content(of: host) else {
                Issue.record("\(host) is taken for ours")
                continue
            }
        }
        // Ours, and written over by hand.
        _ = try install(LineageID(folder: "e.test"), names: ["e.test"])
        let theirs = try authority.issue(names: ["e.test"], key: .ecdsaP256, now: now)
        unlink("\(folder.path)/e.test/fullchain.pem")
        try StoreFiles.replace(
            "\(folder.path)/e.test/fullchain.pem", with: theirs.leaf.pem, mode: 0o644)
        #expect(throws: Problem.self) {
            try install(LineageID(folder: "e.test"), names: ["e.test"])
        }
    }

    @Test func `A record that cannot be read hides no other`() throws {
        let broken = StoreKey.record(LineageID(folder: "b.test"))
        _ = try store.swap(.record(LineageID(folder: "a.test")), to: [1], from: nil)
        mkdir("\(folder.path)/.acme/\(broken.path)", 0o700)
        try expectEqual(store.records().map(\.bytes), [[1]])
        #expect(throws: Problem.self) { try store.swap(broken, to: [2], from: nil) }
    }

    /// A chain alone would be thought good until its renewal.
    @Test(arguments: [nil, "", "no key"]) func `A certificate without its key is none`(
        text: String?
    ) throws {
        let id = LineageID(folder: "a.test")
        _ = try install(id, names: ["a.test"])
        let key = "\(folder.path)/a.test/privkey.pem"
        unlink(key)
        if let text { try StoreFiles.replace(key, with: Array(text.utf8)) }
        try expectEqual(store.content(of: "a.test"), .ours(ecdsa: nil, rsa: nil))
        let new = try install(id, names: ["a.test"])
        try expectEqual(
            store.content(of: "a.test"), .ours(ecdsa: CertificateFacts(new.leaf), rsa: nil))
    }

    @Test func `A folder that cannot be read keeps no other from its certificate`() throws {
        _ = try install(LineageID(folder: "a.test"), names: ["a.test"])
        let key = "\(folder.path)/a.test/privkey.pem"
        unlink(key)
        mkdir(key, 0o700)
        let wanted = ["a.test", "b.test"].map { WantedCertificate(folder: $0, names: [$0]) }
        let contents = try store.contents(of: wanted, covered: [:])
        expectEqual(contents["b.test"], .empty)
        guard case .foreign = contents["a.test"] else {
            Issue.record("it is told, and left alone")
            return
        }
    }
}
