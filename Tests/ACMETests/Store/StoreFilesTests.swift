import Glibc
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import ACME

@Suite struct StoreFilesTests {
    private let folder: TemporaryFolder
    private let store: FolderStore
    private let authority: LocalAuthority
    private let now: Int64 = 1_800_000_000

    init() throws {
        folder = try TemporaryFolder()
        store = FolderStore(path: folder.path)
        try store.prepare()
        authority = try LocalAuthority.make(now: now)
    }

    @Test func `A disk that cannot be written says place, cause and remedy`() throws {
        let missing = FolderStore(path: "/proc/nothing")
        do {
            try missing.prepare()
            Issue.record("prepared")
        } catch {
            #expect(error.place.hasPrefix("/proc"))
            #expect(!error.remedy.isEmpty)
        }
    }
}
