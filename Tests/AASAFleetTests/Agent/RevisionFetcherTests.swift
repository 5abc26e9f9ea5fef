import Foundation
import OpenSSL
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct RevisionFetcherTests: ShelfSuite {
    private let keys = FleetKeys(fleet: "web")

    @Test func revisionsComeWholeAndAreSwapped() throws {
        let etcd = FakeEtcd()
        let folder = try TemporaryFolder("shelf")
        let revisionDirectory = RevisionDirectory(path: folder.path("fleet"), holdsSecrets: false)
        let first = try publish(
            etcd, [file("site/a/x", "1"), file("site/a/well-known/same", "same")])
        try bring(etcd, revisionDirectory, first)
        #expect(
            try revisionDirectory.best() == .init(serving: first) && revisionDirectory.has(first))
        try expectEqual(text(revisionDirectory, "site/a/x"), "1")
        let second = try publish(
            etcd, [file("site/a/x", "2"), file("site/a/well-known/same", "same")])
        let before = etcd.requests
        try bring(etcd, revisionDirectory, second)
        try expectEqual(text(revisionDirectory, "site/a/x"), "2")
        try expectEqual(text(revisionDirectory, "site/a/well-known/same"), "same")
        // Record, list, and the one file that is new.
        expectEqual(etcd.requests - before, 3)
        #expect(revisionDirectory.has(first))
    }

    /// Poison, truncation, absence: nothing of it is put on the shelf, and the old one stays.
    @Test(arguments: ["blob", "list", "record"], ["changed", "cut", "gone"])
    func whatIsDamagedInTheStoreIsRefused(_ what: String, _ how: String) throws {
        let etcd = FakeEtcd()
        let folder = try TemporaryFolder("shelf")
        let revisionDirectory = RevisionDirectory(path: folder.path("fleet"), holdsSecrets: false)
        let first = try publish(etcd, [file("site/a/x", "one")])
        try bring(etcd, revisionDirectory, first)
        let second = try publish(etcd, [file("site/a/x", "two")])
        let record = try etcd.store().record(second)
        let key =
            switch what {
            case "blob": keys.blob(hexadecimal(sha256(Array("two".utf8))))
            case "list": keys.blob(record.parts[0])
            default: keys.revision(second.number)
            }
        let value = try #require(etcd.keys[key]).value
        switch how {
        case "changed": etcd.set(key, value.map { $0 ^ 1 })
        case "cut": etcd.set(key, Array(value.dropLast()))
        default: etcd.remove(key)
        }
        do {
            try bring(etcd, revisionDirectory, second)
            Issue.record("taken")
        } catch let error as FleetError {
            #expect(error.store == nil, "a refusal, not a store that is away: \(error)")
        }
        #expect(try revisionDirectory.best().serving == first && !revisionDirectory.has(second))
        try expectEqual(text(revisionDirectory, "site/a/x"), "one")
        let left = try FileManager.default.contentsOfDirectory(
            atPath: folder.path("fleet/revisions"))
        expectEqual(left, [first.folderName])
    }

    @Test func whatTheTrialRefusesIsNotKept() throws {
        let etcd = FakeEtcd()
        let folder = try TemporaryFolder("shelf")
        let revisionDirectory = RevisionDirectory(path: folder.path("fleet"), holdsSecrets: false)
        let first = try publish(etcd, [file("site/a/x", "one")])
        #expect(throws: FleetError.self) {
            try bring(etcd, revisionDirectory, first) { _ in "this machine does not like it" }
        }
        #expect(try revisionDirectory.best().serving == nil)
    }

    /// Half of a revision came: what is missing makes it no revision at all.
    @Test func aStoreThatGoesAwayLeavesNothingBehind() throws {
        let etcd = FakeEtcd()
        let folder = try TemporaryFolder("shelf")
        let revisionDirectory = RevisionDirectory(path: folder.path("fleet"), holdsSecrets: false)
        let first = try publish(etcd, [file("site/a/x", "one"), file("site/a/y", "two")])
        let start = etcd.requests
        etcd.before = { [unowned etcd] _ throws(EtcdFailure) in
            if etcd.requests == start + 3 { throw .unavailable("gone") }
        }
        do {
            try bring(etcd, revisionDirectory, first)
            Issue.record("taken")
        } catch let error as FleetError {
            expectEqual(error.store, .unavailable("gone"))
        }
        #expect(try revisionDirectory.best().serving == nil)
    }

    @Test func secretsAreOpenedOnTheWayAndForTheServerAlone() throws {
        let etcd = FakeEtcd()
        let ring = try KeyRing.fresh()
        let folder = try TemporaryFolder("shelf")
        let id = try publish(
            etcd, [file("certs/a/privkey.pem", "key"), file("site/a/x", "one")], keyRing: ring)
        let revisionDirectory = RevisionDirectory(path: folder.path("fleet"), holdsSecrets: true)
        try bring(etcd, revisionDirectory, id, keyRing: ring)
        try expectEqual(text(revisionDirectory, "certs/a/privkey.pem"), "key")
        let mode =
            try FileManager.default.attributesOfItem(
                atPath: "\(revisionDirectory.currentLink)/certs/a/privkey.pem")[.posixPermissions]
            as? Int
        expectEqual(mode, 0o600)
        try expectEqual(revisionDirectory.best().serving, id)
        // Another machine's key does not open it: refused. A machine without a key has its own.
        let other = RevisionDirectory(path: folder.path("other"), holdsSecrets: true)
        #expect(throws: FleetError.self) {
            try bring(etcd, other, id, keyRing: try KeyRing.fresh())
        }
        let own = RevisionDirectory(path: folder.path("own"), holdsSecrets: false)
        try bring(etcd, own, id)
        try expectEqual(own.best().serving, id)
        #expect(!FileManager.default.fileExists(atPath: "\(own.currentLink)/certs"))
    }
}
