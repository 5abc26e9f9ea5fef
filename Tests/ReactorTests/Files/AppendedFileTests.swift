import Foundation
import Glibc
import TestSupport
import Testing

@testable import Reactor

@Suite struct AppendedFileTests {
    @Test func addsToWhatIsThere() throws {
        let folder = try TemporaryFolder("appended")
        let path = folder.path("log")
        for line in ["one\n", "two\n"] {
            let file = try AppendedFile.open(path)
            AppendedFile.write(Array(line.utf8), to: file)
            FileDescriptor.close(file)
        }
        try expectEqual(String(contentsOfFile: path, encoding: .utf8), "one\ntwo\n")
    }

    /// The user that a server becomes opens it at an upgrade.
    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func itIsGivenAwayUnlessItMayBeAnothers() throws {
        let folder = try TemporaryFolder("appended")
        let owner = Files.Owner(user: 65_534, group: 65_534)
        func open(_ name: String) throws -> Files.Owner? {
            FileDescriptor.close(try AppendedFile.open(folder.path(name), owner: owner))
            return Files.owner(of: folder.path(name))
        }
        for _ in 0..<2 { try expectEqual(open("log"), owner) }
        for name in ["target", "hard"] { try folder.write(name, "") }
        expectEqual(symlink("target", folder.path("link")), 0)
        try expectEqual(open("link")?.user, 0)
        expectEqual(link(folder.path("hard"), folder.path("second")), 0)
        try expectEqual(open("second")?.user, 0)
        FileDescriptor.close(try AppendedFile.open("/dev/null", owner: owner))
        expectEqual(Files.owner(of: "/dev/null")?.user, 0)
    }

    @Test func saysWhyItCannotBeMade() throws {
        let folder = try TemporaryFolder("appended")
        #expect(throws: FileError.self) { try AppendedFile.open(folder.path("gone/log")) }
    }
}
