// Covers: Files+Reading.swift, Files+Writing.swift
// Covers: Files+Locking.swift

import Foundation
import TestSupport
import Testing

@testable import Reactor

@Suite struct FilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("files") }

    private func text(_ path: String) throws -> String {
        String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self)
    }

    // MARK: - Reading

    @Test func readsUpToItsLimitAndNoFurther() throws {
        let path = try folder.write("a", String(repeating: "x", count: 100))
        try expectEqual(Files.read(path, limit: 100).count, 100)
        #expect(throws: FileError("reading", path, .tooLarge(size: 100, limit: 99))) {
            try Files.read(path, limit: 99)
        }
        // Files of /proc say that they have no bytes.
        try expectEqual(text("/proc/self/statm").split(separator: " ").count, 7)
        #expect(throws: FileError.self) { try Files.read("/proc/self/maps", limit: 10) }
    }

    @Test func waitsForNoFIFOAndReadsNoFolder() throws {
        let path = folder.path("fifo")
        expectEqual(mkfifo(path, 0o600), 0)
        #expect(throws: FileError("reading", path, .notRegular)) {
            try Files.read(path, limit: 10)
        }
        #expect(throws: FileError("reading", folder.path, .notRegular)) {
            try Files.read(folder.path, limit: 10)
        }
        #expect(throws: FileError("reading", folder.path, .system(EISDIR))) {
            try Files.readInput(folder.path, limit: 10)
        }
        let missing = folder.path("missing")
        let error = #expect(throws: FileError.self) { try Files.read(missing, limit: 10) }
        expectEqual(error?.isMissing, true)
        expectEqual(error?.description, "reading \(missing): No such file or directory")
    }

    /// A pipe by name, as `<(command)` is one: its writer may come late, write slowly, or leave.
    @Test(arguments: ["late", "slow", "nothing"]) func readsAFIFOToItsEnd(how: String) throws {
        let path = folder.path("pipe")
        expectEqual(mkfifo(path, 0o600), 0)
        let writer = Thread {
            if how == "late" { usleep(100_000) }
            let file = fopen(path, "w")
            if how == "slow" { usleep(100_000) }
            if how != "nothing" {
                fputs("one", file)
                fflush(file)
                usleep(50_000)
                fputs("two", file)
            }
            fclose(file)
        }
        writer.start()
        let text = String(decoding: try Files.readInput(path, limit: 10), as: UTF8.self)
        expectEqual(text, (how == "nothing" ? "" : "onetwo"))
    }

    @Test(arguments: [FaultInjection.Call.open, .read]) func saysWhatTheKernelSaid(
        call: FaultInjection.Call
    ) throws {
        let path = try folder.write("a", "x")
        FaultInjection.arm(call, number: EIO)
        defer { FaultInjection.disarm() }
        #expect(throws: FileError("reading", path, .system(EIO))) {
            try Files.read(path, limit: 10)
        }
    }

    @Test func listsByBytesWithinALimit() throws {
        for name in ["b", "B", "ä", ".a"] { try folder.write(name, "") }
        expectEqual(symlink("nowhere", folder.path("c")), 0)
        try expectEqual(Files.names(in: folder.path, limit: 5), [".a", "B", "b", "c", "ä"])
        let entries = try Files.entries(of: folder.path, limit: 4) { !$0.hasPrefix(".") }
        expectEqual(entries.map(\.kind), [.file, .file, nil, .file])
        #expect(
            throws: FileError("reading the folder", folder.path, .tooManyEntries(limit: 4))
        ) { try Files.names(in: folder.path, limit: 4) }
    }

    /// A disk that fails in the middle of a folder: the rest of its files are not gone.
    @Test func aListThatBreaksOffIsNoList() throws {
        for name in ["a", "b", "c"] { try folder.write(name, "") }
        FaultInjection.arm(.readdir, after: 3, number: EIO)
        defer { FaultInjection.disarm() }
        #expect(throws: FileError("reading the folder", folder.path, .system(EIO))) {
            try Files.names(in: folder.path, limit: 9)
        }
        try expectEqual(Files.names(in: folder.path, limit: 9), ["a", "b", "c"])
    }

    @Test func saysWhyAFolderCannotBeEntered() throws {
        try folder.makeFolder("there")
        try Files.checkFolder(folder.path("there"))
        try folder.write("file", "")
        expectEqual(symlink("loop", folder.path("loop")), 0)
        for (name, number) in [("file", ENOTDIR), ("loop", ELOOP), ("none", ENOENT)] {
            let path = folder.path(name)
            #expect(throws: FileError("reading the folder", path, .system(number))) {
                try Files.checkFolder(path)
            }
            expectEqual(Files.hasEntry(path), (name != "none"))
        }
    }

    @Test func looksAtAnEntryItself() throws {
        let path = try folder.write("file", "12")
        expectEqual(symlink("file", folder.path("link")), 0)
        let file = try #require(try Files.entryStatus(path))
        #expect(file.kind == .file && !file.isLink && file.size == 2)
        expectEqual(file.owner, Files.Owner(user: geteuid(), group: getegid()))
        let link = try #require(try Files.entryStatus(folder.path("link")))
        #expect(link.kind == .other && link.isLink)
        expectEqual(Files.status(folder.path("link"))?.isLink, false)
        #expect(try Files.entryStatus(folder.path("none")) == nil)
        #expect(throws: FileError("reading", path + "/below", .system(ENOTDIR))) {
            try Files.entryStatus(path + "/below")
        }
    }

    @Test func saysWhatThisUserMayDoWithAFolder() throws {
        try Files.checkListable(folder.path)
        try Files.checkWritableFolder(folder.path)
        let none = folder.path("none")
        #expect(throws: FileError("reading the folder", none, .system(ENOENT))) {
            try Files.checkListable(none)
        }
        #expect(throws: FileError("writing there", none, .system(ENOENT))) {
            try Files.checkWritableFolder(none)
        }
        // Nobody makes entries there, not even root.
        #expect(throws: FileError.self) { try Files.checkWritableFolder("/proc/self/cmdline") }
    }

    // MARK: - Replacing

    /// Whatever call fails, the old file is whole and nothing is left beside it.
    @Test(arguments: [FaultInjection.Call.open, .write, .fsync, .rename])
    func aFailureLeavesTheOldFile(call: FaultInjection.Call) throws {
        let path = try folder.write("a", "old")
        FaultInjection.arm(call, number: ENOSPC)
        let error = #expect(throws: FileError.self) {
            try Files.replace(path, with: Array("new".utf8))
        }
        #expect(!FaultInjection.isPending(call), "the call was made")
        FaultInjection.disarm()
        expectEqual(error?.isOutOfSpace, true)
        try expectEqual(text(path), "old")
        try expectEqual(Files.names(in: folder.path, limit: 10), ["a"])
    }

    /// A key without its certificate is worse than the old pair.
    @Test(arguments: [FaultInjection.Call.open, .write, .fsync])
    func filesThatBelongTogetherAreReplacedTogether(call: FaultInjection.Call) throws {
        let paths = try ["a", "b"].map { try folder.write($0, "old") }
        let new = paths.map { Files.Replacement(path: $0, bytes: Array("new".utf8)) }
        FaultInjection.arm(call, after: 2, number: ENOSPC)
        let error = #expect(throws: FileError.self) { try Files.replace(new) }
        #expect(!FaultInjection.isPending(call), "the call was made")
        FaultInjection.disarm()
        expectEqual(error?.isOutOfSpace, true)
        for path in paths { try expectEqual(text(path), "old") }
        try expectEqual(Files.names(in: folder.path, limit: 10), ["a", "b"])
        try Files.replace(new)
        for path in paths { try expectEqual(text(path), "new") }
    }

    @Test func keepsModeAndLinkOrSetsWhatIsAsked() throws {
        let path = try folder.write("a", "old")
        expectEqual(chmod(path, 0o604), 0)
        expectEqual(symlink("a", folder.path("link")), 0)
        try Files.replace(folder.path("link"), with: Array("new".utf8))
        try expectEqual(text(path), "new")
        expectEqual(Files.status(path)?.mode, UInt32(S_IFREG) | 0o604)
        try expectEqual(
            FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")), "a")
        try Files.replace(path, with: Array("secret".utf8), mode: 0o600)
        expectEqual(Files.status(path)?.mode, UInt32(S_IFREG) | 0o600)
        try expectEqual(text(path), "secret")
    }

    @Test func removesATreeAndFollowsNoLink() throws {
        let kept = folder.path("kept")
        try Files.makeFolder(kept)
        try Files.replace(kept + "/a", with: [1])
        let tree = try Files.makeTemporaryFolder(folder.path("tree-"))
        expectEqual(Files.status(tree)?.mode, UInt32(S_IFDIR) | 0o700)
        try Files.makeFolder(tree + "/x/y")
        try Files.replace(tree + "/x/y/a", with: [1])
        try FileManager.default.createSymbolicLink(
            atPath: tree + "/x/link", withDestinationPath: kept)
        Files.removeTree(tree)
        #expect(!Files.exists(tree))
        #expect(Files.exists(kept + "/a"))
    }

    @Test func aNewFolderIsToldFromOneThatWasThere() throws {
        #expect(try Files.makeNewFolder(folder.path("new"), mode: 0o755))
        #expect(try !Files.makeNewFolder(folder.path("new"), mode: 0o755))
        #expect(throws: FileError.self) {
            try Files.makeNewFolder(folder.path("gone/new"), mode: 0o755)
        }
        Files.removeEmptyFolder(folder.path("new"))
        #expect(!Files.exists(folder.path("new")))
    }

    @Test func removingAFileThatIsNotThereIsFine() throws {
        try Files.removeFile(folder.path("gone"))
        try Files.makeFolder(folder.path("folder"))
        #expect(throws: FileError.self) { try Files.removeFile(folder.path("folder")) }
    }

    @Test func takesNothingAwayThatIsNoFile() throws {
        let path = folder.path("fifo")
        expectEqual(mkfifo(path, 0o600), 0)
        #expect(throws: FileError("writing", path, .notRegular)) {
            try Files.replace(path, with: [1])
        }
        expectEqual(Files.status(path)?.kind, .other)
        #expect(throws: FileError("writing", "/dev/null", .notRegular)) {
            try Files.replace("/dev/null", with: [1])
        }
    }

    @Test func makesFoldersAbove() throws {
        let path = folder.path("a/b/c")
        try Files.makeFolder(path)
        try Files.makeFolder(path)
        #expect(Files.isFolder(path))
        let file = try folder.write("file", "")
        #expect(throws: FileError.self) { try Files.makeFolder(file) }
        #expect(throws: FileError.self) { try Files.makeFolder(file + "/below") }
    }

    /// Eight writers add one each, a hundred times; without the lock some would be lost.
    @Test func theLockLetsOneInAtATime() async throws {
        let path = try folder.write("count", "0")
        let root = folder.path
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 {
                        try? Files.locked(root) {
                            let bytes = try Files.read(path, limit: 100)
                            let count = Int(String(decoding: bytes, as: UTF8.self)) ?? 0
                            try Files.replace(path, with: Array("\(count + 1)".utf8))
                        }
                    }
                }
            }
        }
        try expectEqual(text(path), "800")
    }

    @Test func theLockIsNotWaitedForWithoutEnd() throws {
        try Files.locked(folder.path) {
            let error = #expect(throws: FileError.self) {
                try Files.locked(folder.path, patience: .milliseconds(30)) {}
            }
            expectEqual(error?.isBusy, true)
        }
        try Files.locked(folder.path, patience: .zero) {}
    }

    @Test func knowsItself() {
        expectEqual(CurrentProcess.id, getpid())
        expectEqual(CurrentProcess.user, geteuid())
        expectEqual(CurrentProcess.group, getegid())
        #expect(abs(WallClock.seconds - Int64(Date().timeIntervalSince1970)) < 60)
    }
}
