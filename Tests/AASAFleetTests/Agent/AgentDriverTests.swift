import AASAClient
import Foundation
import Reactor
import TestSupport
import Testing

@testable import AASAFleet

/// The agent's hands, step by step, with a store behind a socket on loopback and a shelf on disk.
@Suite struct AgentDriverTests: ShelfSuite {
    private let server: FakeEtcdServer
    private let folder: TemporaryFolder
    private let revisionDirectory: RevisionDirectory
    private let stop: Wakeup
    /// What the agent said and published.
    private let seen = Seen()

    private final class Seen: Sendable {
        let events = Lock<[AgentEvent]>([])
        let status = Lock(AgentStatus())
        /// What the server beside it says of the next loads.
        let loads = Lock<[String?]>([])
        let loaded = Lock(0)

        func texts() -> [String] { events.withLock { events in events.map(\.text) } }
    }

    init() throws {
        server = try FakeEtcdServer()
        folder = try TemporaryFolder("agent")
        revisionDirectory = RevisionDirectory(path: folder.path("fleet"), holdsSecrets: false)
        stop = try Wakeup()
        try revisionDirectory.prepare()
    }

    private func publish(_ text: String) throws -> RevisionID {
        try server.with { try publish($0, [file("site/a/x", text)]) }
    }

    private func run(channel: String = "stable") throws -> AgentDriver {
        let seen = seen
        let settings = AgentSettings(
            access: try server.access, keys: FleetKeys(fleet: "web"), channel: channel,
            machine: "m1", version: "1", keyRing: nil, seed: 1)
        return try AgentDriver(
            settings, revisionDirectory, start: revisionDirectory.best(), stop: stop,
            publish: { status in seen.status.withLock { $0 = status } })
    }

    private func host(
        trial: @escaping @Sendable (String) -> String? = { _ in nil },
        draining: @escaping @Sendable () -> Bool = { false }
    ) -> AgentHost {
        let seen = seen
        var health = MachineRecord.Health()
        health.level = "attention"
        let judged = health
        var host = AgentHost(
            trial: trial, log: { event in seen.events.withLock { $0.append(event) } })
        host.swapped = {
            seen.loaded.withLock { $0 += 1 }
            return seen.loads.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
        host.health = { judged }
        host.isDraining = draining
        return host
    }

    private var status: AgentStatus { seen.status.withLock { $0 } }

    /// Steps until it holds; a machine of the fleet has done all that is due in a dozen.
    private func turn(_ run: AgentDriver, _ host: AgentHost, until isDone: () throws -> Bool) throws
    {
        for _ in 0..<30 {
            if try isDone() { return }
            run.turn(host, until: .now())
        }
        Issue.record("\(status)\n\(seen.texts())")
    }

    private func written() throws -> MachineRecord? {
        try server.with { etcd in
            try etcd.keys["/aasa/web/machines/m1"].map {
                try MachineRecord(decoding: $0.value, place: "m1")
            }
        }
    }

    /// Puts another channel's pointer into the store behind everybody's back.
    private func point(to id: RevisionID, _ action: ChannelPointer.Action) {
        let pointer = ChannelPointer(
            revision: id, action: action, author: "a", time: 1, note: "", nonce: "n")
        server.with { $0.set("/aasa/web/channels/stable", pointer.encoded) }
    }

    // MARK: The whole way

    @Test func whatTheChannelSaysIsServedAndReported() throws {
        let id = try publish("one")
        let run = try run()
        #expect(run.serving == nil)
        let host = host()
        run.tellStart(host)
        expectEqual(seen.texts().first?.contains("fetching it from etcd"), true)
        try turn(run, host) { run.serving != nil }
        #expect(try run.serving == id && text(revisionDirectory) == "one")
        expectEqual(seen.loaded.withLock { $0 }, 1)
        expectEqual(seen.texts().last, "fleet: serving revision 1")
        try turn(run, host) { try written() != nil }
        let record = try #require(try written())
        #expect(record.revision == id && record.health.level == "attention")
        #expect(record.channel == "stable" && record.refused == nil && record.damage == nil)
        #expect(server.with { $0.keys["/aasa/web/machines/m1"]?.lease } != nil)
        #expect(status.serving == id && status.target == id && status.contact != nil)
        #expect(status.trouble == nil && !status.isChannelMissing)
    }

    @Test func theWatchIsOpenedBehindWhatWasRead() throws {
        _ = try publish("one")
        server.watch(says: [
            #"{"result":{"header":{"revision":"9"},"events":[{"kv":{"key":"YQ==","mod_revision":"9"}}]}}"#
        ])
        let run = try run()
        let host = host()
        try turn(run, host) { server.questions.contains { $0.path == "/v3/watch" } }
        // What it says leads to a read, long before the next poll.
        let second = try publish("two")
        for _ in 0..<200 where run.serving != second {
            run.turn(host, until: .now() + .seconds(1))
        }
        #expect(try run.serving == second && text(revisionDirectory) == "two")
    }

    // MARK: Refusals

    @Test func whatTheTrialRefusesIsReportedAndNotServed() throws {
        let first = try publish("one")
        try server.with { try bring($0, revisionDirectory, first) }
        _ = try publish("two")
        let run = try run()
        let host = host(trial: { _ in "no such team" })
        try turn(run, host) { try written()?.refused != nil }
        #expect(try run.serving == first && text(revisionDirectory) == "one")
        expectEqual(seen.loaded.withLock { $0 }, 0)
        expectEqual(status.refusal?.reason.contains("no such team"), true)
        #expect(seen.events.withLock { events in events.contains { $0.needsAttention } })
    }

    @Test func whatTheServerDoesNotLoadIsTakenBack() throws {
        let first = try publish("one")
        try server.with { try bring($0, revisionDirectory, first) }
        let second = try publish("two")
        let run = try run()
        seen.loads.withLock { $0 = ["site/a/x: no"] }
        try turn(run, host()) { status.refusal != nil }
        #expect(run.serving == first && status.refusal?.revision == second)
        try expectEqual(text(revisionDirectory), "one")
        // The new one, and the old one again.
        expectEqual(seen.loaded.withLock { $0 }, 2)
        try expectEqual(revisionDirectory.best(), .init(serving: first))
    }

    /// Meanwhile the disk damaged what was served: the best of the others is, and it is said.
    @Test func whereTheOldOneIsDamagedAnotherIsServed() throws {
        let zeroth = try publish("zero")
        try server.with { try bring($0, revisionDirectory, zeroth) }
        let first = try publish("one")
        try server.with { try bring($0, revisionDirectory, first) }
        let second = try publish("two")
        let run = try run()
        try folder.write("fleet/revisions/\(first.folderName)/site/a/x", "xxx")
        seen.loads.withLock { $0 = ["site/a/x: no"] }
        try turn(run, host()) { status.refusal != nil }
        #expect(run.serving == zeroth && status.refusal?.revision == second)
        try expectEqual(text(revisionDirectory), "zero")
        expectEqual(status.damage?.revision, first.number)
        #expect(seen.texts().contains { $0.contains("revision 2 is damaged") })
    }

    @Test func aPointerThatIsNoneIsRefused() throws {
        let first = try publish("one")
        try server.with { try bring($0, revisionDirectory, first) }
        server.with { $0.set("/aasa/web/channels/stable", Array("{}".utf8)) }
        let run = try run()
        try turn(run, host()) { status.refusal != nil }
        #expect(run.serving == first && status.refusal?.revision.number == 0)
        #expect(status.target == nil && !status.isChannelMissing)
    }

    @Test func aChannelThatDoesNotExistIsSaid() throws {
        let first = try publish("one")
        try server.with { try bring($0, revisionDirectory, first) }
        let run = try run(channel: "stabel")
        try turn(run, host()) { status.isChannelMissing }
        #expect(run.serving == first && status.target == nil)
        #expect(seen.texts().contains { $0.contains("no channel stabel of web, still serving 1") })
        #expect(run.whyNothing.problem.remedy.contains("--channel stabel"))
    }

    // MARK: Damage on the disk

    private func damaged() throws -> (first: RevisionID, second: RevisionID) {
        let first = try publish("one")
        try server.with { try bring($0, revisionDirectory, first) }
        let second = try publish("two")
        try server.with { try bring($0, revisionDirectory, second) }
        try folder.write("fleet/revisions/\(second.folderName)/site/a/x", "tw")
        return (first, second)
    }

    /// Said at the start and in the machine's record, and mended when the store answers.
    @Test func whatIsDamagedIsSaidAndFetchedAnew() throws {
        let (first, second) = try damaged()
        server.override { _ in FakeEtcdServer.failure(503, code: 14, "no leader") }
        let run = try run()
        let host = host()
        run.tellStart(host)
        #expect(run.serving == first && status.damage?.revision == 2)
        expectEqual(
            seen.texts(),
            [
                "fleet: revision 2 is damaged on this machine's disk (site/a/x: 2 bytes "
                    + "instead of 3); serving revision 1 instead"
            ])
        run.turn(host, until: .now())
        #expect(status.damage != nil && status.trouble != nil)
        server.override(nil)
        let again = try self.run()
        try turn(again, host) { again.serving == second }
        #expect(try status.damage == nil && text(revisionDirectory) == "two")
        try turn(again, host) { try written()?.revision == second }
        #expect(try written()?.damage == nil)
    }

    @Test func theFleetIsToldOfDamageThatStays() throws {
        let (first, _) = try damaged()
        // The store's copy is damaged as well: it stays.
        server.with { etcd in
            for key in etcd.keys.keys where key.contains("/blobs/") { etcd.remove(key) }
        }
        let run = try run()
        try turn(run, host()) { try written()?.refused != nil }
        let record = try #require(try written())
        #expect(record.revision == first && record.damage?.revision == 2)
    }

    /// The channel went back to what is served: nothing is wanted that is damaged.
    @Test func damageIsOverWhereNobodyWantsIt() throws {
        let (first, _) = try damaged()
        point(to: first, .rollback)
        let run = try run()
        expectEqual(status.damage?.revision, 2)
        try turn(run, host()) { status.damage == nil }
        expectEqual(run.serving, first)
        try expectEqual(revisionDirectory.best(), .init(serving: first))
    }

    // MARK: Lease and end

    @Test func whoMayNotWriteItsRecordFollowsAndSaysSo() throws {
        let id = try publish("one")
        server.override { request in
            request.path.hasPrefix("/v3/lease") ? FakeEtcdServer.failure(403, code: 7, "no") : nil
        }
        let run = try run()
        try turn(run, host()) { status.trouble != nil && run.serving != nil }
        #expect(run.serving == id && status.trouble == "etcd denies this user the request: no")
    }

    @Test func aLeaseThatIsGoneIsGrantedAnew() throws {
        _ = try publish("one")
        server.override { request in
            // A grant without a time to live is none.
            request.path == "/v3/lease/grant"
                ? .http(
                    "200 OK", ["Connection: close"],
                    #"{"header":{"revision":"1"},"ID":"7","TTL":"0"}"#) : nil
        }
        let run = try run()
        let host = host()
        try turn(run, host) { server.questions.count { $0.path == "/v3/lease/grant" } >= 2 }
        #expect(try written() == nil)
        server.override(nil)
        try turn(run, host) { try written() != nil }
    }

    @Test func whoeverIsToldToEndGivesItsLeaseBack() throws {
        _ = try publish("one")
        let run = try run()
        let host = host()
        try turn(run, host) { try written() != nil }
        stop.signal()
        run.follow(host)
        // It is in the socket by now; the server's thread may read it later.
        #expect(eventually { server.questions.last?.path == "/v3/lease/revoke" })
        #expect(seen.texts().contains("fleet: starting with revision 1"))
    }

    @Test func aProcessThatDrainsFollowsNoMore() throws {
        _ = try publish("one")
        let run = try run()
        run.follow(host(draining: { true }))
        #expect(server.questions.isEmpty && run.serving == nil)
    }
}
