import AppSiteAssociation
package import Logging
import Reactor

/// The server's backend for swift-log: text for people, JSON lines for machines, in which integers
/// (`.stringConvertible(1)`) are numbers.
///
/// ```
/// 2026-11-21T15:04:05.678Z error site/example.com/teams/A.json:3:7: trailing comma
/// host=example.com
/// {"time":"2026-11-21T15:04:05.678Z","level":"error","message":"…","host":"example.com"}
/// ```
package struct ServerLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level
    private let format: LogSettings.Format
    private let sink: LogSink
    private let milliseconds: @Sendable () -> Int64

    /// - Parameter milliseconds: since 1970; tests pass their own clock.
    package init(
        format: LogSettings.Format, level: LogSettings.Level, sink: LogSink,
        milliseconds: @escaping @Sendable () -> Int64 = Self.now
    ) {
        self.format = format
        self.sink = sink
        self.milliseconds = milliseconds
        // Both name the levels alike.
        logLevel = Logger.Level(rawValue: level.rawValue) ?? .info
    }

    package static let now: @Sendable () -> Int64 = { WallClock.milliseconds }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { key, value in
                if case .stringConvertible(let number) = value, number is any BinaryInteger {
                    return (key, JSONValue(.number("\(number)")))
                }
                return (key, JSONValue.text("\(value)"))
            }
        let time = TimeText.millisecond(milliseconds())
        let (level, message) = (event.level.rawValue, "\(event.message)")
        let padding = String(repeating: " ", count: max(0, 8 - level.count))
        let text = "\(time) \(level)\(padding)\(InertText.piece(message))"
        sink.write(
            LogText.line(
                format, fields.isEmpty ? text : text + " ",
                [("time", .text(time)), ("level", .text(level)), ("message", .text(message))],
                fields))
    }
}
