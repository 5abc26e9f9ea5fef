import AppSiteAssociation

/// The rules that were tried, for `aasa match --explain`.
///
/// Apps share entries: two thousand apps of one entry with two thousand rules would be four million
/// lines. Beyond a bound an entry that was shown is not shown again; the app it stands under is
/// named instead.
struct TraceText {
    /// Rules that are shown again for a further app; more than that is not read.
    private static let repeatsMaximum = 1000

    private let document: AssociationInput
    /// The app under which an entry was shown, by the entry's position.
    private var shown: [Int: String] = [:]
    private var repeats = 0

    init(_ document: AssociationInput) { self.document = document }

    /// The app under which the entry was shown, when it is not to be shown again.
    private mutating func earlier(_ trace: EntryTrace, _ app: String) -> String? {
        guard let first = shown[trace.detail] else {
            shown[trace.detail] = app
            return nil
        }
        repeats += trace.rules.count
        return repeats > Self.repeatsMaximum ? first : nil
    }

    mutating func lines(_ traces: [EntryTrace], of app: String) -> [String] {
        var lines: [String] = []
        for trace in traces {
            guard let first = earlier(trace, app) else {
                lines += trace.rules.flatMap { self.lines($0) }
                continue
            }
            let place = document.place(of: trace.range).text
            lines.append("    as for \(first): \(place), \(trace.rules.count) rules")
        }
        return lines
    }

    private func lines(_ trace: RuleTrace) -> [String] {
        let flags = trace.flags.settings.map { key, value in
            value.bool == true ? key : "\(key): false"
        }
        let head =
            "    \(trace.isMatch ? "matches" : "no     ") "
            + document.place(of: trace.rule.range).text
            + (flags.isEmpty ? "" : "  (\(flags.joined(separator: ", ")))")
        if trace.parts.isEmpty { return [head + "  every URL"] }
        return [head]
            + trace.parts.map { part in
                "      \(part.isMatch ? "ok" : "no")  \(part.part.name): "
                    + "\"\(MatchReport.short(part.value))\" against "
                    + "\"\(MatchReport.short(part.pattern))\""
                    + (part.hint.map { " - \($0)" } ?? "")
            }
    }

    mutating func json(_ traces: [EntryTrace], of app: String) -> JSONValue {
        var items: [JSONValue] = []
        for trace in traces {
            guard let first = earlier(trace, app) else {
                items += trace.rules.map { json($0) }
                continue
            }
            let count = ("rules", JSONValue.integer(trace.rules.count))
            items.append(
                .object(
                    document.place(of: trace.range).members
                        + [("sameAs", JSONValue.text(first)), count]))
        }
        return .list(items)
    }

    private func json(_ trace: RuleTrace) -> JSONValue {
        .object(
            document.place(of: trace.rule.range).members
                + [("matches", .flag(trace.isMatch))] + trace.flags.members
                + [("parts", .list(trace.parts.map { Self.json($0, isMatch: $0.isMatch) }))])
    }

    /// - Parameter isMatch: nil: the report on the part tells it.
    static func json(_ part: RuleTrace.Part, isMatch: Bool? = nil) -> JSONValue {
        .object(known: [
            ("part", .text(part.part.name)), ("pattern", .text(MatchReport.short(part.pattern))),
            ("value", .text(MatchReport.short(part.value))), ("matches", isMatch.map { .flag($0) }),
            ("hint", part.hint.map { .text($0) }),
        ])
    }
}
