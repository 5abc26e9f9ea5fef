import AASAFleet
import OpenSSL
import TestSupport
import Testing

@Suite struct FleetStorePruningTests: PublisherSuite {
    @Test func pruneKeepsWhatIsServedAndWhatItUses() throws {
        let etcd = FakeEtcd()
        for index in 1...6 {
            _ = try publish(
                etcd,
                [file("site/a.example/same", "same"), file("site/a.example/x", "\(index)")])
        }
        _ = try Publisher(etcd, "canary").promote(from: "stable")
        _ = try Publisher(etcd, "canary").rollback(to: 2)
        let report = try etcd.store().prune(keep: 2, isDryRun: false)
        #expect(report.kept == [2, 5, 6] && report.removed == [1, 3, 4])
        // Three files and three lists.
        expectEqual(report.blobs, 6)
        #expect(try etcd.store().check(keyRing: nil).problems.isEmpty)
        try expectEqual(etcd.store().prune(keep: 2, isDryRun: false).blobs, 0)
    }

    /// A publisher counts on a blob that is taken away before it moves its pointer.
    @Test func pruneBetweenLookAndPublicationLosesNothing() throws {
        let etcd = FakeEtcd()
        _ = try publish(etcd, one)
        _ = try publish(etcd, two)
        let publisher = Publisher(etcd)
        let base = try publisher.base()
        var didPrune = false
        etcd.before = { [unowned etcd] request throws(EtcdFailure) in
            guard !didPrune, String(decoding: request.body, as: UTF8.self).contains("compare\":[{")
            else { return }
            didPrune = true
            do {
                _ = try etcd.store().prune(keep: 1, isDryRun: false)
            } catch { throw .refused("\(error)") }
        }
        // The content of revision 1, whose blobs are still there when it looks.
        guard case .moved = try publisher.publish(one, on: base, warnings: 0) else {
            Issue.record("not published")
            return
        }
        #expect(didPrune)
        #expect(try etcd.store().check(keyRing: nil).problems.isEmpty)
    }

    /// The other way round: published between the count and the deletion.
    @Test func publicationBetweenCountAndDeletionLosesNothing() throws {
        let etcd = FakeEtcd()
        _ = try publish(etcd, one)
        _ = try publish(etcd, two)
        var didPublish = false
        etcd.before = { [unowned etcd] request throws(EtcdFailure) in
            guard !didPublish,
                String(decoding: request.body, as: UTF8.self).contains("request_delete_range")
            else { return }
            didPublish = true
            do { _ = try self.publish(etcd, self.one) } catch { throw .refused("\(error)") }
        }
        _ = try etcd.store().prune(keep: 1, isDryRun: false)
        #expect(didPublish)
        let check = try etcd.store().check(keyRing: nil)
        #expect(check.problems.isEmpty, "\(check.problems)")
        try expectEqual(etcd.store().state(channel: "stable").pointer?.revision.number, 3)
    }
}
