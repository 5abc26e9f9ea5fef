import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct FileWatcherTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("watch") }

    @Test func directoriesAreWatched() throws {
        var watcher = try FileWatcher()
        try watcher.watch([folder.path, folder.path("missing")])
        try expectEqual(watchCount(watcher), 1)
        let poller = try Poller()
        try poller.add(watcher.descriptor, .read, token: 1)
        let quiet = watcher.drain()
        #expect(!quiet)
        try folder.write("file", "x")
        try expectEqual(poller.wait(timeout: .seconds(30)), 1)
        let changed = watcher.drain()
        #expect(changed)
        // An atomic replacement is seen as well, again and again.
        for _ in 0..<2 {
            try folder.write("new", "y")
            rename(folder.path("new"), folder.path("file"))
            try expectEqual(poller.wait(timeout: .seconds(30)), 1)
            let changed = watcher.drain()
            #expect(changed)
        }
        try watcher.watch([])
        try expectEqual(watchCount(watcher), 0)
    }

    /// Each is the only sign of something that a reload has to see.
    @Test func `Every kind of change is told, and reading is none`() throws {
        let file = try folder.write("file", "x")
        let away = try folder.makeFolder("away")
        var watcher = try FileWatcher()
        try watcher.watch([folder.path])
        try expectEqual(folder.read("file"), [0x78])
        expectEqual(watcher.drain(), false)
        // Who has not closed the file yet may write more.
        var writing = FileDescriptor(owning: open(file, O_WRONLY | O_CLOEXEC))
        expectEqual(write(writing.raw, "y", 1), 1)
        expectEqual(watcher.drain(), false)
        writing.close()
        expectEqual(watcher.drain(), true)
        expectEqual(chmod(file, 0o640), 0)
        expectEqual(watcher.drain(), true)
        expectEqual(rename(file, away + "/moved"), 0)
        expectEqual(watcher.drain(), true)
        expectEqual(rename(away + "/moved", file), 0)
        expectEqual(watcher.drain(), true)
        expectEqual(unlink(file), 0)
        expectEqual(watcher.drain(), true)
        expectEqual(symlink("nowhere", folder.path("link")), 0)
        expectEqual(watcher.drain(), true)
    }

    @Test func `All that has changed is told at once`() throws {
        var watcher = try FileWatcher()
        try watcher.watch([folder.path])
        for name in ["a", "b", "c"] { try folder.write(name, "x") }
        expectEqual(watcher.drain(), true)
        expectEqual(watcher.drain(), false)
    }

    @Test func `A folder that moves away or goes is told`() throws {
        let one = try folder.makeFolder("one")
        let two = try folder.makeFolder("two")
        var watcher = try FileWatcher()
        try watcher.watch([one, two])
        expectEqual(rename(one, folder.path("three")), 0)
        expectEqual(watcher.drain(), true)
        expectEqual(rmdir(two), 0)
        expectEqual(watcher.drain(), true)
    }

    @Test func `A folder that was made anew is watched anew`() throws {
        let path = try folder.makeFolder("site")
        var watcher = try FileWatcher()
        try watcher.watch([path])
        expectEqual(rmdir(path), 0)
        try watcher.watch([path])
        try expectEqual(watchCount(watcher), 0)
        try folder.makeFolder("site")
        try watcher.watch([path])
        try expectEqual(watchCount(watcher), 1)
        _ = watcher.drain()
        try folder.write("site/a", "x")
        expectEqual(watcher.drain(), true)
    }

    @Test func `What is no longer asked for is no longer told`() throws {
        let one = try folder.makeFolder("one")
        let two = try folder.makeFolder("two")
        var watcher = try FileWatcher()
        try watcher.watch([one, two])
        try watcher.watch([two])
        try expectEqual(watchCount(watcher), 1)
        expectEqual(watcher.drain(), false, "the end of a watch is no change")
        try folder.write("one/a", "x")
        expectEqual(watcher.drain(), false)
        try folder.write("two/a", "x")
        expectEqual(watcher.drain(), true)
    }

    /// As the kernel counts them, against its limit.
    private func watchCount(_ watcher: borrowing FileWatcher) throws -> Int {
        let place = "/proc/self/fdinfo/\(watcher.descriptor)"
        let bytes = try Files.read(place, limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .count { $0.hasPrefix("inotify ") }
    }

    /// A release swaps a link, and the old release stays.
    @Test func `A path that leads elsewhere leaves no watch behind`() throws {
        for name in ["one", "two"] { try folder.makeFolder(name) }
        let path = folder.path("current")
        var watcher = try FileWatcher()
        for target in ["one", "two", "one", "two"] {
            expectEqual(symlink(target, folder.path("next")), 0)
            expectEqual(rename(folder.path("next"), path), 0)
            try watcher.watch([path])
            try expectEqual(watchCount(watcher), 1)
        }
        expectEqual(watcher.drain(), false, "the end of a watch is no change")
        try folder.write("one/a", "x")
        expectEqual(watcher.drain(), false)
        try folder.write("two/a", "x")
        expectEqual(watcher.drain(), true)
    }

    @Test func `A folder with two paths is watched until both are gone`() throws {
        let one = try folder.makeFolder("one")
        let other = folder.path("other")
        expectEqual(symlink("one", other), 0)
        var watcher = try FileWatcher()
        try watcher.watch([one, other])
        try expectEqual(watchCount(watcher), 1)
        // Only one of its paths leads elsewhere.
        try folder.makeFolder("two")
        expectEqual(unlink(other), 0)
        expectEqual(symlink("two", other), 0)
        try watcher.watch([one, other])
        try expectEqual(watchCount(watcher), 2)
        try folder.write("one/a", "x")
        expectEqual(watcher.drain(), true)
        try watcher.watch([other])
        try expectEqual(watchCount(watcher), 1)
    }

    @Test func `A file is left out as a missing folder is`() throws {
        let file = try folder.write("file", "x")
        var watcher = try FileWatcher()
        try watcher.watch([file, file + "/below", folder.path("missing")])
        try expectEqual(watchCount(watcher), 0)
    }

    #if FAULT_INJECTION
        @Test func `A limit that is reached is an error that names the folder`() throws {
            defer { FaultInjection.disarm() }
            FaultInjection.arm(.inotifyInit, number: EMFILE)
            #expect(throws: SystemError(call: "inotify_init1", number: EMFILE)) {
                _ = try FileWatcher().descriptor
            }
            var watcher = try FileWatcher()
            FaultInjection.arm(.inotifyAddWatch, number: ENOSPC)
            do throws(SystemError) {
                try watcher.watch([folder.path])
                Issue.record("watched")
            } catch {
                expectEqual(
                    error,
                    SystemError(
                        call: "inotify_add_watch", number: ENOSPC, subject: folder.path))
            }
            try expectEqual(watchCount(watcher), 0)
        }
    #endif
}
