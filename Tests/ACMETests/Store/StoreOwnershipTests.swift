// Covers: FolderStore.swift

import Glibc
import Reactor
import TestSupport
import Testing

@testable import ACME

/// With `--user`, all is prepared while the server is still root.
@Suite struct StoreOwnershipTests {
    private let folder: TemporaryFolder
    private let nobody = Files.Owner(user: 65534, group: 65534)

    init() throws { folder = try TemporaryFolder() }

    private func owner(_ path: String) -> uid_t? {
        var status = stat()
        return lstat(folder.path(path), &status) == 0 ? status.st_uid : nil
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `All of the store is the server's, and nothing else`() throws {
        let store = FolderStore(path: folder.path("certs"))
        // Of a start without --user, by root.
        try store.prepare()
        expectEqual(owner("certs"), 0)
        let account = StoreKey.account("https://ca.test/directory").path
        try folder.write("certs/.acme/\(account)", Array("{}".utf8))
        try folder.write("certs/.acme/issued/a.test/1/privkey.pem", [1])
        // It is written last: a version without it was never finished, and is swept away.
        try folder.write("certs/.acme/issued/a.test/1/issued.json", Array("{}".utf8))
        try folder.write("secret", [1])
        symlink("../../secret", folder.path("certs/.acme/limits/link"))
        link(folder.path("secret"), folder.path("certs/.acme/limits/second"))
        try store.prepare(for: nobody)
        for place in [
            "certs/.acme", "certs/.acme/accounts", "certs/.acme/\(account)",
            "certs/.acme/issued/a.test/1", "certs/.acme/issued/a.test/1/privkey.pem",
        ] {
            expectEqual(owner(place), 65534, "\(place)")
        }
        expectEqual(owner("secret"), 0)
        // It was there before, and stays whose it was.
        expectEqual(owner("certs"), 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `A folder of certificates that is made now is the server's`() throws {
        try FolderStore(path: folder.path("new/certs")).prepare(for: nobody)
        expectEqual(owner("new/certs"), 65534)
        expectEqual(owner("new/certs/.acme/issued"), 65534)
    }

    @Test func `A linked store is given to nobody`() throws {
        try folder.write("theirs/file", [1])
        try folder.write("certs/file", [1])
        symlink("../theirs", folder.path("certs/.acme"))
        #expect(throws: Problem.self) {
            try FolderStore(path: folder.path("certs")).prepare(for: nobody)
        }
        expectEqual(owner("theirs"), geteuid())
    }
}
