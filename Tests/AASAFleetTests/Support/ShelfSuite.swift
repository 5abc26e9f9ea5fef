import AASAFleet
import Foundation
import Testing

/// Revisions of a small site that come from a store that is played to a shelf on disk.
protocol ShelfSuite {}

extension ShelfSuite {
    func publish(
        _ etcd: FakeEtcd, _ files: [Publisher.File], keyRing: KeyRing? = nil
    ) throws -> RevisionID {
        let publisher = Publisher(etcd, keyRing: keyRing)
        _ = try publisher.publish(files, on: publisher.base(), warnings: 0)
        return try #require(try etcd.store().state(channel: "stable").pointer).revision
    }

    func bring(
        _ etcd: FakeEtcd, _ shelf: RevisionShelf, _ id: RevisionID, keyRing: KeyRing? = nil,
        trial: (String) -> String? = { _ in nil }
    ) throws {
        try shelf.prepare()
        try RevisionFetcher(store: etcd.store(), shelf: shelf, keyRing: keyRing)
            .fetch(id, trial: trial)
        try shelf.swap(to: id)
    }

    /// A revision whose file `site/a/x` says this, served.
    func serve(
        _ text: String, _ etcd: FakeEtcd, _ shelf: RevisionShelf
    ) throws -> RevisionID {
        let id = try publish(etcd, [file("site/a/x", text)])
        try bring(etcd, shelf, id)
        return id
    }

    func text(_ shelf: RevisionShelf, _ name: String = "site/a/x") throws -> String {
        try String(contentsOfFile: "\(shelf.currentLink)/\(name)", encoding: .utf8)
    }
}
