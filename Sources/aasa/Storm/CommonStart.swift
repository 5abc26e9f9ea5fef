import AppSiteAssociation
import Reactor

/// The moment at which several machines begin together.
enum CommonStart {
    /// The furthest start that is waited for: a day.
    private static let longestWait: Int64 = 86_400_000

    /// Sleeps until the moment that was asked for.
    ///
    /// - Parameters:
    ///   - text: as on the command line; `nil`: at once.
    ///   - isStopped: asked ten times a second.
    /// - Returns: false when it was stopped before the moment came.
    /// - Throws: when the text is no moment, or one that is over: parts that begin late would not
    ///   play one storm.
    static func wait(for text: String?, isStopped: () -> Bool) throws -> Bool {
        guard let text else { return true }
        guard let moment = milliseconds(text, now: WallClock.milliseconds) else {
            throw CommandError(
                "not a time: '\(text)'", place: "--start-at",
                remedy: "write seconds since 1970, 2026-11-22T10:00:00Z, or +SECONDS",
                status: .usage)
        }
        let left = moment - WallClock.milliseconds
        guard left >= 0, left <= longestWait else {
            throw CommandError(
                left < 0 ? "that time is past" : "that is more than a day ahead",
                place: "--start-at", remedy: "give all machines a time soon, such as in a minute")
        }
        if left > 1000 { Terminal.note("waiting \(left / 1000) s for --start-at") }
        while WallClock.milliseconds < moment {
            if isStopped() { return false }
            CurrentProcess.sleep(.milliseconds(min(100, max(0, moment - WallClock.milliseconds))))
        }
        return true
    }

    /// - Returns: milliseconds since 1970.
    static func milliseconds(_ text: String, now: Int64) -> Int64? {
        if text.hasPrefix("+"), let seconds = Double(text.dropFirst()), seconds >= 0,
            seconds < 1e6
        {
            return now + Int64(seconds * 1000)
        }
        if let seconds = Double(text), seconds > 0, seconds < 1e11 { return Int64(seconds * 1000) }
        return Timestamp.seconds(rfc3339: text).map { Int64($0) * 1000 }
    }
}
