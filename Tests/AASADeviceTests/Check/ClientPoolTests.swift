import AASAClient
import Foundation
import Reactor
import Testing

@testable import AASADevice

@Suite struct ClientPoolTests {
    /// No client serves two jobs at once, and one is used again: as many as threads.
    @Test func givesEachThreadAClient() {
        let pool = ClientPool(resolver: Resolver())
        let lent = Lock<(now: Set<ObjectIdentifier>, all: Set<ObjectIdentifier>)>(([], []))
        let places = ParallelMap.run(12, threads: 3, name: "test") { index -> Int? in
            try? pool.lend { client in
                let client = ObjectIdentifier(client)
                let isFree = lent.withLock {
                    $0.all.insert(client)
                    return $0.now.insert(client).inserted
                }
                sched_yield()
                lent.withLock { _ = $0.now.remove(client) }
                return isFree ? index : -1
            }
        }
        #expect(places == (0..<12).map { $0 })
        #expect((1...3).contains(lent.withLock { $0.all.count }))
    }

    @Test func lendsAClientToOneAtATime() throws {
        let pool = ClientPool(resolver: Resolver())
        let first = try pool.lend { ObjectIdentifier($0) }
        try pool.lend { client in
            // It was given back, and is used again.
            #expect(ObjectIdentifier(client) == first)
            let other = try? pool.lend { ObjectIdentifier($0) }
            #expect(other != nil && other != first)
        }
    }
}
