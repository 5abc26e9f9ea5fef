import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

// Becoming another user belongs to a process: Tests/EndToEndTests tests it on the real binary.
@Suite struct PrivilegesTests {
    private func problem(_ user: String) -> Problem? {
        do {
            _ = try Privileges.named(user)
            return nil
        } catch {
            return error
        }
    }

    @Test func unknownUsersAreNamed() {
        #expect(throws: Problem.self) { try Privileges.drop(to: "no-such-user-here") }
        #expect(throws: Problem.self) { try Privileges.drop(to: "a:b:c") }
        #expect(throws: Problem.self) { try Privileges.drop(to: "") }
    }

    @Test func userAndGroupAreNamedByNameOrNumber() throws {
        let root = try Privileges.named("root")
        #expect(root.user == 0 && root.group == 0)
        try expectEqual(Privileges.named("0").user, 0)
        let daemon = try Privileges.named("daemon")
        #expect(daemon.user != 0)
        // A group of its own, and then one that was asked for: by name, and by any number.
        try expectEqual(Privileges.named("daemon:root").user, daemon.user)
        try expectEqual(Privileges.named("daemon:root").group, 0)
        try expectEqual(Privileges.named("root:daemon").group, daemon.group)
        try expectEqual(Privileges.named("daemon:4711").group, 4711)
    }

    @Test func whatIsWrongIsTold() {
        for text in ["", ":", ":root", "root:", "a:b:c"] {
            expectEqual(
                problem(text)?.cause.hasSuffix("is not USER or USER:GROUP"), true, "\(text)")
        }
        expectEqual(problem("no-such-user")?.cause, "there is no user no-such-user")
        expectEqual(problem("root:no-such-group")?.cause, "there is no group no-such-group")
        for text in ["", "no-such-user", "root:no-such-group"] {
            #expect(problem(text)?.place == "--user" && problem(text)?.remedy.isEmpty == false)
        }
    }

    /// `drop` says what is wrong with it; until then files have no other owner.
    @Test func anUnknownUserOwnsNothing() {
        #expect(Privileges.owner(nil) == nil)
        #expect(Privileges.owner("no-such-user") == nil)
        expectEqual(Privileges.owner("root")?.user, 0)
    }

    /// For the thread that asks and those that it starts, for good.
    @Test func noProgramCanGainAPrivilegeAnyMore() throws {
        func status() -> String {
            let bytes = (try? Files.read("/proc/thread-self/status", limit: 1 << 16)) ?? []
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            return lines.first { $0.hasPrefix("NoNewPrivs:") }.map(String.init) ?? ""
        }
        let seen = Lock<[String]>([])
        // A thread of its own: the others of the tests stay as they are.
        let thread = try WorkerThread(name: "privileges") {
            try? Privileges.forbidMore()
            let own = status()
            seen.withLock { $0.append(own) }
            let child = try? WorkerThread(name: "child") {
                let inherited = status()
                seen.withLock { $0.append(inherited) }
            }
            child?.join()
        }
        thread.join()
        expectEqual(seen.withLock { $0 }, ["NoNewPrivs:\t1", "NoNewPrivs:\t1"])
    }
}
