import Foundation
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import ACME

@Suite struct RenewalServiceTests {
    private final class Site: Sendable {
        let wanted = Lock<[WantedCertificate]>([])
        let answers = Lock<[[ChallengeAnswer]]>([])
        let installs = Lock(0)
        private let published = Lock(RenewalStatus())

        var status: RenewalStatus { published.withLock { $0 } }

        var host: RenewalHost {
            RenewalHost(
                site: { (self.wanted.withLock { $0 }, [:]) },
                answer: { answers in self.answers.withLock { $0.append(answers) } },
                installed: { self.installs.withLock { $0 += 1 } },
                publish: { status in self.published.withLock { $0 = status } },
                questions: PendingValidations())
        }

        func want(_ names: [String]) {
            wanted.withLock { $0 = names.map { WantedCertificate(folder: $0, names: [$0]) } }
        }
    }

    /// A service that orders what the site wants of one authority.
    private func started(
        _ directory: String, _ store: FolderStore, _ site: Site, _ log: KeptLog
    ) throws -> RenewalService {
        var settings = RenewalSettings(authorities: [.init(directory: directory)])
        settings.agreesToTerms = true
        let service = try RenewalService()
        try service.start(
            settings: settings, store: store, host: site.host, authorityFile: nil,
            agent: "aasa/test", log: log.logger)
        return service
    }

    @Test func `A host that is new gets its certificate, and one that comes later too`() throws {
        let folder = try TemporaryFolder("renewal")
        let store = FolderStore(path: folder.path("certs"))
        try store.prepare()
        let authority = try AuthorityServer(store)
        let site = Site()
        site.want(["a.test"])
        let log = KeptLog()
        let service = try started(authority.url, store, site, log)
        // The last things that are done: the certificate loaded, the challenge taken back.
        #expect(
            eventually {
                site.installs.withLock { $0 } == 1 && site.answers.withLock { $0.count } == 2
                    && site.status.entries.map(\.state) == ["good"]
            }, "\(log.all)")
        let status = site.status
        #expect(status.succeeded == 1 && status.failed == 0 && status.storeError == nil)
        expectEqual(site.installs.withLock { $0 }, 1)
        // Shown as long as the authority may ask, and no longer.
        let answers = site.answers.withLock { $0 }
        expectEqual(answers.map(\.count), [1, 0])
        expectEqual(answers.first?.first?.name, "a.test")
        let pem = try folder.read("certs/a.test/fullchain.pem")
        try expectEqual(Certificate.load(pem: pem, name: "-").first?.covers("a.test"), true)
        #expect(
            log.all.contains { $0.line.hasPrefix("notice: renewed the certificate of a.test") })
        // The site was read anew.
        site.want(["a.test", "b.test"])
        service.siteChanged()
        #expect(eventually { site.installs.withLock { $0 } == 2 }, "\(log.all)")
        service.end()
        expectEqual(authority.ask { $0.orders.count }, 2)
        expectEqual(authority.ask { $0.accounts.count }, 1)
        expectEqual(authority.ask { $0.protocolErrors }, [])
        // Whoever comes next may order.
        let lease = String(decoding: try folder.read("certs/.acme/lease.json"), as: UTF8.self)
        #expect(!lease.contains("holder"))
    }

    /// An end does not wait for an authority that does not answer, and may come twice.
    @Test func `It ends while a request is under way`() throws {
        let folder = try TemporaryFolder("renewal")
        let store = FolderStore(path: folder.path("certs"))
        try store.prepare()
        let asked = Lock(0)
        let silent = try FaultServer(tls: nil) { _ in
            asked.withLock { $0 += 1 }
            return .silence
        }
        let site = Site()
        site.want(["a.test"])
        let log = KeptLog()
        let service = try started("http://127.0.0.1:\(silent.port)/directory", store, site, log)
        #expect(eventually { asked.withLock { $0 } > 0 })
        service.end()
        service.end()
        expectEqual(asked.withLock { $0 }, 1)
        #expect(site.answers.withLock { $0 }.isEmpty)
    }

    /// Its own lease, which it writes there, is no reason to look again at once.
    @Test func `A store that fails is tried again after a pause`() throws {
        let folder = try TemporaryFolder("renewal")
        let store = FolderStore(path: folder.path("certs"))
        try store.prepare()
        try folder.makeFolder("certs/.acme/challenges.json")
        let site = Site()
        site.want(["a.test"])
        let service = try started("http://127.0.0.1:1/d", store, site, KeptLog())
        #expect(eventually { site.status.storeError != nil })
        usleep(500_000)
        service.end()
        let lease = String(decoding: try folder.read("certs/.acme/lease.json"), as: UTF8.self)
        #expect(lease.hasSuffix(#""beat":1}"#), "\(lease)")
    }
}
