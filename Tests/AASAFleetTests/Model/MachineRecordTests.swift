import AppSiteAssociation
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct MachineRecordTests {
    private func id(_ number: Int64) -> RevisionID {
        RevisionID(number: number, hash: String(repeating: "a", count: 64))
    }

    private func full() -> MachineRecord {
        var record = MachineRecord(machine: "m1", version: "1.2", channel: "stable")
        record.revision = id(41)
        record.since = 5
        record.refused = .init(revision: id(42), reason: "site/a/x: \"no\"")
        record.damage = RevisionDamage(revision: 43, reason: "site/a/y: it is gone")
        record.health.level = "attention"
        record.health.reason = "why"
        record.health.answered = 120
        record.health.unavailable = 3
        record.health.certificateEnd = 1_900_000_000
        record.time = 7
        return record
    }

    @Test func aRecordComesBackAsItWasWritten() throws {
        let record = full()
        try expectEqual(MachineRecord(decoding: record.encoded, place: ""), record)
        let empty = MachineRecord(machine: "m2", version: "1", channel: "stable")
        try expectEqual(MachineRecord(decoding: empty.encoded, place: ""), empty)
        #expect(empty.refused == nil && empty.damage == nil && empty.revision == nil)
    }

    /// A line for people, and not a place to fill the store with.
    @Test func reasonsAreCut() throws {
        var record = full()
        record.refused?.reason = String(repeating: "r", count: 600)
        record.damage?.reason = String(repeating: "d", count: 600)
        let read = try MachineRecord(decoding: record.encoded, place: "")
        expectEqual(read.refused?.reason, String(repeating: "r", count: 500))
        expectEqual(read.damage?.reason, String(repeating: "d", count: 500))
    }

    /// Machines of a fleet are not all of one release.
    @Test func aRecordOfAnOlderReleaseHasNoDamage() throws {
        let text = String(decoding: full().encoded, as: UTF8.self)
        let old = text.replacing(#/"damaged":\{[^}]*\},/#, with: "")
        #expect(old != text)
        let read = try MachineRecord(decoding: Array(old.utf8), place: "")
        #expect(read.damage == nil && read.refused?.revision == id(42))
    }

    @Test(arguments: [
        "machine", "version", "channel", "since", "health", "answeredPerSecond",
        "unavailablePerSecond", "time",
    ])
    func whatIsMissingIsNamed(_ field: String) {
        let text = String(decoding: full().encoded, as: UTF8.self)
            .replacing("\"\(field)\":", with: "\"other\":")
        do {
            _ = try MachineRecord(decoding: Array(text.utf8), place: "machines/m1")
            Issue.record("taken without \(field)")
        } catch {
            expectEqual(error.problem.place, "machines/m1")
            #expect(error.problem.cause.contains("\"\(field)\""))
        }
    }
}
