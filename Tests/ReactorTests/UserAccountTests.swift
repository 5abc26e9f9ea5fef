import Foundation
import Glibc
import Reactor
import TestSupport
import Testing

/// Becoming a user is for a whole process: Tests/EndToEndTests play it on the real binary.
@Suite struct UserAccountTests {
    @Test func `A user is found by name and by number, with its group`() throws {
        let entry = try #require(getpwuid(0)).pointee
        let name = String(cString: entry.pw_name)
        let root = try #require(UserAccount(name))
        #expect(root.user == 0 && root.group == entry.pw_gid && root.name == name)
        expectEqual(UserAccount("0"), root)
    }

    @Test func `A group of no name is a number`() throws {
        let entry = try #require(getgrgid(0)).pointee
        expectEqual(UserAccount.group(String(cString: entry.gr_name)), 0)
        expectEqual(UserAccount.group("4294967294"), 4_294_967_294)
    }

    @Test(arguments: ["", "no-such-user-here", "-1", "4294967296", "4294967294"])
    func `Whom nobody knows is nobody`(text: String) {
        #expect(UserAccount(text) == nil)
    }

    @Test(arguments: ["", "no-such-group-here", "-1", "4294967296"])
    func `A group that nobody knows is none`(text: String) {
        #expect(UserAccount.group(text) == nil)
    }

    @Test(.enabled(if: geteuid() != 0, "root may become whom it likes"))
    func `Only root becomes somebody else`() throws {
        let account = try #require(UserAccount("0"))
        #expect(throws: SystemError.self) { try account.assume() }
        #expect(!UserAccount.becomesRootAgain())
    }
}
