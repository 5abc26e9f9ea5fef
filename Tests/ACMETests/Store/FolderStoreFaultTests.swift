import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import ACME

/// Each system call of the store fails once, and for good from there on: readers see the old or the
/// new, key and chain fit together, and the next try goes well.
@Suite(.serialized) struct FolderStoreFaultTests {
    private static let calls: [FaultInjection.Call] = [.open, .read, .write, .fsync, .rename]
    private static let now: Int64 = 1_800_000_000

    private struct World {
        let folder: TemporaryFolder
        let store: FolderStore
        let old: CertificatePair
        let new: CertificatePair
        let id = LineageID(folder: "a.test")
        let key = StoreKey.account("https://ca.test/directory")

        init(_ authority: LocalAuthority) throws {
            folder = try TemporaryFolder("store-faults")
            store = FolderStore(path: folder.path("certs"))
            try store.prepare()
            old = try authority.issue(
                names: ["a.test"], key: .ecdsaP256, now: FolderStoreFaultTests.now)
            new = try authority.issue(
                names: ["a.test"], key: .ecdsaP256, now: FolderStoreFaultTests.now)
            try install(old)
            _ = try store.swap(key, to: [1, 1], from: nil)
        }

        func install(_ pair: CertificatePair) throws {
            try store.install(
                id, chain: pair.chain.flatMap(\.pem), key: pair.key.unencryptedPEM(),
                keepsOther: true)
        }

        /// The pair that stands there now.
        func pair() throws -> CertificatePair {
            let chain = try #require(try StoreFiles.read("\(store.path)/a.test/fullchain.pem"))
            let key = try #require(try StoreFiles.read("\(store.path)/a.test/privkey.pem"))
            return try CertificatePair.load(
                chainPEM: chain, keyPEM: key, chainName: "chain", keyName: "key")
        }
    }

    @Test(arguments: [UInt32(1), 1000]) func `Old or new, never half`(times: UInt32) throws {
        let authority = try LocalAuthority.make(now: Self.now)
        var rows: [String] = []
        for call in Self.calls {
            var count: UInt32 = 0
            var failed = 0
            while true {
                count += 1
                try #require(count < 200, "no end of \(call)")
                let world = try World(authority)
                FaultInjection.arm(call, after: count, times: times, number: 28)
                let installs = Result { try world.install(world.new) }
                let swaps = Result {
                    try world.store.swap(
                        world.key, to: [2, 2],
                        from: try world.store.read(world.key)?.revision)
                }
                let isOver = FaultInjection.isPending(call)
                FaultInjection.disarm()
                if isOver, case .success = installs, case .success = swaps { break }
                failed += 1
                let place = "\(call) \(count)"
                let found = try world.pair()
                #expect(found.key.matches(found.leaf), "\(place)")
                let wanted = (try? installs.get()) == nil ? [world.old, world.new] : [world.new]
                #expect(wanted.contains { $0.identity == found.identity }, "\(place)")
                guard case .ours = try world.store.content(of: "a.test") else {
                    Issue.record("\(place): taken for somebody else's")
                    break
                }
                let value = try world.store.read(world.key)?.bytes
                #expect(value == [1, 1] || value == [2, 2], "\(place)")
                // The next try goes well, and nothing unfinished is left.
                try world.install(world.new)
                try expectEqual(world.pair().identity, world.new.identity, "\(place)")
                try world.store.prepare()
                let left = try StoreFiles.names(in: "\(world.store.path)/.acme/accounts")
                expectEqual(left.count, 1, "\(place): \(left)")
            }
            #expect(failed > 0, "\(call) was never made")
            rows.append("\(call) \(failed)")
        }
        print(
            "faults played, each \(times == 1 ? "once" : "for good"): \(rows.joined(separator: ", "))"
        )
    }
}
