import AppSiteAssociation
import HTTP
package import Logging
package import Reactor

/// The access log: one line per answer, up to a limit per second; further answers are counted, and
/// the count is logged. A storm of 20,000 answers a second must not fill a disk, nor take processor
/// time from handshakes for formatting.
///
/// A worker copies the facts of an answer into its own batch (one short, uncontended lock, at most
/// `linesPerSecond` times a second; above that one comparison and one addition). A separate thread
/// empties the batches, formats and writes. The limit also bounds the batches, so a writer that
/// hangs on a slow disk costs lines, not memory.
package final class AccessLog: AccessSink {
    /// How often batches are emptied: short enough to watch, long enough to write in batches.
    private static let interval: Duration = .milliseconds(250)
    /// A batch holds the lines of two seconds: if the writer stalls for longer, lines are lost.
    private static let secondsHeld = 2
    /// The bytes that are kept of paths and user agents; a device's are below 100 bytes.
    private static let textBytesMaximum = 256

    private struct Record: Sendable {
        let milliseconds: Int64
        let peer: SocketAddress?
        let host: String?
        let status: Int
        let bytes: Int
        let method: [UInt8]
        let version: HTTPVersion
        let path: [UInt8]
        let userAgent: [UInt8]
    }

    private struct RecordBatch: Sendable {
        var records: [Record] = []
        var second: Int64 = 0
        var taken = 0
        var passedOver = 0
    }

    /// One for each worker.
    private let batches: [Lock<RecordBatch>]
    private let share: Int
    private let format: LogSettings.Format
    package let sink: LogSink
    private let milliseconds: @Sendable () -> Int64
    private let log: Logger?
    private let loss = Lock(Loss())
    private let thread: StoppableThreads

    /// Lines that could not be written since the last successful write.
    private struct Loss: Sendable {
        var lines = 0
        var problem: String?
        /// Since the start.
        var total: UInt64 = 0
    }

    /// - Parameters:
    ///   - linesPerSecond: over all workers.
    ///   - log: gets a line when lines begin to be lost, and one when that ends.
    ///   - milliseconds: since 1970; tests pass their own clock.
    package init(
        workers: Int, linesPerSecond: Int, format: LogSettings.Format, sink: LogSink,
        log: Logger? = nil,
        milliseconds: @escaping @Sendable () -> Int64 = ServerLogHandler.now
    ) throws(SystemError) {
        batches = (0..<max(1, workers)).map { _ in Lock(RecordBatch()) }
        share = max(1, linesPerSecond / max(1, workers))
        self.format = format
        self.sink = sink
        self.log = log
        self.milliseconds = milliseconds
        thread = try StoppableThreads()
    }

    package func answered(_ entry: AccessEntry) {
        guard batches.indices.contains(entry.worker) else { return }
        let now = milliseconds()
        batches[entry.worker].withLock { batch in
            let second = now / 1000
            if second != batch.second {
                batch.second = second
                batch.taken = 0
            }
            guard batch.taken < share, batch.records.count < share * Self.secondsHeld else {
                batch.passedOver += 1
                return
            }
            batch.taken += 1
            batch.records.append(Self.record(entry, now))
        }
    }

    private static func record(_ entry: AccessEntry, _ now: Int64) -> Record {
        let request = entry.request
        return Record(
            milliseconds: now, peer: entry.peer, host: entry.host, status: entry.status,
            bytes: entry.bytes, method: Array(request.methodName.prefix(32)),
            version: request.version, path: Array(request.path.prefix(textBytesMaximum)),
            userAgent: request.userAgent.map { Array($0.prefix(textBytesMaximum)) } ?? [])
    }

    // MARK: The writer

    package func start() throws(SystemError) {
        try thread.start(name: "aasa-access-log") {
            while !self.thread.isStopping {
                self.thread.wait(within: Self.interval)
                self.flush()
            }
            self.flush()
        }
    }

    /// Writes what is in the batches and ends the thread.
    package func stop() { thread.stop() }

    /// Empties the batches, oldest line first.
    package func flush() {
        var records: [Record] = []
        var passedOver = 0
        for batch in batches {
            let batch = batch.withLock { batch in
                defer {
                    batch.records.removeAll(keepingCapacity: true)
                    batch.passedOver = 0
                }
                return batch
            }
            records += batch.records
            passedOver += batch.passedOver
        }
        records.sort { $0.milliseconds < $1.milliseconds }
        var lines: [UInt8] = []
        for record in records { lines += line(record.milliseconds, fields(of: record)) }
        if passedOver > 0 {
            lines += line(milliseconds(), [("notWritten", .text("\(passedOver)"))])
        }
        if !lines.isEmpty { written(records.count, problem: sink.write(lines)) }
    }

    /// Why lines are lost; nil: none are lost.
    package var problem: Problem? {
        loss.withLock { $0.problem }.map { Problem(.linesLost, $0) }
    }

    /// Lines that could not be written since the start.
    package var lostLines: UInt64 { loss.withLock { $0.total } }

    /// A full disk is reported in the log, which is mostly on another disk, and on the status page.
    private func written(_ lines: Int, problem error: SystemError?) {
        let path = sink.path ?? "stdout"
        let (before, now) = loss.withLock { loss in
            let before = loss
            if let error {
                loss.lines += lines
                loss.total += UInt64(lines)
                loss.problem =
                    error.isWouldBlock
                    ? "\(path): its reader is stopped or too slow" : "\(path): \(error.reason)"
            } else {
                loss = Loss(total: loss.total)
            }
            return (before, loss)
        }
        if let problem = now.problem, before.problem != problem {
            log?.error(
                "access log: \(problem); lines are lost",
                metadata: ["fix": "\(Message(.linesLost).fix); no restart is needed"])
        } else if before.problem != nil, now.problem == nil {
            log?.notice("access log: writing again; \(before.lines) lines were lost")
        }
    }

    private func fields(of record: Record) -> LogText.Fields {
        let version =
            switch record.version {
            case .http10: "HTTP/1.0"
            case .http11: "HTTP/1.1"
            case .http2: "HTTP/2"
            }
        func text(_ bytes: [UInt8]) -> JSONValue { .text(String(decoding: bytes, as: UTF8.self)) }
        return [
            ("peer", .text(record.peer?.description ?? "")), ("host", .text(record.host ?? "")),
            ("method", text(record.method)), ("path", text(record.path)),
            ("protocol", .text(version)), ("status", .text("\(record.status)")),
            ("bytes", .text("\(record.bytes)")), ("agent", text(record.userAgent)),
        ]
    }

    private func line(_ milliseconds: Int64, _ fields: LogText.Fields) -> [UInt8] {
        let time = TimeText.millisecond(milliseconds)
        return LogText.line(format, time, [("time", .text(time))], fields)
    }
}
