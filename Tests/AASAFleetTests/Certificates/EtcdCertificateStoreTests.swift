import AASAClient
import ACME
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct EtcdCertificateStoreTests {
    private let etcd = FakeEtcd()
    private let folder: TemporaryFolder
    private let keyRing = KeyRing(keys: [[UInt8](repeating: 7, count: 32)])

    init() throws { folder = try TemporaryFolder("fleet-certificates") }

    private func store(_ machine: String, _ ring: KeyRing? = nil) throws -> EtcdCertificateStore {
        let local = FolderStore(path: folder.path(machine))
        try local.prepare()
        let settings = AgentSettings(
            access: EtcdAccess(members: []), keys: FleetKeys(fleet: "web"), channel: "stable",
            machine: machine, version: "1", keyRing: nil, seed: 1)
        let etcd = etcd
        return EtcdCertificateStore(
            settings, keyRing: ring ?? keyRing, local: local, stop: try Wakeup()
        ) { request throws(EtcdFailure) in
            // As the client does: a failure that may pass is tried again.
            do throws(EtcdFailure) {
                return try etcd.ask(request)
            } catch {
                guard error.isTransient else { throw error }
                return try etcd.ask(request)
            }
        }
    }

    private func pair(_ name: String) throws -> (chain: [UInt8], key: [UInt8]) {
        let authority = try LocalAuthority.make(now: 1_800_000_000)
        let pair = try authority.issue(names: [name], key: .ecdsaP256, now: 1_800_000_000)
        return (pair.chain.flatMap(\.pem), pair.key.unencryptedPEM())
    }

    private func take(_ store: EtcdCertificateStore) throws {
        try expectEqual(store.lease(now: 0), .ours(isNew: true))
    }

    private func loseLease() {
        etcd.loseLeases()
        etcd.remove("/aasa/web/acme/lease")
    }

    @Test func whoHasNoLeaseWritesNothing() throws {
        let one = try store("one")
        #expect(try one.swap(.challenges, to: [1], from: nil) == nil)
        #expect(etcd.keys.isEmpty)
    }

    @Test func oneOrdersAtATime() throws {
        let (one, two) = (try store("one"), try store("two"))
        try take(one)
        guard case .taken(let holder) = try two.lease(now: 0) else {
            Issue.record("two have it")
            return
        }
        #expect(holder.hasPrefix("one "))
        try expectEqual(one.lease(now: 60), .ours(isNew: false))
    }

    /// Its lease ended while it was paused: it believes that it holds it.
    @Test func oneThatWasPausedWritesNothing() throws {
        let (one, two) = (try store("one"), try store("two"))
        try take(one)
        let old = try #require(try one.swap(.challenges, to: [1], from: nil))
        loseLease()
        try take(two)
        #expect(try one.swap(.challenges, to: [2], from: old) == nil)
        let issued = try pair("a.example")
        #expect(throws: Problem.self) {
            try one.install(
                LineageID(folder: "a.example"), chain: issued.chain, key: issued.key,
                keepsOther: true)
        }
        try expectEqual(two.read(.challenges)?.bytes, [1])
        #expect(!etcd.keys.keys.contains { $0.contains("issued") })
        #expect(try two.swap(.challenges, to: [3], from: old) != nil)
    }

    @Test func aWriteWhoseAnswerWasLostIsKnownAgain() throws {
        let one = try store("one")
        try take(one)
        var isLost = false
        etcd.after = { request throws(EtcdFailure) in
            if request.path == "/v3/kv/txn", !isLost {
                isLost = true
                throw .unanswered(.closed(.head, missing: nil))
            }
        }
        let revision = try #require(try one.swap(.challenges, to: [5], from: nil))
        #expect(isLost)
        try expectEqual(one.read(.challenges)?.revision, revision)
    }

    @Test func whatIsIssuedIsSealedAndComesToEveryMachine() throws {
        let (one, two) = (try store("one"), try store("two"))
        try take(one)
        let issued = try pair("a.example")
        let id = LineageID(folder: "a.example")
        try one.install(id, chain: issued.chain, key: issued.key, keepsOther: true)
        for (key, stored) in etcd.keys {
            #expect(!String(decoding: stored.value, as: UTF8.self).contains("BEGIN"), "\(key)")
        }
        try expectEqual(two.content(of: "a.example"), .empty)
        #expect(try two.bring())
        #expect(
            FolderStore(path: folder.path("two")).holds(
                id, chain: issued.chain, key: issued.key))
        guard case .ours(let ecdsa?, nil) = try two.content(of: "a.example") else {
            Issue.record("the other machine has it")
            return
        }
        expectEqual(ecdsa.names, ["a.example"])
        #expect(try !two.bring())
        // Another process of the same machine finds its copy.
        #expect(try !store("two").bring())
    }

    /// A machine whose copy is lost has it again at the next look, not at the next renewal.
    @Test(arguments: ["privkey.pem", "fullchain.pem", "another key", "link"])
    func aCopyThatIsLostIsBroughtAgain(what: String) throws {
        let (one, two) = (try store("one"), try store("two"))
        try take(one)
        let issued = try pair("a.example")
        let id = LineageID(folder: "a.example")
        try one.install(id, chain: issued.chain, key: issued.key, keepsOther: true)
        #expect(try two.bring())
        let place = folder.path("two/a.example")
        func lose() throws {
            switch what {
            case "link": Files.remove(place)
            case "another key":
                let other = try pair("a.example").key
                try Files.replace(place + "/privkey.pem", with: other, mode: 0o600)
            default: Files.remove("\(place)/\(what)")
            }
        }
        let local = FolderStore(path: folder.path("two"))
        try lose()
        #expect(try two.bring())
        #expect(local.holds(id, chain: issued.chain, key: issued.key))
        #expect(try !two.bring())
        // While nobody serves.
        try lose()
        #expect(try store("two").bring())
        #expect(local.holds(id, chain: issued.chain, key: issued.key))
    }

    /// A machine that ordered for itself died, and joined the fleet with its folder. In a fleet
    /// nobody takes the folder's lease, so that nobody would see it run out.
    @Test func aLeaseLeftInTheFolderKeepsNothingFromIt() throws {
        let (one, two) = (try store("one"), try store("two"))
        for machine in ["one", "two"] {
            try folder.write(
                "\(machine)/.acme/lease.json", #"{"holder":"another-boot pid:[1] 1 1","beat":1}"#)
        }
        try take(one)
        let issued = try pair("a.example")
        let id = LineageID(folder: "a.example")
        try one.install(id, chain: issued.chain, key: issued.key, keepsOther: true)
        #expect(try two.bring())
        #expect(two.unusable.isEmpty)
        for machine in ["one", "two"] {
            #expect(
                FolderStore(path: folder.path(machine)).holds(
                    id, chain: issued.chain, key: issued.key))
        }
    }

    @Test func whatSomebodyPutIntoAFolderStays() throws {
        let (one, two) = (try store("one"), try store("two"))
        let theirs = try pair("a.example")
        try Files.makeFolder(folder.path("two/a.example"), mode: 0o755)
        try Files.replace(
            folder.path("two/a.example/fullchain.pem"), with: theirs.chain, mode: 0o644)
        try take(one)
        let issued = try pair("a.example")
        try one.install(
            LineageID(folder: "a.example"), chain: issued.chain, key: issued.key, keepsOther: true)
        #expect(try !two.bring())
        guard case .foreign = try two.content(of: "a.example") else {
            Issue.record("it is theirs")
            return
        }
        try expectEqual(
            Files.read(folder.path("two/a.example/fullchain.pem"), limit: 1 << 20),
            theirs.chain)
    }

    @Test(arguments: ["../../../etc/cron.d", "..", "a/b", "", "+rsa"])
    func aNameThatLeadsElsewhereIsNobodys(name: String) throws {
        let (one, two) = (try store("one"), try store("two"))
        try take(one)
        let issued = try pair("a.example")
        try one.install(
            LineageID(folder: "a.example"), chain: issued.chain, key: issued.key, keepsOther: true)
        let key = "/aasa/web/acme/issued/" + name
        let sealed = try keyRing.seal(
            IssuedPair(chain: issued.chain, key: issued.key, keepsOther: true).encoded, name: key)
        etcd.set(key, sealed)
        #expect(try two.bring())
        try expectEqual(
            Files.names(in: folder.path("two"), limit: 10).filter { $0 != ".acme" },
            ["a.example"])
    }

    /// Sealed for another name: somebody with the role but without the key moved it.
    @Test func aPairInAnothersPlaceIsRefused() throws {
        let (one, two) = (try store("one"), try store("two"))
        try take(one)
        let issued = try pair("a.example")
        try one.install(
            LineageID(folder: "a.example"), chain: issued.chain, key: issued.key, keepsOther: true)
        let moved = try #require(etcd.keys["/aasa/web/acme/issued/a.example"]?.value)
        etcd.set("/aasa/web/acme/issued/b.example", moved)
        // The other one is brought all the same.
        #expect(try two.bring())
        #expect(try two.content(of: "a.example") != .empty)
        try expectEqual(two.content(of: "b.example"), .empty)
        expectEqual(two.unusable.map(\.description).count { $0.contains("b.example") }, 1)
        etcd.remove("/aasa/web/acme/issued/b.example")
        #expect(try !two.bring())
        #expect(two.unusable.isEmpty)
    }

    @Test func oneValueThatNoKeyOpensKeepsNoOtherFromBeingRead() throws {
        let one = try store("one")
        try take(one)
        let ids = ["a.example", "b.example"].map { LineageID(folder: $0) }
        for id in ids { _ = try one.swap(.record(id), to: [1], from: nil) }
        etcd.set("/aasa/web/acme/" + StoreKey.record(ids[0]).path, [1, 2, 3])
        try expectEqual(one.records().map(\.bytes), [[1]])
        expectEqual(one.unusable.count, 1)
        // It is not written over by who does not know it.
        #expect(throws: Problem.self) { try one.swap(.record(ids[0]), to: [2], from: nil) }
        expectEqual(etcd.keys["/aasa/web/acme/" + StoreKey.record(ids[0]).path]?.value, [1, 2, 3])
        // Who opens none has another key, and leaves the lease to others.
        let other = try store("two", KeyRing(keys: [[UInt8](repeating: 9, count: 32)]))
        #expect(throws: Problem.self) { try other.records() }
        // Once it is removed, nothing is said of it any more.
        etcd.remove("/aasa/web/acme/" + StoreKey.record(ids[0]).path)
        try expectEqual(one.records().map(\.bytes), [[1]])
        #expect(one.unusable.isEmpty)
    }

    /// One folder of this machine that cannot be read or written.
    @Test func oneFolderThatCannotBeReadKeepsNoOtherFromBeingBrought() throws {
        let (one, two) = (try store("one"), try store("two"))
        try take(one)
        for name in ["a.example", "b.example"] {
            let issued = try pair(name)
            try one.install(
                LineageID(folder: name), chain: issued.chain, key: issued.key, keepsOther: true)
        }
        // A file where a folder should be.
        try Files.replace(folder.path("two/a.example"), with: [1], mode: 0o600)
        #expect(try two.bring())
        #expect(try two.content(of: "b.example") != .empty)
    }

    /// Without this the old key could never be taken out.
    @Test func whatAnOldKeySealedIsSealedAnew() throws {
        let account = StoreKey.account("https://ca.test/directory")
        let (old, new) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 8, count: 32))
        let one = try store("one")
        try take(one)
        _ = try one.swap(account, to: [1], from: nil)
        let issued = try pair("a.example")
        try one.install(
            LineageID(folder: "a.example"), chain: issued.chain, key: issued.key, keepsOther: true)
        loseLease()
        try take(store("two", KeyRing(keys: [new, old])))
        let three = try store("three", KeyRing(keys: [new]))
        try expectEqual(three.read(account)?.bytes, [1])
        #expect(try three.bring())
    }

    /// Every machine has the lease once, and most fleets have one key.
    @Test func withOneKeyNothingIsReadToBeSealedAnew() throws {
        let one = try store("one")
        try take(one)
        for name in ["a.test", "b.test"] {
            _ = try one.swap(.record(LineageID(folder: name)), to: [1], from: nil)
        }
        loseLease()
        var reads = 0
        etcd.after = { request throws(EtcdFailure) in
            if request.path == "/v3/kv/range" { reads += 1 }
        }
        try take(store("two"))
        expectEqual(reads, 1)
    }
}
