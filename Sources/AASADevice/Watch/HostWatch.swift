package import AppSiteAssociation
import OpenSSL

/// What is known of one watched host; decides what of a new check is news. A value: the same checks
/// at the same times give the same reports.
///
/// Every difference between two checks is one report. Which of them pages a person, and after
/// what time, is for the alerting system (`deploy/prometheus/alerts.yml`).
package struct HostWatch: Sendable, Equatable {
    /// A problem that was reported and is not over.
    package struct Problem: Sendable, Equatable {
        package let finding: Diagnostic
        /// The first check that found it; seconds since 1970.
        package let since: Int64
    }

    package let host: String
    /// By code.
    package private(set) var problems: [String: Problem] = [:]
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
        var changes = certificateNews(look, now) + documentNews(look, now)
        let seen = Dictionary(look.problems.map { ($0.code, $0) }, uniquingKeysWith: { $1 })
        for code in Set(problems.keys).union(seen.keys).sorted() {
            let old = problems[code]
            if let new = seen[code] {
                let problem = Problem(finding: new, since: old?.since ?? now)
                problems[code] = problem
                // Reported again only if it gets worse.
                if (old?.finding.severity).map({ $0 < new.severity }) ?? true {
                    changes.append(
                        WatchChange(.problem, new, host: host, now, since: problem.since))
                }
            } else if let old, look.canSee(code) {
                problems[code] = nil
                changes.append(
                    WatchChange(.resolved, old.finding, host: host, now, since: old.since))
            }
        }
        return changes
    }

    private mutating func certificateNews(
        _ look: WatchObservation, _ now: Int64
    ) -> [WatchChange] {
        guard let ends = look.certificateEnds else { return [] }
        let before = certificateEnds
        // Servers behind one name may have different ones: only a later end is a renewal.
        certificateEnds = max(ends, before ?? ends)
        guard let before, ends > before else { return [] }
        let finding = Diagnostic(
            "certificate-renewed",
            "the new certificate expires on \(DateText.day(ends)), the old one on "
                + DateText.day(before), subject: host)
        return [WatchChange(.note, finding, host: host, now, since: now)]
    }

    private mutating func documentNews(_ look: WatchObservation, _ now: Int64) -> [WatchChange] {
        guard let new = look.document else { return [] }
        defer { document = new }
        guard let old = document, old.digest != new.digest else { return [] }
        let isLoss = !Set(old.apps).isSubset(of: new.apps)
        let finding = Diagnostic(
            "document-changed", "the document changed: \(old.difference(to: new))", subject: host,
            severity: isLoss ? .warning : .note)
        return [WatchChange(.note, finding, host: host, now, since: now)]
    }
}
