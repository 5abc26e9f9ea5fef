import Foundation
import TestSupport
import Testing

@Suite struct CommonStartTests {
    private func storm(_ moment: String) throws -> Tool.Result {
        try Tool.aasa([
            "storm", "https://127.0.0.1:1/", "--devices", "1", "--over", "1", "--start-at", moment,
        ])
    }

    @Test(arguments: [
        ("2020-01-01T00:00:00Z", Int32(3), "that time is past"),
        ("1600000000", 3, "that time is past"), ("+90000", 3, "more than a day ahead"),
        ("2400-01-01T00:00:00Z", 3, "more than a day ahead"), ("soon", 2, "not a time"),
        ("+-1", 2, "not a time"), ("0", 2, "not a time"),
    ]) func refusesWhatCannotBeWaitedFor(
        _ moment: String, _ status: Int32, _ message: String
    ) throws {
        let result = try storm(moment)
        #expect(result.status == status && result.stderr.contains(message), "\(result)")
    }

    /// Ctrl-C before the moment ends the command; it does not begin the storm.
    @Test func endsWhileItWaits() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try Tool.aasa())
        process.arguments = [
            "storm", "https://127.0.0.1:1/", "--devices", "1", "--start-at", "+3600",
        ]
        let (notes, report) = (Pipe(), Pipe())
        process.standardError = notes
        process.standardOutput = report
        try process.run()
        defer { if process.isRunning { process.terminate() } }
        var text = String(decoding: notes.fileHandleForReading.availableData, as: UTF8.self)
        #expect(text.contains("for --start-at"), "\(text)")
        process.interrupt()
        text = String(decoding: notes.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        expectEqual(process.terminationStatus, 1, "\(text)")
        #expect(text.contains("no device asked"), "\(text)")
        #expect(report.fileHandleForReading.readDataToEndOfFile().isEmpty)
    }

    @Test func beginsAtOnceWhereTheMomentIsNow() throws {
        let result = try storm("+0.2")
        #expect(!result.stderr.contains("--start-at"), "\(result)")
        #expect(result.stdout.contains("1"), "\(result)")
    }
}
