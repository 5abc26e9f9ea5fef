import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct ToolTests {
    @Test func collectsBothStreamsAndTheStatus() throws {
        let result = try Tool.run(
            "/bin/sh", ["-c", "cat; echo problem >&2; exit 7"], stdin: "hello")
        expectEqual(result.status, 7)
        expectEqual(result.stdout, "hello")
        expectEqual(result.stderr, "problem\n")
        #expect(!result.timedOut)
    }

    @Test func endsTheWholeGroupWhenTheTimeIsUp() throws {
        let result = try Tool.run(
            "/bin/sh", ["-c", "sleep 600 & sleep 600"], timeout: .milliseconds(200))
        #expect(result.timedOut)
        expectEqual(result.status, 128 + SIGKILL)
    }

    @Test func passesNoDescriptorOn() throws {
        let open = Glibc.open("/dev/null", O_RDONLY)
        defer { close(open) }
        let result = try Tool.run("/bin/sh", ["-c", "ls /proc/self/fd"])
        // 0, 1, 2 and the one that ls itself opened.
        expectEqual(result.stdout.split(separator: "\n").count, 4, "\(result)")
    }

    @Test func mergesTheEnvironment() throws {
        let result = try Tool.run(
            "/bin/sh", ["-c", "echo \"$AASA_X-${HOME-unset}\""],
            environment: ["AASA_X": "1", "HOME": ""])
        expectEqual(result.stdout, "1-unset\n")
    }

    @Test func saysWhatCannotBeRun() {
        #expect(throws: Tool.Failure.self) { try Tool.run("/nonexistent/tool") }
    }

    @Test func givesEachFolderAWayOfItsOwnAndRemovesIt() throws {
        var first: TemporaryFolder? = try TemporaryFolder()
        let second = try TemporaryFolder()
        let path = try #require(first).path
        #expect(path != second.path)
        try first?.write("a/b.txt", "text")
        try expectEqual(first?.read("a/b.txt"), Array("text".utf8))
        first = nil
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func repeatsItsNumbers() {
        var one = SeededRandom(seed: 42)
        var two = SeededRandom(seed: 42)
        expectEqual(one.bytes(64), two.bytes(64))
        // The first output of SplitMix64 for seed 0 in its authors' reference implementation.
        var zero = SeededRandom(seed: 0)
        expectEqual(zero.next(), 0xE220_A839_7B1D_CDAF)
    }
}
