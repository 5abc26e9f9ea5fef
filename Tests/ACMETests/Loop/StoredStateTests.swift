import AppSiteAssociation
import Glibc
import Reactor
import TestSupport
import Testing

@testable import ACME

@Suite struct StoredStateTests {
    private let folder: TemporaryFolder
    private let store: FolderStore
    private let directory = "https://ca.test/directory"

    init() throws {
        folder = try TemporaryFolder("stored-state")
        store = FolderStore(path: folder.path("certs"))
        try store.prepare()
    }

    private func put(_ key: StoreKey, _ text: String) throws {
        _ = try store.swap(key, to: Array(text.utf8), from: store.read(key)?.revision)
    }

    @Test func `What cannot be read is told, and kept aside before anything is written there`()
        throws
    {
        let id = LineageID(folder: "shop.test")
        let torn: [(StoreKey, String)] = [
            (.account(directory), #"{"key": "torn"#), (.record(id), #"{"isRSA": 1}"#),
        ]
        for (key, text) in torn { try put(key, text) }
        var state = StoredState(store: store)
        var told: [String] = []
        let known = try state.read(directories: [directory]) { told.append($0) }
        #expect(known.accounts.isEmpty && known.records.isEmpty)
        expectEqual(told.count, 2)
        for (key, text) in torn {
            try expectEqual(store.read(key)?.bytes, Array(text.utf8), "left where it is")
            try state.write(key, [1])
            try expectEqual(store.read(key)?.bytes, [1])
            try expectEqual(store.read(.unreadable(key.path))?.bytes, Array(text.utf8))
        }
    }

    @Test func `A record that is too large to be read is kept aside, and starts anew`() throws {
        let id = LineageID(folder: "shop.test")
        let text = String(repeating: " ", count: 5 << 20)
        try put(.record(id), text)
        var state = StoredState(store: store)
        var told: [String] = []
        let known = try state.read(directories: [directory]) { told.append($0) }
        #expect(known.records.isEmpty && told.count == 1)
        try state.write(.record(id), [1])
        let copy = try store.read(.unreadable(StoreKey.record(id).path))
        expectEqual(copy?.bytes.count, text.utf8.count)
    }

    @Test func `Whoever wrote in between is not written over, and is known the next time`() throws {
        var state = StoredState(store: store)
        _ = try state.read(directories: [directory]) { _ in }
        try put(.account(directory), "theirs")
        #expect(throws: Problem.self) { try state.write(.account(directory), [1]) }
        try expectEqual(store.read(.account(directory))?.bytes, Array("theirs".utf8))
        try state.write(.account(directory), [2])
        try expectEqual(store.read(.account(directory))?.bytes, [2])
    }

    @Test func `What a killed process left behind is swept away at the next start`() throws {
        let left = ["certs/.acme/accounts/.aasa-99-1.tmp", "certs/.aasa-99-link.tmp"]
        for path in left { try folder.write(path, [1]) }
        try folder.write("certs/.acme/issued/a.test/1-1-aa/fullchain.pem", [1])
        try folder.write("certs/.acme/issued/a.test/2-1-bb/fullchain.pem", [1])
        try folder.write("certs/.acme/issued/a.test/2-1-bb/issued.json", Array("{}".utf8))
        // Of another program, beside ours.
        try folder.write("certs/.aasa-99-2.tmp", [1])
        try store.prepare()
        for path in left { #expect(access(folder.path(path), F_OK) != 0, "\(path)") }
        expectEqual(access(folder.path("certs/.aasa-99-2.tmp"), F_OK), 0)
        try expectEqual(StoreFiles.names(in: folder.path("certs/.acme/issued/a.test")), ["2-1-bb"])
    }
}
