import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct DemoServerTests {
    /// Killed without a chance to tidy up, it leaves no server running.
    @Test func itsServersEndWithIt() throws {
        let folder = try TemporaryFolder("demo")
        let demo = try Tool.spawn(
            try Tool.aasa(), ["storm", "demo", "--only", "budget", "--over", "30"],
            output: folder.path("out"), errors: folder.path("err"),
            environment: ["TMPDIR": folder.path])
        func servers() -> [pid_t] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return all.compactMap { pid_t($0) }.filter { process in
                let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
                return line?.contains("demo-server\0\(demo)\0") == true
            }
        }
        #expect(eventually { servers().count == 2 }, "\(servers())")
        kill(demo, SIGKILL)
        _ = Tool.wait(for: demo, timeout: .seconds(30))
        #expect(eventually { servers().isEmpty }, "\(servers())")
    }
}
