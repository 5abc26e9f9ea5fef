import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct RunningServerTests {
    @Test func withoutAServerTheReasonIsSaid() throws {
        let nowhere = ["AASA_PID_FILE": "", "AASA_RUN": "/no/such/folder"]
        for command in ["reload", "upgrade", "status"] {
            let none = try Tool.aasa([command], environment: nowhere)
            expectEqual(none.status, 3, "\(none)")
            #expect(none.stderr.contains("no server is running"))
        }
        // A leftover whose number is another process's by now: nobody is signalled.
        let folder = try TemporaryFolder("leftover")
        let stranger = try Tool.spawn(
            "/bin/sleep", ["60"], output: folder.path("out"), errors: folder.path("err"))
        defer {
            kill(stranger, SIGKILL)
            _ = Tool.wait(for: stranger, timeout: .seconds(30))
        }
        let leftover = try folder.write("pid", "\(stranger)\n")
        let stale = try Tool.aasa(["reload", "--pid-file", leftover], environment: nowhere)
        expectEqual(stale.status, 3, "\(stale)")
        #expect(stale.stderr.contains("leftover"))
        expectEqual(kill(stranger, 0), 0)
        let missing = try Tool.aasa(["reload", "--pid-file", "/no/such/pid"])
        expectEqual(missing.status, 3, "\(missing)")
        let gone = try Tool.aasa(["reload", "--pid", "4194303"])
        expectEqual(gone.status, 3)
        #expect(gone.stderr.contains("is not an aasa server"))
    }

    /// The only one that runs needs no name; of two, one has to be named.
    @Test func findsTheOneThatIsMeant() throws {
        let server = try ServerProcess(try SampleSite())
        let run = server.environment
        #expect(try Tool.aasa(["status"], environment: run).status <= 1)
        let named = try Tool.aasa(["reload", "--pid", "\(server.pid)"], environment: run)
        expectEqual(named.status, 0, "\(named)")
        let other = try Tool.aasa(["reload", "--pid", "\(getpid())"], environment: run)
        expectEqual(other.status, 3, "\(other)")
        #expect(other.stderr.contains("process \(getpid()) is not an aasa server"), "\(other)")
        let nobody = try Tool.aasa(["reload", "--pid", "1"], environment: run)
        #expect(nobody.status == 2 && nobody.stderr.contains("1 is not a server"), "\(nobody)")
        let folder = try TemporaryFolder("run")
        let none = try Tool.aasa(["reload", "--run", folder.path], environment: run)
        expectEqual(none.status, 3, "\(none)")
        #expect(none.stderr.contains("no process answers in \(folder.path)"), "\(none)")
    }

    @Test func saysWhatAPidFileIs() throws {
        let folder = try TemporaryFolder("run")
        let text = try folder.write("text", "server\n")
        let left = try folder.write("left", "\(getpid())\n")
        for (file, message) in [
            (text, "there is no process id in it"), (folder.path("none"), "no process id in it"),
            (left, "the file is a leftover of process \(getpid())"),
        ] {
            let result = try Tool.aasa(["reload", "--pid-file", file])
            #expect(result.status == 3 && result.stderr.contains(message), "\(result)")
            #expect(result.stderr.contains("fix: "), "\(result)")
        }
    }
}
