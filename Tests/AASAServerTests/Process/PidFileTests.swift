import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct PidFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("pid") }

    init() throws { folder = try TemporaryFolder("pid") }

    private func text() throws -> String { String(decoding: try folder.read("pid"), as: UTF8.self) }

    @Test func twoServersCannotShareIt() throws {
        let first = try PidFile(path: path, process: 4711) { _ in false }
        try first.write()
        try expectEqual(text(), "4711\n")
        #expect(PidFile.isHeld(path))
        let failure = #expect(throws: Problem.self) {
            try PidFile(path: path, process: 4712) { _ in false }
        }
        expectEqual(failure?.cause.contains("process 4711"), true)
        try expectEqual(text(), "4711\n")
    }

    /// It answers no command any more, and still holds the file for a moment.
    @Test func whoIsAboutToBeGoneIsWaitedFor() throws {
        var first: PidFile? = try PidFile(path: path, process: 4711) { _ in false }
        #expect(first != nil)
        var asked = 0
        let second = try PidFile(path: path, process: 4712) { _ in
            asked += 1
            if asked == 3 { first = nil }
            return nil
        }
        expectEqual(asked, 3)
        try second.write()
        try expectEqual(text(), "4712\n")
    }

    @Test func aSuccessorTakesItOverAndKeepsIt() throws {
        let first = try PidFile(path: path, process: 4711) { _ in false }
        try first.write()
        let second = try PidFile(path: path, process: 4712) { $0 == 4711 }
        try second.write()
        try expectEqual(text(), "4712\n")
        first.remove()
        try expectEqual(text(), "4712\n")
        #expect(PidFile.isHeld(path))
        #expect(throws: Problem.self) {
            try PidFile(path: path, process: 4713) { _ in false }
        }
        second.remove()
        #expect(access(path, F_OK) != 0)
    }

    /// As where `--user` gave root up and the folder is root's: the file itself is written.
    @Test func aSuccessorThatMayNotReplaceTheFileGetsItsLockWhenThePredecessorEnds() throws {
        for process in [4711, 4712] { try folder.makeFolder("pid.\(process).new") }
        var first: PidFile? = try PidFile(path: path, process: 4711) { _ in false }
        try first?.write()
        let second = try PidFile(path: path, process: 4712) { $0 == 4711 }
        try second.write()
        try expectEqual(text(), "4712\n")
        #expect(PidFile.isHeld(path))
        first?.remove()
        first = nil
        // A thread waits for the lock.
        #expect(eventually { PidFile.isHeld(path) })
        let failure = #expect(throws: Problem.self) {
            try PidFile(path: path, process: 4713) { _ in false }
        }
        expectEqual(failure?.cause.contains("process 4712"), true)
        second.remove()
        #expect(access(path, F_OK) != 0)
    }

    @Test(
        arguments: [
            ("4711\n", 4711), ("", nil), ("x", nil), ("0", nil), ("1", nil), ("-5", nil),
            ("12x", nil),
        ] as [(String, ProcessID?)])
    func nonsenseIsNoProcess(_ text: String, _ process: ProcessID?) throws {
        try folder.write("pid", text)
        expectEqual(PidFile.process(in: path), process)
    }

    @Test func aLeftoverIsTakenOver() throws {
        try folder.write("pid", "99\n")
        #expect(!PidFile.isHeld(path))
        let file = try PidFile(path: path, process: 4711) { _ in false }
        try file.write()
        try expectEqual(text(), "4711\n")
    }

    @Test func aMissingFolderIsNamed() throws {
        let failure = #expect(throws: Problem.self) {
            try PidFile(path: folder.path("no/pid"), process: 1) { _ in false }
        }
        expectEqual(failure?.remedy.contains("create the folder \(folder.path("no")) first"), true)
    }
}
