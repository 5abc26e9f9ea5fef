package import AppSiteAssociation
import OpenSSL

/// A change of a watched host's state: one line of output.
package struct WatchChange: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A new problem, or one that got worse.
        case problem
        /// A problem ended.
        case resolved
        /// Another event of interest.
        case note
    }

    package let kind: Kind
    package let finding: Diagnostic
    package let host: String
    /// Seconds since 1970.
    package let time: Int64
    /// When it began; seconds since 1970.
    package let since: Int64

    package var json: JSONValue {
        .object([
            ("time", .text(DateText.moment(time))), ("host", .text(host)),
            ("change", .text(kind.rawValue)), ("since", .text(DateText.moment(since))),
            ("finding", finding.json),
        ])
    }

    /// One line for people.
    package var text: String {
        let words =
            switch kind {
            case .problem: "\(finding.severity.rawValue) \(finding.code)"
            case .resolved: "resolved \(finding.code) after \(spanText(Int(time - since)))"
            case .note: "note \(finding.code)"
            }
        return "\(DateText.moment(time)) \(host): \(words): \(InertText.piece(finding.message))"
    }
}
