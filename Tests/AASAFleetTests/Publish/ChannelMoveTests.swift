import AASAFleet
import OpenSSL
import Testing

@Suite struct ChannelMoveTests: PublisherSuite {
    private let keys = FleetKeys(fleet: "web")
    @Test func rollbackAndPromoteMoveThePointerAlone() throws {
        let etcd = FakeEtcd()
        let first = try publish(etcd, one)
        let second = try publish(etcd, two)
        let move = ChannelMove(store: etcd.store(), author: "bob", note: "oops", now: 5)
        #expect(try move.rollback("stable", to: 1) == .moved(first, from: second))
        #expect(try move.rollback("stable", to: 1) == .unchanged(first))
        #expect(throws: FleetError.self) { try move.rollback("stable", to: 7) }
        #expect(throws: FleetError.self) { try move.promote(from: "canary", to: "stable") }
        let third = try publish(etcd, [file("site/b.example/x", "3")], "canary")
        #expect(try move.promote(from: "canary", to: "stable") == .moved(third, from: first))
        #expect(third.number == 3)
    }

    @Test func aDamagedRevisionIsNotRolledBackTo() throws {
        let etcd = FakeEtcd()
        _ = try publish(etcd, one)
        _ = try publish(etcd, two)
        etcd.remove(keys.blob(hexadecimal(sha256(one[0].bytes))))
        let move = ChannelMove(store: etcd.store(), author: "bob", note: "", now: 5)
        #expect(throws: FleetError.self) { try move.rollback("stable", to: 1) }
        #expect(try etcd.store().state(channel: "stable").pointer?.revision.number == 2)
    }
}
