import AppSiteAssociation
import OpenSSL

/// What is known of one watched host; decides what of a new check is news. A value: the same checks
/// at the same times give the same reports.
///
/// Every difference between two checks is one report. Which of them pages a person, and after
/// what time, is for the alerting system (`deploy/prometheus/alerts.yml`).
package struct HostWatch: Sendable, Equatable {
    package let host: String
    /// The last of each problem that is not over, by code.
    package private(set) var problems: [String: WatchChange] = [:]
    package private(set) var certificateEnds: Int64?
    /// The last check; seconds since 1970.
    package private(set) var lastLook: Int64?
    private var document: WatchedDocument?

    package init(host: String) { self.host = host }

    /// Whether no error is known.
    package var isGood: Bool { !problems.values.contains { $0.finding.severity == .error } }

    /// Processes a check and returns what changed.
    ///
    /// - Parameter now: seconds since 1970.
    package mutating func take(_ look: WatchObservation, now: Int64) -> [WatchChange] {
        lastLook = now
        func change(_ kind: WatchChange.Kind, _ finding: Diagnostic, since: Int64) -> WatchChange {
            WatchChange(kind: kind, finding: finding, host: host, time: now, since: since)
        }
        let news = [certificateNews(look), documentNews(look)].compactMap { $0 }
        var changes = news.map { change(.note, $0, since: now) }
        // The first of each code is the worst.
        let seen = Dictionary(look.problems.map { ($0.code, $0) }) { first, _ in first }
        for code in Set(problems.keys).union(seen.keys).sorted() {
            let old = problems[code]
            if let new = seen[code] {
                let problem = change(.problem, new, since: old?.since ?? now)
                problems[code] = problem
                // Reported again only if it gets worse.
                if (old?.finding.severity).map({ $0 < new.severity }) ?? true {
                    changes.append(problem)
                }
            } else if let old, look.canSee(code) {
                problems[code] = nil
                changes.append(change(.resolved, old.finding, since: old.since))
            }
        }
        return changes
    }

    private mutating func certificateNews(_ look: WatchObservation) -> Diagnostic? {
        guard let ends = look.certificateEnds else { return nil }
        let before = certificateEnds
        // Servers behind one name may have different ones: only a later end is a renewal.
        certificateEnds = max(ends, before ?? ends)
        guard let before, ends > before else { return nil }
        return Diagnostic(
            "certificate-renewed",
            "the new certificate expires on \(DateText.day(ends)), the old one on "
                + DateText.day(before), subject: host)
    }

    private mutating func documentNews(_ look: WatchObservation) -> Diagnostic? {
        guard let new = look.document else { return nil }
        defer { document = new }
        guard let old = document, old.digest != new.digest else { return nil }
        let isLoss = !Set(old.apps).isSubset(of: new.apps)
        return Diagnostic(
            "document-changed", "the document changed: \(old.difference(to: new))", subject: host,
            severity: isLoss ? .warning : .note)
    }
}
