import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct FilesWayTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("way")
        try folder.write("releases/one/site/file", "x")
    }

    @Test(arguments: ["releases/one/site", "releases/one/site/file", "releases//one/./site/"])
    func `A whole way leads to its last folder`(path: String) {
        let way = Files.way(to: folder.path + "/" + path)
        #expect(way.isWhole && way.closedFolder == nil && way.foldersOfLinks.isEmpty)
        expectEqual(way.folder, folder.path("releases/one/site"))
    }

    @Test func `What is missing is to appear in the deepest folder that is there`() throws {
        let way = Files.way(to: folder.path("releases/two/site"))
        #expect(!way.isWhole)
        expectEqual(way.folder, folder.path("releases"))
        // A file is not a folder.
        let through = Files.way(to: folder.path("releases/one/site/file/below"))
        #expect(!through.isWhole && through.folder == folder.path("releases/one/site"))
        #expect(!Files.way(to: "aasa-no-such-folder/x").isWhole)
        expectEqual(Files.way(to: "aasa-no-such-folder/x").folder, ".")
        #expect(Files.way(to: "/").isWhole && Files.way(to: "/").folder == "/")
    }

    @Test func `Links are followed, into one another, and no further than the kernel does`() throws
    {
        expectEqual(symlink("stable", folder.path("current")), 0)
        expectEqual(symlink(folder.path("releases/two"), folder.path("stable")), 0)
        let dangling = Files.way(to: folder.path("current/site"))
        #expect(!dangling.isWhole)
        expectEqual(dangling.folder, folder.path("releases"))
        expectEqual(dangling.foldersOfLinks, [folder.path])
        expectEqual(rename(folder.path("releases/one"), folder.path("releases/two")), 0)
        let whole = Files.way(to: folder.path("current/site/file"))
        #expect(whole.isWhole && whole.folder == folder.path("releases/two/site"))
        expectEqual(symlink("circle", folder.path("circle")), 0)
        #expect(!Files.way(to: folder.path("circle")).isWhole)
    }

    @Test func `A path leads into a folder by its links, before it exists as well`() throws {
        expectEqual(symlink("releases/one", folder.path("current")), 0)
        let site = folder.path("current/site")
        for inner in ["releases/one/site", "current/site/", "current/site/a/new", "current/site/a"]
        {
            #expect(Files.leads(folder.path(inner), into: site), "\(inner)")
        }
        for outer in ["releases/one", "current/site2", "current", "none/site"] {
            #expect(!Files.leads(folder.path(outer), into: site), "\(outer)")
        }
        #expect(Files.leads("/none/at/all", into: "/none/at") && Files.leads("/none", into: "/"))
        #expect(Files.leads("none/x", into: ".") && !Files.leads("none", into: "none/x"))
    }

    /// In a process of its own, as nothing is closed to root.
    @Test func `The folder that is closed is named, and so are the remedies`() async {
        let closed = folder.path("releases/one")
        #expect(chmod(folder.path, 0o755) == 0 && chmod(closed, 0o600) == 0)
        defer { chmod(closed, 0o700) }
        expectEqual(symlink("releases/one/site/file", folder.path("link")), 0)
        await #expect(processExitsWith: .success) {
            [link = folder.path("link") as String, closed = closed as String] in
            guard geteuid() != 0 || setuid(65_534) == 0 else { exit(2) }
            let way = Files.way(to: link)
            guard way.closedFolder == closed, !way.isWhole else { exit(3) }
            guard Files.way(to: closed).closedFolder == closed else { exit(4) }
            let error = FileError("writing", link, .system(EACCES))
            let start = "let user \(geteuid()) enter \(closed)"
            guard error.remedyForReading.hasPrefix("\(start): chgrp") else { exit(5) }
            exit(error.remedyForWriting(or: "x") == "\(start), or x" ? 0 : 6)
        }
    }
}
