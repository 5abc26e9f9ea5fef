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
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }
            .sorted { $0.key < $1.key }
        let time = TimeText.millisecond(milliseconds())
        write(time, event, fields)
        let lost = sink.takeLost()
        guard lost > 0 else { return }
        let gap = LogEvent(
            level: .warning,
            message: "the reader of this log stopped for a while; \(lost) messages were lost",
            metadata: nil, source: event.source, file: #fileID, function: #function, line: #line)
        write(time, gap, [])
    }

    private func write(
        _ time: String, _ event: LogEvent, _ fields: [Logger.Metadata.Element]
    ) {
        switch format {
        case .text: sink.write(text(time, event, fields))
        case .json: sink.write(json(time, event, fields))
        }
    }

    private func text(
        _ time: String, _ event: LogEvent, _ fields: [Logger.Metadata.Element]
    ) -> [UInt8] {
        var line = Array("\(time) ".utf8)
        let level = event.level.rawValue
        line += Array((level + String(repeating: " ", count: max(0, 8 - level.count))).utf8)
        line += Array(InertText.piece("\(event.message)").utf8)
        for (index, field) in fields.enumerated() {
            line += Array((index == 0 ? "  \(field.key)=" : " \(field.key)=").utf8)
            LogText.appendValue("\(field.value)", to: &line)
        }
        line.append(0x0A)
        return line
    }

    private func json(
        _ time: String, _ event: LogEvent, _ fields: [Logger.Metadata.Element]
    ) -> [UInt8] {
        let head = [
            ("time", time), ("level", event.level.rawValue), ("message", "\(event.message)"),
        ]
        return LogText.json(
            head.map { ($0.0, .text($0.1)) }
                + fields.map { key, value in
                    if case .stringConvertible(let number) = value, number is any BinaryInteger {
                        return (key, JSONValue(.number("\(number)")))
                    }
                    return (key, .text("\(value)"))
                })
    }
}
