import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct StateKeeperTests {
    private let folder: TemporaryFolder
    private let inventory: ServedInventory
    private var path: String { folder.path("state") }

    init() throws {
        folder = try TemporaryFolder("keeper")
        var record = StateRecord(.inventory, "served")
        record.add("items", "the document of a.example\nthe host a.example")
        inventory = try #require(ServedInventory(record))
    }

    private func record(_ name: String, _ text: String = "{}") -> StateRecord {
        var record = StateRecord(.host, name)
        record.add("document.json", text)
        return record
    }

    @Test func whatIsKeptIsReadByTheNextProcess() {
        let first = StateKeeper(path: path)
        #expect(first.keep([record("a.example"), record("b.example")], serving: inventory) == nil)
        #expect(first.problem == nil)
        first.yield()
        let next = StateKeeper(path: path).read()
        #expect(next.records.map(\.name) == ["a.example", "b.example"] && next.problems.isEmpty)
    }

    @Test func withoutAFolderEverythingIsInMemory() {
        let keeper = StateKeeper(path: nil)
        #expect(keeper.keep([record("a.example")], serving: inventory) == nil)
        #expect(keeper.write() == nil && keeper.problem == nil)
        #expect(keeper.read().records.isEmpty && keeper.read().problems.isEmpty)
        #expect(StateArchive.decode(keeper.archive).records.first == record("a.example"))
    }

    /// With it a successor knows whether it would serve less.
    @Test func aSuccessorGetsTheRecordsAndWhatIsServed() {
        let keeper = StateKeeper(path: nil)
        #expect(keeper.archive.isEmpty)
        _ = keeper.keep([record("a.example", "{\"old\":1}")], serving: inventory)
        _ = keeper.keep([record("a.example", "{\"new\":1}")], serving: inventory)
        let handed = StateArchive.decode(keeper.archive)
        #expect(handed.problems.isEmpty)
        #expect(handed.records.map(\.kind) == [.host, .inventory])
        #expect(handed.records.first?.text("document.json") == "{\"new\":1}")
        #expect(handed.records.last.flatMap { ServedInventory($0) } == inventory)
        keeper.yield()
        #expect(!keeper.archive.isEmpty, "the folder is the successor's, the memory is not")
    }

    @Test func whoHasYieldedWritesNothing() {
        let keeper = StateKeeper(path: path)
        keeper.yield()
        #expect(keeper.keep([record("a.example")], serving: inventory) == nil)
        #expect(keeper.problem == nil)
        #expect(!Files.exists(path))
    }

    /// A predecessor that drains holds it for moments; one that never gives it up is a mistake.
    @Test func aFolderThatIsBusyIsAnAlarmOnlyIfItStaysSo() {
        let first = StateKeeper(path: path)
        #expect(first.keep([record("a.example")], serving: inventory) == nil)
        let second = StateKeeper(path: path)
        for attempt in 1...StateKeeper.busyAttemptsMaximum {
            #expect(
                second.keep([record("b.example")], serving: inventory)?.isBusy == true,
                "whoever writes tries again")
            let isAlarm = attempt >= StateKeeper.busyAttemptsMaximum
            #expect((second.problem != nil) == isAlarm, "\(attempt)")
        }
        first.yield()
        #expect(second.write() == nil && second.problem == nil)
        // The next wait is counted from its beginning.
        second.yield()
        let third = StateKeeper(path: path)
        #expect(third.write() == nil)
        let fourth = StateKeeper(path: path)
        #expect(fourth.write()?.isBusy == true && fourth.problem == nil)
    }

    /// Who is started beside a server that drains would else serve less than that one.
    @Test func aFolderThatIsBusyIsReadAndNotWritten() {
        let first = StateKeeper(path: path)
        #expect(first.keep([record("a.example"), record("b.example")], serving: inventory) == nil)
        let second = StateKeeper(path: path)
        let found = second.read()
        #expect(found.records.map(\.name) == ["a.example", "b.example"])
        #expect(found.problems.map(\.isBusy) == [true])
        #expect(second.keep([record("a.example", "{\"new\":1}")], serving: inventory) != nil)
        #expect(first.check() == nil, "all is there as it was written")
        // Of what the other one has kept nothing is removed.
        first.yield()
        #expect(second.write() == nil)
        second.yield()
        let next = StateKeeper(path: path).read()
        #expect(next.records.map { $0.text("document.json") } == ["{\"new\":1}", "{}"])
    }

    /// It may be the only copy of a key, for this process and for its successor.
    @Test func whatCannotBeUsedStaysInTheFolderAndIsHandedOn() throws {
        var pair = StateRecord(.certificates, "a.example")
        pair.add("key.name", "privkey.pem")
        pair.add("key", "the only copy")
        var certificate = StateRecord(.certificates, "a.example")
        certificate.add(pair: pair)
        let first = StateKeeper(path: path)
        #expect(first.keep([record("a.example"), certificate], serving: inventory) == nil)
        first.yield()
        let second = StateKeeper(path: path)
        let kept = try #require(second.read().records.last)
        second.spare(kept)
        for _ in 1...2 { #expect(second.keep([record("a.example")], serving: inventory) == nil) }
        #expect(StateArchive.decode(second.archive).records.contains(certificate))
        second.yield()
        #expect(StateKeeper(path: path).read().records.last == certificate)
    }

    @Test func whatCannotBeUsedIsSaidAtOnce() throws {
        let file = try folder.write("file", "no folder")
        let keeper = StateKeeper(path: file)
        #expect(keeper.read().problems.count == 1)
        #expect(keeper.problem?.place == file)
        #expect(keeper.keep([record("a.example")], serving: inventory) != nil)
        #expect(keeper.problem?.isBusy == false)
    }
}
