import AASAClient
import Reactor
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct FleetAgentTests: ShelfSuite {
    private let server: FakeEtcdServer
    private let folder: TemporaryFolder
    private let revisionDirectory: RevisionDirectory
    private let events = Lock<[AgentEvent]>([])
    private let published = Lock(AgentStatus())

    private var status: AgentStatus { published.withLock { $0 } }

    init() throws {
        server = try FakeEtcdServer()
        folder = try TemporaryFolder("agent")
        revisionDirectory = RevisionDirectory(path: folder.path("fleet"), holdsSecrets: false)
    }

    private func publish(_ text: String) throws -> RevisionID {
        try server.with { try publish($0, [file("site/a/x", text)]) }
    }

    private func bring(_ id: RevisionID) throws {
        try server.with { try bring($0, revisionDirectory, id) }
    }

    private func agent() throws -> FleetAgent {
        let settings = AgentSettings(
            access: try server.access, keys: FleetKeys(fleet: "web"), channel: "stable",
            machine: "m1", version: "1", keyRing: nil, seed: 1)
        let published = published
        return try FleetAgent(settings, revisionDirectory: revisionDirectory) { status in
            published.withLock { $0 = status }
        }
    }

    private var host: AgentHost {
        let events = events
        return AgentHost(
            trial: { _ in nil }, log: { event in events.withLock { $0.append(event) } })
    }

    private func isAway() {
        server.override { _ in FakeEtcdServer.failure(503, code: 14, "no leader") }
    }

    @Test func whatLiesOnTheDiskIsEnoughToStart() throws {
        let id = try publish("one")
        try bring(id)
        isAway()
        let agent = try agent()
        try agent.prepare(host, within: .seconds(60))
        #expect(status.serving == id && status.damage == nil)
        #expect(server.questions.isEmpty)
    }

    /// Without the store, and at once: what is whole, with what is wrong.
    @Test func damageOnTheDiskIsSaidBeforeTheStoreIsAsked() throws {
        let first = try publish("one")
        try bring(first)
        let second = try publish("two")
        try bring(second)
        try folder.write("fleet/revisions/\(second.folderName)/site/a/x", "TWO")
        isAway()
        let agent = try agent()
        try agent.prepare(host, within: .seconds(60))
        #expect(status.serving == first && status.damage?.revision == 2)
        expectEqual(events.withLock { $0.map(\.needsAttention) }, [true])
        #expect(server.questions.isEmpty)
    }

    @Test func aNewMachineFetchesItsFirstRevision() throws {
        let id = try publish("one")
        let agent = try agent()
        try agent.prepare(host, within: .seconds(60))
        #expect(try status.serving == id && text(revisionDirectory) == "one")
    }

    /// The store comes back after a while, and nobody has given up.
    @Test func withoutALimitItWaitsForTheFirstRevision() throws {
        let id = try publish("one")
        isAway()
        let agent = try agent()
        let waits = Lock(0)
        try agent.prepare(host, within: nil) {
            waits.withLock { $0 += 1 }
            if waits.withLock({ $0 }) == 3 { server.override(nil) }
        }
        expectEqual(status.serving, id)
        #expect(waits.withLock { $0 } >= 3)
    }

    @Test func withNothingToServeItSaysWhy() throws {
        let agent = try agent()
        do {
            try agent.prepare(host, within: .milliseconds(200))
            Issue.record("there is nothing")
        } catch {
            #expect(error.problem.cause.contains("nothing was published to channel stable of web"))
        }
        isAway()
        let other = try self.agent()
        do {
            try other.prepare(host, within: .milliseconds(200))
            Issue.record("there is nothing")
        } catch {
            #expect(error.problem.cause.hasSuffix("etcd cannot answer now: no leader"))
        }
    }

    /// What cannot be loaded any more (its certificates have ended): something newer is looked for.
    @Test func catchingUpBringsTheNextRevision() throws {
        try bring(try publish("one"))
        let second = try publish("two")
        let agent = try agent()
        #expect(!agent.catchUp(host, within: .seconds(60)), "nothing was prepared")
        try agent.prepare(host, within: .seconds(60))
        #expect(agent.catchUp(host, within: .seconds(60)))
        #expect(try status.serving == second && text(revisionDirectory) == "two")
        #expect(!agent.catchUp(host, within: .milliseconds(100)), "there is nothing newer")
    }

    @Test func itFollowsOnAThreadOfItsOwnUntilItIsStopped() throws {
        try bring(try publish("one"))
        let second = try publish("two")
        let agent = try agent()
        try agent.prepare(host, within: .seconds(60))
        let served = try Wakeup()
        let events = events
        try agent.start(
            AgentHost(
                trial: { _ in nil },
                log: { event in
                    events.withLock { $0.append(event) }
                    if event.text == "fleet: serving revision 2" { served.signal() }
                }))
        // A guard alone.
        #expect(Waiting.wait([.init(served.descriptor)], until: .now() + .seconds(60))[0])
        agent.stop()
        #expect(try status.serving == second && text(revisionDirectory) == "two")
        // The thread is gone: what comes now is nobody's.
        let asked = server.questions.count
        agent.stop()
        expectEqual(server.questions.count, asked)
    }
}
