import Glibc
import Reactor
import TestSupport
import Testing

@Suite struct OtherProcessTests {
    @Test func `A process is there until it has ended, and a stopped one is known`() throws {
        let folder = try TemporaryFolder("other")
        let process = try Tool.spawn(
            "/bin/sleep", ["600"], output: folder.path("out"), errors: folder.path("err"))
        #expect(OtherProcess.exists(process))
        #expect(!OtherProcess.isStopped(process))
        // The parent is told once it has stopped.
        var status: Int32 = 0
        expectEqual(kill(process, SIGSTOP), 0)
        expectEqual(waitpid(process, &status, WUNTRACED), process)
        #expect(OtherProcess.isStopped(process))
        expectEqual(kill(process, SIGKILL), 0)
        expectEqual(waitpid(process, &status, 0), process)
        #expect(!OtherProcess.exists(process))
        #expect(!OtherProcess.isStopped(process))
        // Somebody else's, who may not be signalled.
        #expect(OtherProcess.exists(1))
    }
}
