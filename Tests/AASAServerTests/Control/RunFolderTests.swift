import Glibc
import Reactor
import TestSupport
import Testing

@testable import AASAServer

@Suite struct RunFolderTests {
    @Test func everyoneHasTheirOwnPlace() {
        let none: [String: String] = [:]
        expectEqual(RunFolder.ofServer(environment: none, user: 0).path, "/run/aasa")
        expectEqual(RunFolder.ofServer(environment: none, user: 7).path, "/tmp/aasa-7")
        let session = ["XDG_RUNTIME_DIR": "/run/user/7"]
        expectEqual(RunFolder.ofServer(environment: session, user: 7).path, "/run/user/7/aasa")
        let unit = ["RUNTIME_DIRECTORY": "/run/aasa:/run/other", "XDG_RUNTIME_DIR": "/run/user/7"]
        expectEqual(RunFolder.ofServer(environment: unit, user: 7).path, "/run/aasa")
        expectEqual(
            RunFolder.candidates(environment: session, user: 7).map(\.path),
            [
                "/run/user/7/aasa", "/tmp/aasa-7", "/run/aasa",
            ])
        expectEqual(RunFolder.candidates(environment: none, user: 0).first?.path, "/run/aasa")
    }

    /// Anybody can make `/tmp/aasa-0`, and answer there instead of root's server.
    @Test func onlyAFolderOfOnesOwnIsTrustedUnnamed() throws {
        let folder = try TemporaryFolder("run")
        let path = try folder.makeFolder("aasa")
        let (own, other) = (geteuid(), geteuid() + 1)
        #expect(RunFolder(path: path).isTrusted(by: own))
        #expect(!RunFolder(path: path).isTrusted(by: other))
        #expect(RunFolder(path: path, isNamed: true).isTrusted(by: other))
        if own != 0 { #expect(!RunFolder(path: path).isTrusted(by: 0), "root is no exception") }
        // Where others can put a socket, nobody knows who answers.
        for mode: mode_t in [0o770, 0o707, 0o1777] {
            expectEqual(chmod(path, mode), 0)
            #expect(!RunFolder(path: path, isNamed: true).isTrusted(by: own), "\(mode)")
        }
        expectEqual(chmod(path, 0o751), 0)
        expectEqual(symlink(path, folder.path("link")), 0)
        #expect(!RunFolder(path: folder.path("link")).isTrusted(by: own))
        #expect(!RunFolder(path: folder.path("missing")).isTrusted(by: own))
    }

    @Test func socketsAreCalledByTheirProcess() throws {
        let folder = try TemporaryFolder("run")
        let run = RunFolder(path: folder.path)
        expectEqual(run.socket(of: 17), folder.path("17.sock"))
        for name in ["17.sock", "x.sock", "18.txt", "-3.sock", "0.sock"] {
            try folder.write(name, "")
        }
        expectEqual(run.processes, [17])
    }

    /// A socket as a server leaves it that was killed.
    private func leftover(_ process: ProcessID, in run: RunFolder) throws -> String {
        let path = run.socket(of: process)
        var listener = try ListeningSocket(on: .requireUnix(path: path), backlog: 1)
        listener.close()
        return path
    }

    /// More than any process has (proc(5), pid_max).
    private static let nobody: ProcessID = 4_194_304

    @Test func socketsOfKilledServersAreRemovedAndNoOthers() throws {
        let folder = try TemporaryFolder("run")
        let run = RunFolder(path: folder.path)
        let now = WallClock.seconds
        let dead = try leftover(Self.nobody, in: run)
        let taken = try leftover(getpid(), in: run)
        let live = run.socket(of: Self.nobody + 1)
        let listener = try ListeningSocket(on: .requireUnix(path: live), backlog: 1)
        let file = try folder.write("\(Self.nobody + 2).sock", "no socket")
        let other = folder.path("other.sock")
        expectEqual(rename(try leftover(Self.nobody + 3, in: run), other), 0)
        run.removeLeftovers(now: now)
        #expect(access(dead, F_OK) != 0)
        // Its process may be about to listen.
        expectEqual(access(taken, F_OK), 0)
        for path in [live, file, other] { expectEqual(access(path, F_OK), 0, "\(path)") }
        // By now another process has its number.
        run.removeLeftovers(now: now + 120)
        #expect(access(taken, F_OK) != 0)
        for path in [live, file, other] { expectEqual(access(path, F_OK), 0, "\(path)") }
        #expect(listener.raw >= 0)
    }

    @Test func aFolderOfOthersIsRefused() throws {
        let folder = try TemporaryFolder("run")
        let run = RunFolder(path: folder.path("aasa"))
        try run.make(owner: nil)
        try run.make(owner: nil)
        var status = stat()
        #expect(stat(run.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        chmod(run.path, 0o777)
        #expect(throws: Problem.self) { try run.make(owner: nil) }
        try folder.write("file", "")
        #expect(throws: Problem.self) {
            try RunFolder(path: folder.path("file")).make(owner: nil)
        }
        #expect(throws: Problem.self) {
            try RunFolder(path: folder.path("no/such")).make(owner: nil)
        }
        symlink(run.path, folder.path("link"))
        #expect(throws: Problem.self) {
            try RunFolder(path: folder.path("link")).make(owner: nil)
        }
    }
}
