// Covers: Files+Ownership.swift

import Glibc
import Reactor
import TestSupport
import Testing

@Suite struct FilesOwnershipTests {
    private let folder: TemporaryFolder
    private let own = Files.Owner(user: CurrentProcess.user, group: CurrentProcess.group)
    private let nobody = Files.Owner(user: 65534, group: 65534)

    init() throws { folder = try TemporaryFolder("owners") }

    private func owner(_ name: String) -> UserID? {
        (try? Files.entryStatus(folder.path(name)))?.owner.user
    }

    @Test func `To oneself everybody may give`() throws {
        let path = try folder.write("a", "1")
        expectEqual(Files.owner(of: path), own)
        #expect(Files.owner(of: folder.path("no")) == nil)
        try Files.give(path, to: own)
        #expect(throws: FileError("giving away", folder.path("no"), .system(ENOENT))) {
            try Files.give(folder.path("no"), to: own)
        }
        try folder.makeFolder("tree/below")
        try Files.give(folder.path("tree"), to: own)
        try Files.giveTree(folder.path("tree"), to: own, depth: 1, limit: 9, action: "giving")
    }

    @Test func `Permissions are set as they are said`() throws {
        let path = try folder.write("a", "1")
        try Files.setMode(path, 0o604)
        expectEqual((Files.status(path)?.mode ?? 0) & 0o777, 0o604)
        #expect(throws: FileError.self) { try Files.setMode(folder.path("no"), 0o604) }
    }

    @Test func `Neither a link nor a file is a tree to give`() throws {
        try folder.makeFolder("real")
        expectEqual(symlink("real", folder.path("link")), 0)
        try folder.write("file", "1")
        for (name, number) in [("link", ENOTDIR), ("file", ENOTDIR), ("no", ENOENT)] {
            let path = folder.path(name)
            #expect(throws: FileError("opening", path, .system(number))) {
                try Files.giveTree(path, to: own, depth: 1, limit: 9, action: "giving")
            }
        }
    }

    @Test func `A folder of more entries than allowed is an error`() throws {
        for name in ["a", "b", "c"] { try folder.write("tree/\(name)", "") }
        let path = folder.path("tree")
        #expect(throws: FileError("reading the folder", path, .tooManyEntries(limit: 2))) {
            try Files.giveTree(path, to: own, depth: 1, limit: 2, action: "giving")
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func `A link is given and not followed`() throws {
        let path = try folder.write("a", "1")
        expectEqual(symlink("a", folder.path("link")), 0)
        try Files.give(folder.path("link"), to: nobody)
        expectEqual(Files.owner(of: path), own)
        expectEqual(owner("link"), nobody.user)
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func `A tree is given as deep as asked, and no second name with it`() throws {
        try folder.write("tree/a", "1")
        try folder.write("tree/one/b", "1")
        try folder.write("tree/one/two/c", "1")
        try folder.write("secret", "1")
        expectEqual(link(folder.path("secret"), folder.path("tree/second")), 0)
        expectEqual(symlink("../secret", folder.path("tree/link")), 0)
        try Files.giveTree(
            folder.path("tree"), to: nobody, depth: 2, limit: 9, action: "giving")
        for name in ["tree", "tree/a", "tree/link", "tree/one", "tree/one/b", "tree/one/two"] {
            expectEqual(owner(name), nobody.user, "\(name)")
        }
        for name in ["tree/one/two/c", "tree/second", "secret"] {
            expectEqual(owner(name), own.user, "\(name)")
        }
    }
}
