import Glibc
import TestSupport
import Testing

@testable import AASAServer

@Suite struct FolderFingerprintTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("fingerprint")
        try folder.write("site/a.example/teams/A.json", "{}")
    }

    private var now: FolderFingerprint { FolderFingerprint(of: [folder.path("site")]) }

    @Test func nothingChangedMeansEqual() { expectEqual(now, now) }

    @Test func foldersAreListedForWatching() {
        expectEqual(
            now.folders,
            Set(["site", "site/a.example", "site/a.example/teams"].map(folder.path)))
    }

    @Test(arguments: ["content", "replacement", "addition", "removal", "link", "mode"])
    func everyChangeShows(kind: String) throws {
        let before = now
        let file = folder.path("site/a.example/teams/A.json")
        switch kind {
        case "content": try folder.write("site/a.example/teams/A.json", "{ }")
        case "replacement":
            // The same bytes and size by rename: another inode.
            try folder.write("new", "{}")
            expectEqual(rename(folder.path("new"), file), 0)
        case "addition": try folder.write("site/b.example/host.json", "{}")
        case "removal": expectEqual(unlink(file), 0)
        case "link": expectEqual(symlink("A.json", folder.path("site/a.example/teams/B.json")), 0)
        default: expectEqual(chmod(file, 0o600), 0)
        }
        #expect(now != before)
    }

    /// The advised remedy for a file that the server's user cannot read.
    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func anotherOwnerShows() {
        let file = folder.path("site/a.example/teams/A.json")
        for (user, group) in [(0, 65_533), (65_534, 65_533)] as [(uid_t, gid_t)] {
            let before = now
            expectEqual(chown(file, user, group), 0)
            #expect(now != before)
        }
    }

    @Test func aKubernetesSwapShows() throws {
        for version in ["..1", "..2"] {
            try folder.write("site/k.example/\(version)/apple-app-site-association", version)
        }
        let data = folder.path("site/k.example/..data")
        expectEqual(symlink("..1", data), 0)
        expectEqual(
            symlink(
                "..data/apple-app-site-association",
                folder.path("site/k.example/apple-app-site-association")), 0)
        let before = now
        // A file may also be changed in place.
        #expect(before.folders.contains(data))
        expectEqual(symlink("..2", data + "_tmp"), 0)
        expectEqual(rename(data + "_tmp", data), 0)
        #expect(now != before)
    }
}
