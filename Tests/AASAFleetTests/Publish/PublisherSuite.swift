import AASAFleet
import OpenSSL

/// Revisions of a small site in a store that is played.
protocol PublisherSuite {}

extension PublisherSuite {
    var one: [Publisher.File] { [file("site/a.example/teams/T.json", "{1}")] }
    var two: [Publisher.File] { [file("site/a.example/teams/T.json", "{2}")] }

    func publish(
        _ etcd: FakeEtcd, _ files: [Publisher.File], _ channel: String = "stable"
    ) throws -> RevisionID {
        let publisher = Publisher(etcd, channel)
        switch try publisher.publish(files, on: publisher.base(), warnings: 0) {
        case .moved(let id, _, _): return id
        case .unchanged(let id, _): return id
        case .lost: throw EtcdFailure.refused("lost")
        }
    }
}
