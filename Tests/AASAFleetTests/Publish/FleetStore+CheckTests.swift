import AASAFleet
import OpenSSL
import TestSupport
import Testing

@Suite struct FleetStoreCheckTests: PublisherSuite {
    private let keys = FleetKeys(fleet: "web")

    @Test func damagedBlobsAreMendedByPublishingAgain() throws {
        let etcd = FakeEtcd()
        _ = try publish(etcd, one)
        let blob = keys.blob(hexadecimal(sha256(one[0].bytes)))
        etcd.set(blob, Array("poison".utf8))
        try expectEqual(etcd.store().check(keyRing: nil).problems.count, 1)
        let publisher = Publisher(etcd)
        let outcome = try publisher.publish(one, on: publisher.base(), warnings: 0)
        guard case .unchanged(_, stored: 1) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try etcd.store().check(keyRing: nil).problems.isEmpty)
    }
}
