import Logging
import Reactor

/// Keeps what is logged: `level: message`, and the metadata behind it.
struct KeptLog: LogHandler {
    private final class Lines: Sendable {
        let kept = Lock<[(line: String, metadata: Logger.Metadata)]>([])
    }

    private let lines = Lines()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.kept.withLock {
            $0.append(("\(event.level): \(event.message)", event.metadata ?? [:]))
        }
    }

    var all: [(line: String, metadata: Logger.Metadata)] { lines.kept.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in self } }
}
