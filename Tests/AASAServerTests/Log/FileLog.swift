import Logging
import TestSupport

@testable import AASAServer

/// A log that is written to a file of its own, for tests that read what was logged.
final class FileLog: Sendable {
    private let folder: TemporaryFolder
    let logger: Logger

    init(_ level: LogSettings.Level = .debug) throws {
        folder = try TemporaryFolder("log")
        // As long as it takes on a busy machine: lines are read as soon as they are written.
        let sink = try LogSink(path: folder.path("log"), patience: .seconds(600))
        logger = Logger(label: "test") { _ in
            ServerLogHandler(format: .text, level: level, sink: sink)
        }
    }

    /// Each line without its time: `error   text  key=value`.
    var lines: [String] {
        let text = (try? folder.read("log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map { line in
            String(line.drop { $0 != " " }.dropFirst())
        }
    }
}
