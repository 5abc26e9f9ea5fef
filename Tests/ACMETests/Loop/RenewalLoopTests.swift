import AppSiteAssociation
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import ACME

/// Turns of the loop that ask no authority; whole orders are in `RenewalServiceTests`.
@Suite struct RenewalLoopTests {
    private let folder: TemporaryFolder
    private let log = KeptLog()

    init() throws { folder = try TemporaryFolder("loop") }

    private final class Host: Sendable {
        let answers = Lock<[[ChallengeAnswer]]>([])
        let installs = Lock(0)
        let looks = Lock(0)
        let published = Lock<[RenewalStatus]>([])

        var host: RenewalHost {
            RenewalHost(
                site: {
                    self.looks.withLock { $0 += 1 }
                    return ([WantedCertificate(folder: "a.test", names: ["a.test"])], [:])
                },
                answer: { answers in self.answers.withLock { $0.append(answers) } },
                installed: { self.installs.withLock { $0 += 1 } },
                publish: { status in self.published.withLock { $0.append(status) } },
                questions: PendingValidations())
        }
    }

    /// So many turns, with no wait between them.
    private func run(
        _ store: FolderStore, turns: Int, _ host: Host = Host(), between: () -> Void = {}
    ) throws -> [RenewalStatus] {
        let settings = RenewalSettings(authorities: [.init(directory: "http://127.0.0.1:1/d")])
        let stop = try Wakeup()
        stop.signal()
        var loop = try RenewalLoop(
            settings: settings, store: store, host: host.host, authorityFile: nil, agent: "a",
            log: log.logger, stop: stop, change: try Wakeup(), question: try Wakeup())
        var turn = 0
        loop.run(
            isStopped: {
                let published = host.published.withLock { $0.count }
                if published > turn { between() }
                turn = published
                return turn >= turns
            })
        return host.published.withLock { $0 }
    }

    private func takeLease() throws {
        try StoreFiles.replace(
            folder.path("certs/.acme/lease.json"),
            with: Array(#"{"holder":"another-boot pid:[1] 1 1","beat":1}"#.utf8))
    }

    /// Another process orders: its challenges may come to us.
    @Test func `Who does not order answers for the one who does`() throws {
        let store = FolderStore(path: folder.path("certs"))
        try store.prepare()
        try takeLease()
        let answers = [
            ChallengeAnswer(kind: .http01, name: "a.test", token: "t", keyAuthorization: "t.k")
        ]
        var state = StoredState(store: store)
        _ = try state.read(directories: []) { _ in }
        try state.write(answers)
        let host = Host()
        var turn = 0
        let told = try run(store, turns: 4, host) {
            turn += 1
            if turn == 2 { try? state.write([]) }
        }
        // Each change once.
        expectEqual(host.answers.withLock { $0 }, [answers, []])
        #expect(told.allSatisfy { !$0.isOrdering && $0.storeError == nil })
        expectEqual(host.installs.withLock { $0 }, 0)
        let lines = log.all.map(\.line)
        expectEqual(
            lines.count { $0 == "info: another process is ordering certificates; this one waits" },
            1)
        // The other's lease is not given back.
        let lease = String(decoding: try folder.read("certs/.acme/lease.json"), as: UTF8.self)
        #expect(lease.contains("another-boot"))
    }

    /// Told once, for as long as it is the same.
    @Test func `A store that fails is said, and nothing is asked`() throws {
        try folder.write("certs", "a file")
        let told = try run(FolderStore(path: folder.path("certs")), turns: 3)
        #expect(told.allSatisfy { $0.storeError != nil && !$0.isOrdering })
        let lines = log.all.map(\.line).filter {
            $0.hasPrefix("error: certificates cannot be kept")
        }
        #expect(!lines.isEmpty)
        expectEqual(Set(lines).count, lines.count)
        #expect(log.all.allSatisfy { $0.line != "debug: asking" })
    }

    @Test func `Who begins has the lease, and gives it back in the end`() throws {
        let store = FolderStore(path: folder.path("certs"))
        try store.prepare()
        let host = Host()
        let told = try run(store, turns: 1, host)
        expectEqual(told.first?.isOrdering, true)
        expectEqual(told.first?.entries.map(\.folder), ["a.test"])
        expectEqual(host.looks.withLock { $0 }, 1)
        let lease = String(decoding: try folder.read("certs/.acme/lease.json"), as: UTF8.self)
        #expect(!lease.contains("holder"))
    }

    /// Another process, or another machine of the fleet, may be able to.
    @Test func `Who cannot use the store does not keep the lease`() throws {
        let store = FolderStore(path: folder.path("certs"))
        try store.prepare()
        // What stands there cannot be read.
        try folder.makeFolder("certs/.acme/\(StoreKey.account("http://127.0.0.1:1/d").path)")
        let told = try run(store, turns: 2)
        #expect(told.allSatisfy { $0.storeError != nil && !$0.isOrdering })
        let lease = String(decoding: try folder.read("certs/.acme/lease.json"), as: UTF8.self)
        #expect(!lease.contains("holder"))
    }
}
