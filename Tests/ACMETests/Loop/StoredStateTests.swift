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
            (.ledger(directory), "[[["),
        ]
        for (key, text) in torn { try put(key, text) }
        var state = StoredState(store: store)
        var told: [String] = []
        let known = try state.read(directories: [directory]) { told.append($0) }
        #expect(known.accounts.isEmpty && known.records.isEmpty && known.ledgers.isEmpty)
        #expect(told.count == 3)
        for (key, text) in torn {
            #expect(try store.read(key)?.bytes == Array(text.utf8), "left where it is")
            try state.write(key, [1])
            #expect(try store.read(key)?.bytes == [1])
            #expect(try store.read(.unreadable(key.path))?.bytes == Array(text.utf8))
        }
    }

    /// As a former version wrote it, with the names of each set.
    @Test func `A ledger that has grown above a MiB is read, and written small`() throws {
        let sets = (0..<700).map { order in
            let names = (0..<100).map { "name\($0).host\(order).test" }.joined(separator: ",")
            return "\"\(names)\":[1800000000]"
        }
        let text = "{\"duplicate\":{\(sets.joined(separator: ","))}}"
        #expect(text.utf8.count > 1 << 20)
        try put(.ledger(directory), text)
        var state = StoredState(store: store)
        let known = try state.read(directories: [directory]) { Issue.record("\($0)") }
        let ledger = try #require(known.ledgers[directory])
        #expect(ledger.json["duplicate"]?.members?.count == 700)
        try state.write(.ledger(directory), JSONWriter.minified(ledger.json))
        #expect(try #require(try store.read(.ledger(directory))).bytes.count < 100_000)
    }

    @Test func `A ledger that is too large to be read is kept aside, and counts from zero`() throws
    {
        let text = String(repeating: " ", count: 5 << 20)
        try put(.ledger(directory), text)
        var state = StoredState(store: store)
        var told: [String] = []
        let known = try state.read(directories: [directory]) { told.append($0) }
        #expect(known.ledgers.isEmpty && told.count == 1)
        try state.write(.ledger(directory), [1])
        let copy = try store.read(.unreadable(StoreKey.ledger(directory).path))
        #expect(copy?.bytes.count == text.utf8.count)
    }

    @Test func `Whoever wrote in between is not written over, and is known the next time`() throws {
        var state = StoredState(store: store)
        _ = try state.read(directories: [directory]) { _ in }
        try put(.account(directory), "theirs")
        #expect(throws: Problem.self) { try state.write(.account(directory), [1]) }
        #expect(try store.read(.account(directory))?.bytes == Array("theirs".utf8))
        try state.write(.account(directory), [2])
        #expect(try store.read(.account(directory))?.bytes == [2])
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
        #expect(access(folder.path("certs/.aasa-99-2.tmp"), F_OK) == 0)
        #expect(try StoreFiles.names(in: folder.path("certs/.acme/issued/a.test")) == ["2-1-bb"])
    }
}
