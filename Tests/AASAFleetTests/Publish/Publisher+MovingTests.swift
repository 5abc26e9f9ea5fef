import AASAFleet
import OpenSSL
import TestSupport
import Testing

@Suite struct PublisherMovingTests: PublisherSuite {
    private let keys = FleetKeys(fleet: "web")
    @Test func rollbackAndPromoteMoveThePointerAlone() throws {
        let etcd = FakeEtcd()
        let first = try publish(etcd, one)
        let second = try publish(etcd, two)
        let move = Publisher(etcd)
        try expectEqual(move.rollback(to: 1), .moved(first, from: second, stored: 0))
        try expectEqual(move.rollback(to: 1), .unchanged(first, stored: 0))
        #expect(throws: FleetError.self) { try move.rollback(to: 7) }
        #expect(throws: FleetError.self) { try move.promote(from: "canary") }
        let third = try publish(etcd, [file("site/b.example/x", "3")], "canary")
        try expectEqual(move.promote(from: "canary"), .moved(third, from: first, stored: 0))
        expectEqual(third.number, 3)
    }

    /// The repair needs no tool of etcd.
    @Test func damagedKeysAreReplaced() throws {
        let etcd = FakeEtcd()
        let first = try publish(etcd, one)
        let second = try publish(etcd, two)
        let move = Publisher(etcd)
        etcd.set(keys.channel("stable"), Array("x".utf8))
        etcd.set(keys.head, Array("x".utf8))
        try expectEqual(etcd.store().check(keyRing: nil).problems.count, 2)
        #expect(throws: FleetError.self) { try move.promote(from: "stable") }
        #expect(throws: FleetError.self) { try Publisher(etcd, "beta").promote(from: "stable") }
        try expectEqual(move.rollback(to: 1), .moved(first, from: nil, stored: 0))
        #expect(try etcd.store().check(keyRing: nil).problems.isEmpty)
        etcd.set(keys.channel("stable"), Array("x".utf8))
        etcd.set(keys.head, Array("x".utf8))
        try expectEqual(publish(etcd, one).number, second.number + 1)
    }

    @Test func aDamagedRevisionIsNotRolledBackTo() throws {
        let etcd = FakeEtcd()
        _ = try publish(etcd, one)
        _ = try publish(etcd, two)
        etcd.remove(keys.blob(hexadecimal(sha256(one[0].bytes))))
        let move = Publisher(etcd)
        #expect(throws: FleetError.self) { try move.rollback(to: 1) }
        try expectEqual(etcd.store().state(channel: "stable").pointer?.revision.number, 2)
    }
}
