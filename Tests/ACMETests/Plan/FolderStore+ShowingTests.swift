import Reactor
import TestSupport
import Testing

@testable import ACME

@Suite struct FolderStoreShowingTests {
    private let folder: TemporaryFolder
    private let store: FolderStore
    private let answers = [
        ChallengeAnswer(kind: .http01, name: "a.test", token: "t", keyAuthorization: "t.k")
    ]

    init() throws {
        folder = try TemporaryFolder("showing")
        store = FolderStore(path: folder.path("certs"))
    }

    private func holder() throws -> String {
        String(decoding: try folder.read("certs/.acme/lease.json"), as: UTF8.self)
    }

    @Test func `Servers on the store answer while it is looked, and no longer`() throws {
        try store.prepare()
        let other = FolderStore(path: folder.path("certs"))
        let seen = try store.showing(answers) {
            (try? StoredState.challenges(in: other), try? holder())
        }
        expectEqual(seen.0, answers)
        // Nobody orders meanwhile: his challenges would be replaced.
        expectEqual(seen.1?.contains("holder"), true)
        try expectEqual(StoredState.challenges(in: other), [])
        #expect(try !holder().contains("holder"))
    }

    @Test func `Without a server there is nothing to show it`() {
        let problem = #expect(throws: Problem.self) { try store.showing(answers) {} }
        expectEqual(problem?.cause, "no server keeps certificates there")
        expectEqual(problem?.remedy.contains("--acme"), true)
    }

    @Test func `Who orders now is not disturbed`() throws {
        try store.prepare()
        let place = "another-boot pid:[1]"
        try StoreFiles.replace(
            folder.path("certs/.acme/lease.json"),
            with: Array(#"{"holder":"\#(place) 1 1","beat":1}"#.utf8))
        var isShown = false
        let problem = #expect(throws: Problem.self) {
            try store.showing(answers) { isShown = true }
        }
        expectEqual(problem?.cause.contains("another process is ordering now"), true)
        #expect(!isShown)
        try expectEqual(StoredState.challenges(in: store), [])
    }
}
