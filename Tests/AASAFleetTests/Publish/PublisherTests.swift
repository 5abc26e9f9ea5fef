// Covers: FleetError.swift

import AASAFleet
import OpenSSL
import TestSupport
import Testing

@Suite struct PublisherTests: PublisherSuite {
    private let keys = FleetKeys(fleet: "web")
    @Test func aPublicationIsWholeAndNumbered() throws {
        let etcd = FakeEtcd()
        try expectEqual(publish(etcd, one).number, 1)
        try expectEqual(publish(etcd, two).number, 2)
        // The same again is no revision.
        try expectEqual(publish(etcd, two).number, 2)
        let state = try etcd.store().state(channel: "stable")
        #expect(state.pointer?.revision.number == 2 && state.head?.last == 2)
        let record = try etcd.store().record(number: 2).record
        #expect(record.parent?.number == 1 && record.author == "ann@laptop")
        #expect(try etcd.store().check(keyRing: nil).problems.isEmpty)
    }

    /// Both began on the same base: one wins, the other is told by whom, and nothing is
    /// overwritten.
    @Test func ofTwoAtOnceOneWins() throws {
        let etcd = FakeEtcd()
        _ = try publish(etcd, one)
        let slow = Publisher(etcd)
        let base = try slow.base()
        let winner = try publish(etcd, two)
        let outcome = try slow.publish([file("site/a.example/x", "3")], on: base, warnings: 0)
        guard case .lost(let pointer, let old) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(pointer.revision == winner && old?.number == 1)
        try expectEqual(etcd.store().state(channel: "stable").pointer?.revision, winner)
    }

    /// In between: after the blobs were stored, before the pointer is moved.
    @Test func whoeverIsOvertakenAtTheLastMomentLoses() throws {
        let etcd = FakeEtcd()
        let slow = Publisher(etcd)
        let base = try slow.base()
        var didOvertake = false
        etcd.before = { [unowned etcd] request throws(EtcdFailure) in
            guard !didOvertake,
                String(decoding: request.body, as: UTF8.self).contains("compare\":[{")
            else { return }
            didOvertake = true
            do { _ = try self.publish(etcd, self.two) } catch { throw .refused("\(error)") }
        }
        guard case .lost = try slow.publish(one, on: base, warnings: 0) else {
            Issue.record("it overwrote what was published meanwhile")
            return
        }
        try expectEqual(etcd.store().record(number: 1).record.files, 1)
    }

    /// The answer to the last transaction is lost on its way: it was done, and is not done twice.
    @Test func aLostAnswerIsFoundOut() throws {
        let etcd = FakeEtcd()
        let publisher = Publisher(etcd)
        let base = try publisher.base()
        let inner = etcd.store()
        var isLost = false
        let store = FleetStore(keys: keys) { request throws(EtcdFailure) in
            let reply = try etcd.ask(request)
            if !isLost, String(decoding: request.body, as: UTF8.self).contains("compare\":[{") {
                isLost = true
                // The client asks again, as the command does.
                return try etcd.ask(request)
            }
            return reply
        }
        let again = Publisher(
            store: store, channel: "stable", author: "a", note: "", now: 1, keyRing: nil)
        guard case .moved(let id, _, _) = try again.publish(one, on: base, warnings: 0) else {
            Issue.record("it took itself for somebody else")
            return
        }
        expectEqual(id.number, 1)
        try expectEqual(inner.state(channel: "stable").head?.last, 1)
    }

    // MARK: Secrets

    @Test func certificatesAreStoredSealedAndOnlyWhenTheyChange() throws {
        let etcd = FakeEtcd()
        let ring = try KeyRing.fresh()
        let files = [
            file("certs/a.example/privkey.pem", "KEY-MATERIAL"), file("site/a.example/x", "1"),
        ]
        #expect(throws: FleetError.self) { try publish(etcd, files) }
        let publisher = Publisher(etcd, keyRing: ring)
        _ = try publisher.publish(files, on: publisher.base(), warnings: 0)
        for stored in etcd.keys.values {
            #expect(!String(decoding: stored.value, as: UTF8.self).contains("KEY-MATERIAL"))
        }
        guard case .unchanged = try publisher.publish(files, on: publisher.base(), warnings: 0)
        else {
            Issue.record("sealed anew without need")
            return
        }
        #expect(try etcd.store().check(keyRing: ring).problems.isEmpty)
        let other = try KeyRing.fresh()
        try expectEqual(etcd.store().check(keyRing: other).problems.count, 1)
        // A new key before the old one seals anew.
        let rotated = try KeyRing.fresh(before: ring)
        let next = Publisher(etcd, keyRing: rotated)
        guard case .moved = try next.publish(files, on: next.base(), warnings: 0) else {
            Issue.record("the new key was not used")
            return
        }
    }
}
