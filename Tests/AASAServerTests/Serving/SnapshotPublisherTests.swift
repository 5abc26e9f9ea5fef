import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct SnapshotPublisherTests {
    @Test func aPublicationIsSeenAndWakesTheWorkers() throws {
        let contexts = try TestEndpoint.contexts(1)
        let first = Publication(snapshot: TestEndpoint.snapshot(), contexts: contexts)
        let publisher = SnapshotPublisher(first)
        let wakeup = try Wakeup()
        publisher.wake(wakeup)
        let poller = try Poller()
        try poller.add(wakeup.descriptor, .read, token: 1)
        let version = publisher.version
        expectEqual(publisher.latest.snapshot.generation, 1)
        try expectEqual(poller.wait(timeout: .zero), 0)
        publisher.publish(
            Publication(snapshot: TestEndpoint.snapshot(generation: 2), contexts: contexts))
        #expect(publisher.version != version)
        expectEqual(publisher.latest.snapshot.generation, 2)
        try expectEqual(poller.wait(timeout: .seconds(30)), 1)
    }
}
