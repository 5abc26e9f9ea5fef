import Foundation
import Testing

@testable import AASAFleet

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
        _ etcd: FakeEtcd, _ revisionDirectory: RevisionDirectory, _ id: RevisionID,
        keyRing: KeyRing? = nil,
        trial: (String) -> String? = { _ in nil }
    ) throws {
        try revisionDirectory.prepare()
        try RevisionFetcher(
            store: etcd.store(), revisionDirectory: revisionDirectory, keyRing: keyRing
        )
        .fetch(id, trial: trial)
        try revisionDirectory.swap(to: id)
    }

    /// A revision whose file `site/a/x` says this, served.
    func serve(
        _ text: String, _ etcd: FakeEtcd, _ revisionDirectory: RevisionDirectory
    ) throws -> RevisionID {
        let id = try publish(etcd, [file("site/a/x", text)])
        try bring(etcd, revisionDirectory, id)
        return id
    }

    func text(_ revisionDirectory: RevisionDirectory, _ name: String = "site/a/x") throws -> String
    {
        try String(contentsOfFile: "\(revisionDirectory.currentLink)/\(name)", encoding: .utf8)
    }
}
