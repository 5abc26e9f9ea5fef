import Glibc
import TestSupport
import Testing

@testable import Reactor

/// A remedy has to be true of what stands there.
@Suite struct FileErrorWritingTests {
    @Test func theRemedyFitsWhatStandsThere() throws {
        let folder = try TemporaryFolder("remedy")
        try folder.write("file", "x")
        try folder.makeFolder("there")
        func remedy(_ name: String, _ number: Int32) -> String {
            FileError("writing", folder.path(name), .system(number)).remedyForWriting()
        }
        expectEqual(
            remedy("new/deep/x", ENOENT),
            "create the folder \(folder.path("new/deep")) first, or name another file")
        expectEqual(
            remedy("file/deep/x", ENOTDIR),
            "\(folder.path("file")) is not a folder: name another file")
        expectEqual(remedy("there", EISDIR), "this is a folder: name a file in it")
        expectEqual(
            remedy("there/x", EACCES),
            "let user \(geteuid()) write to \(folder.path("there")), or name another file")
        expectEqual(remedy("there/x", ENOSPC), "make room on the disk, or name another file")
        #expect(remedy("there/x", EROFS).contains("mounted read-only"))
        // The folder is there, and it is none in which files are made (/proc).
        expectEqual(remedy("there/x", ENOENT), "name another file")
        expectEqual(symlink("none/x", folder.path("there/link")), 0)
        expectEqual(
            remedy("there/link", ENOENT),
            "create the folder that the link points to, or name another file")
        #expect(
            FileError("writing", folder.path("there/x"), .system(EACCES)).remedyForReading
                .hasPrefix("let user \(geteuid()) read \(folder.path("there/x")): chgrp"))
        #expect(
            FileError("making the folder", "/no/where", .system(ENOENT))
                .remedyForWriting(or: "take --state").hasSuffix("first, or take --state"))
    }

    /// `mkdir` reports "No such file or directory" for a missing folder below such a mount.
    @Test func belowAReadOnlyMountNoFolderCanBeMade() throws {
        let bytes = try Files.read("/proc/mounts", limit: 1 << 20)
        var places: [String] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count > 3 else { continue }
            if words[3].split(separator: ",").contains("ro") { places.append(words[1]) }
        }
        guard let mount = places.first(where: { Files.isFolder($0) }) else {
            print("SKIPPED: nothing is mounted read-only here")
            return
        }
        let error = FileError("making the folder", mount + "/none/state", .system(ENOENT))
        expectEqual(
            error.remedyForWriting(),
            "\(mount) is mounted read-only: mount it writable, or name another file")
        #expect(Files.isMountedReadOnly(mount) && !Files.isMountedReadOnly("/no/where"))
        let folder = try TemporaryFolder("writable")
        #expect(!Files.isMountedReadOnly(folder.path))
    }

    @Test func aLookBeforeLongWorkTellsWhatWritingWould() throws {
        let folder = try TemporaryFolder("check")
        try folder.write("file", "x")
        try folder.makeFolder("there")
        try Files.checkReplaceable(folder.path("file"))
        try Files.checkReplaceable(folder.path("there/new"))
        #expect(throws: FileError("writing", folder.path("there"), .notRegular)) {
            try Files.checkReplaceable(folder.path("there"))
        }
        #expect(throws: FileError.self) { try Files.checkReplaceable(folder.path("none/x")) }
        try expectEqual(Files.names(in: folder.path, limit: 9).sorted(), ["file", "there"])
        #expect(try Files.names(in: folder.path("there"), limit: 9).isEmpty)
        try expectEqual(folder.read("file"), [0x78])
    }

    @Test func readingIsNoWriting() {
        #expect(!FileError("reading the folder", "/x", .notRegular).isOfWriting)
        #expect(FileError("making the folder", "/x", .notRegular).isOfWriting)
    }
}
