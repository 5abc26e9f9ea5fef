import AASAFleet
import OpenSSL
import Testing

@Suite struct StoreCheckTests {
    private let keys = FleetKeys(fleet: "web")
    private let one = [file("site/a.example/teams/T.json", "{1}")]

    private func publish(
        _ etcd: FakeEtcd, _ files: [Publisher.File], _ channel: String = "stable"
    ) throws -> RevisionID {
        let publisher = Publisher(etcd, channel)
        switch try publisher.publish(files, on: publisher.base(), warnings: 0) {
        case .published(let record, _): return record.id
        case .unchanged(let id, _): return id
        case .lost: throw EtcdFailure.refused("lost")
        }
    }

    @Test func damagedBlobsAreMendedByPublishingAgain() throws {
        let etcd = FakeEtcd()
        _ = try publish(etcd, one)
        let blob = keys.blob(hexadecimal(sha256(one[0].bytes)))
        etcd.set(blob, Array("poison".utf8))
        #expect(try StoreCheck(store: etcd.store(), keyRing: nil).all().problems.count == 1)
        let publisher = Publisher(etcd)
        let outcome = try publisher.publish(one, on: publisher.base(), warnings: 0)
        guard case .unchanged(_, mended: 1) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try StoreCheck(store: etcd.store(), keyRing: nil).all().problems.isEmpty)
    }
}
