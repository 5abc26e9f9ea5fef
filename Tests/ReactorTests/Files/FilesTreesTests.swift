// Covers: Files+Trees.swift

import Foundation
import TestSupport
import Testing

@testable import Reactor

@Suite struct FilesTreesTests {
    @Test func newFilesAreNewAndHaveTheirMode() throws {
        let folder = try TemporaryFolder("trees")
        let path = folder.path("a")
        try Files.create(path, with: [1, 2], mode: 0o640)
        try expectEqual(folder.read("a"), [1, 2])
        expectEqual(Files.status(path).map { $0.mode & 0o777 }, 0o640)
        #expect(throws: FileError.self) { try Files.create(path, with: [3], mode: 0o600) }
        try expectEqual(folder.read("a"), [1, 2])
        try Files.syncFileSystem(of: folder.path)
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func aNewFileIsItsOwnersFromTheFirstByte() throws {
        let folder = try TemporaryFolder("trees")
        let owner = Files.Owner(user: 65_534, group: 65_533)
        try Files.create(folder.path("a"), with: [1], owner: owner)
        expectEqual(Files.owner(of: folder.path("a")), owner)
    }

    @Test func aLinkIsReplacedInOneStep() throws {
        let folder = try TemporaryFolder("trees")
        try folder.write("one/x", "1")
        try folder.write("two/x", "2")
        let link = folder.path("current")
        #expect(Files.linkTarget(link) == nil)
        try Files.replaceLink(link, to: "one")
        expectEqual(Files.linkTarget(link), "one")
        try Files.replaceLink(link, to: "two")
        try expectEqual(folder.read("current/x"), Array("2".utf8))
        try expectEqual(folder.read("one/x"), Array("1".utf8))
    }

    @Test func whatCannotBeForcedToDiskIsAnError() throws {
        let folder = try TemporaryFolder("trees")
        FaultInjection.arm(.fsync, number: EIO)
        defer { FaultInjection.disarm() }
        try Files.create(folder.path("a"), with: [1])
        #expect(FaultInjection.isPending(.fsync), "it is left to syncFileSystem")
        expectEqual((Files.status(folder.path("a"))?.mode ?? 0) & 0o177, 0)
        let error = #expect(throws: FileError.self) { try Files.syncFileSystem(of: folder.path) }
        expectEqual(error?.reason, .system(EIO))
    }

    @Test func aFolderIsReadWhole() throws {
        let folder = try TemporaryFolder("trees")
        try folder.write("a", "1")
        try folder.write("b/c/d", "2")
        try folder.write("b/large", "3456")
        expectEqual(symlink("nowhere", folder.path("b/link")), 0)
        let found = Files.contents(of: folder.path, limit: 3)
        expectEqual(found, ["a": Array("1".utf8), "b/c/d": Array("2".utf8)])
        expectEqual(Files.contents(of: folder.path, limit: 3, depth: 1).count, 1)
        #expect(Files.contents(of: folder.path("none"), limit: 3).isEmpty)
    }
}
