package import AppSiteAssociation
import OpenSSL

/// A report about a host.
package struct WatchChange: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A new problem, or one that got worse.
        case problem
        /// A problem ended.
        case resolved
        /// A problem is flapping; reported again only when it has stayed absent or present.
        case flapping
        /// Another event of interest.
        case note
    }

    /// Seconds since 1970.
    package let time: Int64
    package let host: String
    package let kind: Kind
    package let code: String
    package let severity: Severity
    package let message: String
    package let remedy: String
    /// The same from the beginning of a problem to its end: alerting systems correlate by it.
    package let id: String
    /// When it began; seconds since 1970.
    package let since: Int64
    /// Its duration.
    package var seconds: Int64?

    package init(
        time: Int64, host: String, kind: Kind, code: String, severity: Severity, message: String,
        remedy: String, id: String, since: Int64, seconds: Int64? = nil
    ) {
        self.time = time
        self.host = host
        self.kind = kind
        self.code = code
        self.severity = severity
        self.message = message
        self.remedy = remedy
        self.id = id
        self.since = since
        self.seconds = seconds
    }

    package var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("time", .text(DateText.moment(time))), ("host", .text(host)),
            ("change", .text(kind.rawValue)), ("code", .text(code)),
            ("severity", .text(severity.rawValue)), ("message", .text(message)),
            ("remedy", .text(remedy)), ("id", .text(id)), ("since", .text(DateText.moment(since))),
        ]
        if let seconds { members.append(("seconds", .integer(Int(seconds)))) }
        return .object(members)
    }

    /// One line for stdout.
    package var line: [UInt8] { JSONWriter.minified(json) + [UInt8(ascii: "\n")] }

    /// One sentence for people.
    package var summary: String {
        switch kind {
        case .problem: "\(host): \(message)"
        case .resolved: "\(host): resolved after \(spanText(Int(seconds ?? 0))): \(message)"
        case .flapping: "\(host): comes and goes: \(message)"
        case .note: "\(host): \(message)"
        }
    }
}
