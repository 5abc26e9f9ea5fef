import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct StateKeeperTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("state") }

    init() throws { folder = try TemporaryFolder("keeper") }

    private func tree(_ names: String..., text: String = "{}") -> KeptTree {
        var kept = KeptHost()
        kept.files["apple-app-site-association"] = Array(text.utf8)
        var tree = KeptTree()
        for name in names { tree.add(kept, of: name) }
        return tree
    }

    @Test func whatIsKeptIsReadByTheNextProcess() {
        let first = StateKeeper(path: path)
        #expect(first.keep(tree("a.example", "b.example")) == nil)
        #expect(first.problem == nil)
        first.yield()
        let next = StateKeeper(path: path).read()
        #expect(next.tree == tree("a.example", "b.example") && next.problems.isEmpty)
    }

    @Test func withoutAFolderEverythingIsInMemory() {
        let keeper = StateKeeper(path: nil)
        #expect(keeper.keep(tree("a.example")) == nil)
        #expect(keeper.write() == nil && keeper.problem == nil)
        #expect(keeper.read().tree == KeptTree() && keeper.read().problems.isEmpty)
        expectEqual(KeptArchive.decode(keeper.archive), tree("a.example"))
    }

    @Test func aSuccessorGetsWhatIsKept() throws {
        let keeper = StateKeeper(path: nil)
        _ = keeper.keep(tree("a.example", text: "old"))
        _ = keeper.keep(tree("a.example", text: "new"))
        let handed = try #require(KeptArchive.decode(keeper.archive))
        expectEqual(handed, tree("a.example", text: "new"))
        keeper.yield()
        expectEqual(
            KeptArchive.decode(keeper.archive), handed,
            "the folder is the successor's, the memory is not")
    }

    @Test func whoHasYieldedWritesNothing() {
        let keeper = StateKeeper(path: path)
        keeper.yield()
        #expect(keeper.keep(tree("a.example")) == nil)
        #expect(keeper.problem == nil)
        #expect(!Files.exists(path))
    }

    /// A predecessor that drains holds it for moments; one that never gives it up is a mistake.
    @Test func aFolderThatIsBusyIsAnAlarmOnlyIfItStaysSo() {
        let first = StateKeeper(path: path)
        #expect(first.keep(tree("a.example")) == nil)
        let second = StateKeeper(path: path)
        for attempt in 1...StateKeeper.busyAttemptsMaximum {
            expectEqual(
                second.keep(tree("b.example"))?.isBusy, true,
                "whoever writes tries again")
            let isAlarm = attempt >= StateKeeper.busyAttemptsMaximum
            expectEqual((second.problem != nil), isAlarm, "\(attempt)")
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
        #expect(first.keep(tree("a.example", "b.example")) == nil)
        let second = StateKeeper(path: path)
        let found = second.read()
        expectEqual(found.tree, tree("a.example", "b.example"))
        expectEqual(found.problems.map(\.isBusy), [true])
        #expect(second.keep(tree("a.example", text: "{\"new\":1}")) != nil)
        #expect(first.write() == nil)
        expectEqual(StateFolder.read(path).tree, found.tree, "all is there as it was written")
        // Of what the other one has kept nothing is removed.
        first.yield()
        #expect(second.write() == nil)
        var other = tree("b.example")
        let both = tree("a.example", text: "{\"new\":1}").adding(&other)
        expectEqual(StateFolder.read(path).tree, both)
    }

    @Test func whatCannotBeUsedIsSaidAtOnce() throws {
        let file = try folder.write("file", "no folder")
        let keeper = StateKeeper(path: file)
        expectEqual(keeper.read().problems.count, 1)
        expectEqual(keeper.problem?.place, file)
        #expect(keeper.keep(tree("a.example")) != nil)
        expectEqual(keeper.problem?.isBusy, false)
    }
}
