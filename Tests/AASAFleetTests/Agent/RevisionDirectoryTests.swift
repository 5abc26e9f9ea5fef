// Covers: RevisionDamage.swift

import Foundation
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct RevisionDirectoryTests: ShelfSuite {
    private let etcd = FakeEtcd()
    private let folder: TemporaryFolder
    private let revisionDirectory: RevisionDirectory

    init() throws {
        folder = try TemporaryFolder("shelf")
        revisionDirectory = RevisionDirectory(path: folder.path("fleet"), holdsSecrets: false)
    }

    private func path(_ id: RevisionID, _ name: String) -> String {
        "\(revisionDirectory.folder(of: id))/\(name)"
    }

    private func spoil(_ path: String, _ how: String) throws {
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        try FileManager.default.removeItem(atPath: path)
        switch how {
        case "flipped":
            try Data(bytes.dropLast() + [bytes[bytes.count - 1] ^ 1]).write(
                to: URL(fileURLWithPath: path))
        case "cut": try bytes.dropLast(1).write(to: URL(fileURLWithPath: path))
        // No user can read a folder as a file; root reads everything else.
        case "unreadable":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        default: break
        }
    }

    /// The disk lost or changed a file of what is wanted, and etcd may be away: the one before is
    /// served, what is wanted and what is wrong are said, at every start until it is whole.
    @Test(
        arguments: ["site/a/x", "record.json", "list-0.json"],
        ["flipped", "cut", "unreadable", "gone"])
    func aDamagedRevisionIsSaidAndTheOneBeforeServed(_ name: String, _ how: String) throws {
        try expectEqual(revisionDirectory.best(), .init())
        let first = try serve("one", etcd, revisionDirectory)
        let second = try serve("two", etcd, revisionDirectory)
        try expectEqual(revisionDirectory.best(), .init(serving: second))
        try spoil(path(second, name), how)
        for _ in 0..<2 {
            let start = try revisionDirectory.best()
            #expect(start.serving == first && start.damage?.revision == 2)
            expectEqual(start.damage?.reason.hasPrefix(name), true, "\(start)")
            try expectEqual(text(revisionDirectory), "one")
        }
        // It is fetched anew, and nothing is said any more.
        #expect(!revisionDirectory.has(second))
        try bring(etcd, revisionDirectory, second)
        try expectEqual(revisionDirectory.best(), .init(serving: second))
        try expectEqual(text(revisionDirectory), "two")
    }

    @Test func aFolderThatIsGoneIsSaid() throws {
        let first = try serve("one", etcd, revisionDirectory)
        let second = try serve("two", etcd, revisionDirectory)
        try FileManager.default.removeItem(atPath: revisionDirectory.folder(of: second))
        let start = try revisionDirectory.best()
        expectEqual(start.serving, first)
        expectEqual(start.damage, .init(revision: 2, reason: "its folder is missing"))
    }

    /// 2 was rolled back; 3 is damaged: 1 was good, however much newer 2 is.
    @Test func whatWasRolledBackIsNotChosenOverWhatWasServed() throws {
        let first = try serve("one", etcd, revisionDirectory)
        let second = try serve("two", etcd, revisionDirectory)
        try revisionDirectory.swap(to: first)
        revisionDirectory.tidy(serving: first, after: second)
        #expect(!revisionDirectory.has(second))
        let third = try serve("three", etcd, revisionDirectory)
        try spoil(path(third, "site/a/x"), "cut")
        try expectEqual(revisionDirectory.best().serving, first)
    }

    /// The channel moved on to what stood in: it is wanted now, and nothing is damaged.
    @Test func whatStandsInCanBecomeWhatIsWanted() throws {
        let first = try serve("one", etcd, revisionDirectory)
        let second = try serve("two", etcd, revisionDirectory)
        try spoil(path(second, "site/a/x"), "gone")
        #expect(try revisionDirectory.best().damage != nil)
        revisionDirectory.tidy(serving: first, after: nil)
        try expectEqual(revisionDirectory.best(), .init(serving: first))
    }

    /// Without the link, or with one that was moved by hand.
    @Test func theLinkIsMadeAnewAndItsWordCounts() throws {
        let first = try serve("one", etcd, revisionDirectory)
        let second = try serve("two", etcd, revisionDirectory)
        try FileManager.default.removeItem(atPath: revisionDirectory.currentLink)
        try expectEqual(revisionDirectory.best(), .init(serving: second))
        try expectEqual(text(revisionDirectory), "two")
        try FileManager.default.removeItem(atPath: revisionDirectory.currentLink)
        try FileManager.default.createSymbolicLink(
            atPath: revisionDirectory.currentLink,
            withDestinationPath: "revisions/\(first.folderName)")
        try expectEqual(revisionDirectory.best(), .init(serving: first))
    }

    @Test func ofTheOthersTheOlderOneIsChosen() throws {
        let first = try serve("one", etcd, revisionDirectory)
        let second = try serve("two", etcd, revisionDirectory)
        let third = try serve("three", etcd, revisionDirectory)
        try revisionDirectory.swap(to: second)
        try spoil(path(second, "site/a/x"), "cut")
        try expectEqual(revisionDirectory.best().serving, first)
        // A newer one is better than nothing.
        try revisionDirectory.swap(to: second)
        try spoil(path(first, "site/a/x"), "cut")
        let start = try revisionDirectory.best()
        #expect(start.serving == third && start.damage?.revision == 2)
    }

    @Test func withNothingWholeTheDamageIsSaid() throws {
        let first = try serve("one", etcd, revisionDirectory)
        try spoil(path(first, "site/a/x"), "cut")
        let start = try revisionDirectory.best()
        #expect(start.serving == nil)
        expectEqual(
            start.damage, .init(revision: 1, reason: "site/a/x: 2 bytes instead of 3"))
    }

    /// What was decrypted on its way has no hash in the store: the shelf keeps one.
    @Test func aDamagedKeyIsFound() throws {
        let ring = try KeyRing.fresh()
        let revisionDirectory = RevisionDirectory(path: folder.path("secret"), holdsSecrets: true)
        let id = try publish(etcd, [file("certs/a/privkey.pem", "key")], keyRing: ring)
        try bring(etcd, revisionDirectory, id, keyRing: ring)
        #expect(revisionDirectory.has(id))
        let key = "\(revisionDirectory.folder(of: id))/certs/a/privkey.pem"
        try spoil(key, "flipped")
        #expect(!revisionDirectory.has(id))
        try expectEqual(
            revisionDirectory.best().damage?.reason,
            "certs/a/privkey.pem: its bytes were changed")
    }

    @Test func oldRevisionsAreTidiedAway() throws {
        var ids: [RevisionID] = []
        for index in 0..<6 { ids.append(try serve("\(index)", etcd, revisionDirectory)) }
        revisionDirectory.tidy(serving: ids[5], after: ids[3])
        // 4 was never served.
        #expect(
            revisionDirectory.has(ids[5]) && revisionDirectory.has(ids[3])
                && revisionDirectory.has(ids[2]))
        let left = try FileManager.default.contentsOfDirectory(
            atPath: folder.path("fleet/revisions"))
        expectEqual(left.count, RevisionDirectory.keptMaximum)
    }

    /// A process that checks the site, or replaces another one, leaves alone what that one fetches.
    @Test func whatAnInterruptedFetchLeftIsRemoved() throws {
        try revisionDirectory.prepare()
        // Above Linux's largest process identifier (proc(5), pid_max).
        let own = ProcessInfo.processInfo.processIdentifier
        for process in [own, 1 << 22 + 1, getppid()] {
            try folder.write("fleet/revisions/.new-\(process)-2-ab/site/a/x", "half")
        }
        try folder.write("fleet/revisions/.other", "x")
        try revisionDirectory.prepare()
        let left = try FileManager.default.contentsOfDirectory(
            atPath: folder.path("fleet/revisions"))
        expectEqual(left, [".new-\(getppid())-2-ab"])
    }
}
