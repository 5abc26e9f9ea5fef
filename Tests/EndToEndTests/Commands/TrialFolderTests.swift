import Foundation
import TestSupport
import Testing

@Suite struct TrialFolderTests {
    /// The first minute: it serves, its own words ask it, and it leaves nothing behind.
    @Test func servesAndLeavesNothing() throws {
        let folder = try TemporaryFolder("try")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try Tool.aasa())
        process.arguments = ["try", "--port", "0", "--admin-port", "0"]
        // The rest of this process's too: sanitizers are told there what to leave unsaid.
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["TMPDIR": folder.path("")]) { $1 }
        let output = Pipe()
        process.standardError = output
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        defer { if process.isRunning { process.terminate() } }
        var text = ""
        while !text.contains("End it:") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let first = try #require(lines.first { $0.hasPrefix("curl ") }, "\(text)")
        let second = try #require(lines.first { $0.hasPrefix("https://example.com:") })
        let words = first.replacingOccurrences(of: "\\", with: " ").split(separator: " ")
        let answer = try Tool.run(
            "curl", ["-sS"] + words.dropFirst().map(String.init) + [second])
        expectEqual(answer.status, 0, "\(answer)")
        #expect(answer.stdout.contains("D3KQX62K1A.com.example.shop"))
        #expect(answer.stdout.contains("9JA89QQLNQ.com.example.news"))

        process.interrupt()
        // Who ends may have something to say, and nobody else reads it.
        let last = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        expectEqual(process.terminationStatus, 0, "\(String(decoding: last, as: UTF8.self))")
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path("")), [])
    }

    @Test func saysThatNoFolderCanBeMade() throws {
        let result = try Tool.aasa(["try"], environment: ["TMPDIR": "/no/folder"])
        expectEqual(result.status, 3, "\(result)")
        #expect(result.stderr.contains("aasa: /no/folder: "), "\(result)")
        #expect(result.stderr.contains("fix: name a folder that may be written"), "\(result)")
    }
}
