import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct FolderDraftTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("draft") }

    @Test func nobodyFindsItBeforeAllOfItIsThere() throws {
        try folder.write(".new/left", "by a process that was killed")
        let draft = try FolderDraft(folder.path(".new"), owner: nil)
        try draft.write([1], to: "a/b/c")
        try draft.write([2], to: "a/d", mode: 0o644)
        #expect(!Files.exists(folder.path("target")))
        try folder.write("target/damaged", "x")
        try draft.finish(as: folder.path("target"))
        expectEqual(
            Files.contents(of: folder.path("target"), limit: 9), ["a/b/c": [1], "a/d": [2]])
        expectEqual(Files.status(folder.path("target/a/b"))?.mode, 0o40700)
        expectEqual(Files.status(folder.path("target/a/b/c"))?.mode, 0o100600)
        expectEqual(Files.status(folder.path("target/a/d"))?.mode, 0o100644)
        #expect(!Files.exists(draft.path))
    }

    @Test func whatIsOnDiskAlreadyIsTakenOver() throws {
        try folder.write("old/a", "as before")
        let draft = try FolderDraft(folder.path(".new"), owner: nil)
        #expect(draft.link(folder.path("old/a"), to: "b/c"))
        #expect(!draft.link(folder.path("old/none"), to: "b/d"))
        #expect(!draft.link(folder.path("old/a"), to: "b/c"))
        expectEqual(Files.status(draft.path + "/b/c"), Files.status(folder.path("old/a")))
    }

    @Test func whatIsDiscardedIsGone() throws {
        let draft = try FolderDraft(folder.path(".new"), owner: nil)
        try draft.write([1], to: "a/b")
        draft.discard()
        #expect(!Files.exists(draft.path))
    }

    /// It would be taken for whole without what was removed.
    @Test func whatIsRemovedMeanwhileIsNotBegunAgain() throws {
        let draft = try FolderDraft(folder.path(".new"), owner: nil)
        try draft.write([1], to: "a/b")
        try folder.write("old", "x")
        Files.removeTree(draft.path)
        #expect(throws: FileError.self) { try draft.write([1], to: "a/c") }
        #expect(!draft.link(folder.path("old"), to: "a/d"))
        #expect(throws: FileError.self) { try draft.finish(as: folder.path("target")) }
        #expect(!Files.exists(folder.path("target")))
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func allOfItIsItsOwners() throws {
        let owner = Files.Owner(user: 65_534, group: 65_533)
        let draft = try FolderDraft(folder.path(".new"), owner: owner)
        try draft.write([1], to: "a/b")
        for place in ["", "/a", "/a/b"] { expectEqual(Files.owner(of: draft.path + place), owner) }
    }

    @Test func aNameThatIsTakenIsAnError() throws {
        let draft = try FolderDraft(folder.path(".new"), owner: nil)
        try draft.write([1], to: "a")
        #expect(throws: FileError.self) { try draft.write([1], to: "a") }
        #expect(throws: FileError.self) { try draft.write([1], to: "a/b") }
    }
}
