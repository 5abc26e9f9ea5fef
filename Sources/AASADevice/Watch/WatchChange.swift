package import AppSiteAssociation
import OpenSSL

/// One piece of news about a host.
package struct WatchChange: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Something is wrong that was not before, or it got worse.
        case problem
        /// It is over.
        case resolved
        /// It comes and goes; told again only when it has stayed away, or stayed.
        case flapping
        /// Something else happened that somebody may want to know.
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
    /// The same from a problem's beginning to its end: what alerting systems join by.
    package let id: String
    /// When it began; seconds since 1970.
    package let since: Int64
    /// How long it lasted.
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

    /// One line, as it goes to stdout.
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
