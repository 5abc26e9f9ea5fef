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
        #expect(try watchCount(watcher) == 1)
        let poller = try Poller()
        try poller.add(watcher.descriptor, .read, token: 1)
        let quiet = watcher.drain()
        #expect(!quiet)
        try folder.write("file", "x")
        #expect(try poller.wait(timeout: .seconds(30)) == 1)
        let changed = watcher.drain()
        #expect(changed)
        // An atomic replacement is seen as well, again and again.
        for _ in 0..<2 {
            try folder.write("new", "y")
            rename(folder.path("new"), folder.path("file"))
            #expect(try poller.wait(timeout: .seconds(30)) == 1)
            let changed = watcher.drain()
            #expect(changed)
        }
        try watcher.watch([])
        #expect(try watchCount(watcher) == 0)
    }

    /// Each is the only sign of something that a reload has to see.
    @Test func `Every kind of change is told, and reading is none`() throws {
        let file = try folder.write("file", "x")
        let away = try folder.makeFolder("away")
        var watcher = try FileWatcher()
        try watcher.watch([folder.path])
        #expect(try folder.read("file") == [0x78])
        #expect(watcher.drain() == false)
        // Who has not closed the file yet may write more.
        var writing = FileDescriptor(owning: open(file, O_WRONLY | O_CLOEXEC))
        #expect(write(writing.raw, "y", 1) == 1)
        #expect(watcher.drain() == false)
        writing.close()
        #expect(watcher.drain() == true)
        #expect(chmod(file, 0o640) == 0)
        #expect(watcher.drain() == true)
        #expect(rename(file, away + "/moved") == 0)
        #expect(watcher.drain() == true)
        #expect(rename(away + "/moved", file) == 0)
        #expect(watcher.drain() == true)
        #expect(unlink(file) == 0)
        #expect(watcher.drain() == true)
        #expect(symlink("nowhere", folder.path("link")) == 0)
        #expect(watcher.drain() == true)
    }

    @Test func `All that has changed is told at once`() throws {
        var watcher = try FileWatcher()
        try watcher.watch([folder.path])
        for name in ["a", "b", "c"] { try folder.write(name, "x") }
        #expect(watcher.drain() == true)
        #expect(watcher.drain() == false)
    }

    @Test func `A folder that moves away or goes is told`() throws {
        let one = try folder.makeFolder("one")
        let two = try folder.makeFolder("two")
        var watcher = try FileWatcher()
        try watcher.watch([one, two])
        #expect(rename(one, folder.path("three")) == 0)
        #expect(watcher.drain() == true)
        #expect(rmdir(two) == 0)
        #expect(watcher.drain() == true)
    }

    @Test func `A folder that was made anew is watched anew`() throws {
        let path = try folder.makeFolder("site")
        var watcher = try FileWatcher()
        try watcher.watch([path])
        #expect(rmdir(path) == 0)
        try watcher.watch([path])
        #expect(try watchCount(watcher) == 0)
        try folder.makeFolder("site")
        try watcher.watch([path])
        #expect(try watchCount(watcher) == 1)
        _ = watcher.drain()
        try folder.write("site/a", "x")
        #expect(watcher.drain() == true)
    }

    @Test func `What is no longer asked for is no longer told`() throws {
        let one = try folder.makeFolder("one")
        let two = try folder.makeFolder("two")
        var watcher = try FileWatcher()
        try watcher.watch([one, two])
        try watcher.watch([two])
        #expect(try watchCount(watcher) == 1)
        #expect(watcher.drain() == false, "the end of a watch is no change")
        try folder.write("one/a", "x")
        #expect(watcher.drain() == false)
        try folder.write("two/a", "x")
        #expect(watcher.drain() == true)
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
            #expect(symlink(target, folder.path("next")) == 0)
            #expect(rename(folder.path("next"), path) == 0)
            try watcher.watch([path])
            #expect(try watchCount(watcher) == 1)
        }
        #expect(watcher.drain() == false, "the end of a watch is no change")
        try folder.write("one/a", "x")
        #expect(watcher.drain() == false)
        try folder.write("two/a", "x")
        #expect(watcher.drain() == true)
    }

    @Test func `A folder with two paths is watched until both are gone`() throws {
        let one = try folder.makeFolder("one")
        let other = folder.path("other")
        #expect(symlink("one", other) == 0)
        var watcher = try FileWatcher()
        try watcher.watch([one, other])
        #expect(try watchCount(watcher) == 1)
        // Only one of its paths leads elsewhere.
        try folder.makeFolder("two")
        #expect(unlink(other) == 0)
        #expect(symlink("two", other) == 0)
        try watcher.watch([one, other])
        #expect(try watchCount(watcher) == 2)
        try folder.write("one/a", "x")
        #expect(watcher.drain() == true)
        try watcher.watch([other])
        #expect(try watchCount(watcher) == 1)
    }

    @Test func `A file is left out as a missing folder is`() throws {
        let file = try folder.write("file", "x")
        var watcher = try FileWatcher()
        try watcher.watch([file, file + "/below", folder.path("missing")])
        #expect(try watchCount(watcher) == 0)
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
                #expect(
                    error
                        == SystemError(
                            call: "inotify_add_watch", number: ENOSPC, subject: folder.path))
            }
            #expect(try watchCount(watcher) == 0)
        }
    #endif
}
