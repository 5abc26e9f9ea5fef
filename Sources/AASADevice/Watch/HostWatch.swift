/// The state of one watched host; it decides what a new check reports. A value: the same checks at
/// the same times give the same reports.
package struct HostWatch: Sendable, Equatable {
    package let host: String
    package internal(set) var problems: [String: ProblemWatch] = [:]
    /// The document that the required number of consecutive checks agreed on.
    package internal(set) var document: WatchedDocument?
    /// A different document, until it is confirmed.
    var candidate: WatchedDocument?
    var candidateLooks = 0
    /// When consecutive checks saw different documents.
    var switches: [Int64] = []
    var lastSeen: WatchedDocument?
    /// Apps removed by a confirmed change, and when.
    package internal(set) var lostApps: [String: Int64] = [:]
    package internal(set) var certificateEnds: Int64?
    /// Seconds since 1970.
    package var lastLook: Int64?

    package init(host: String) { self.host = host }

    /// The reported problems, worst first.
    package var told: [ProblemWatch] {
        problems.sorted { $0.key < $1.key }.map(\.value)
            .filter { $0.phase == .open || $0.phase == .flapping }
            .enumerated().sorted {
                ($1.element.problem.severity, $0.offset) < ($0.element.problem.severity, $1.offset)
            }.map(\.element)
    }

    /// Whether an early check could confirm something.
    package func wantsConfirmation(_ settings: WatchSettings) -> Bool {
        candidate != nil || problems.values.contains { $0.wantsConfirmation(settings) }
    }

    /// Processes a check and returns the changes to report.
    ///
    /// - Parameter now: seconds since 1970.
    package mutating func take(
        _ observation: WatchObservation, now: Int64, _ settings: WatchSettings
    ) -> [WatchChange] {
        lastLook = now
        var changes = takeCertificate(observation, now)
        changes += takeDocument(observation, now, settings)
        var seen: [String: WatchProblem] = [:]
        let all = observation.problems + documentProblems(observation, now, settings)
        for problem in all { seen[problem.key] = problem }
        for key in Set(problems.keys).union(seen.keys).sorted() {
            if let problem = seen[key] {
                var watch = problems[key] ?? ProblemWatch(problem, now: now)
                changes += news(watch.see(problem, now: now, settings), watch, now, observation)
                problems[key] = watch
            } else if var watch = problems[key], observation.canSee(watch.problem.code) {
                changes += news(watch.see(nil, now: now, settings), watch, now, observation)
                problems[key] = watch.isForgotten ? nil : watch
            }
        }
        return changes
    }

    private func news(
        _ event: ProblemWatch.Event?, _ watch: ProblemWatch, _ now: Int64,
        _ observation: WatchObservation
    ) -> [WatchChange] {
        guard let event else { return [] }
        var seconds: Int64?
        let kind: WatchChange.Kind
        var message = watch.problem.message
        switch event {
        case .began, .worsened: kind = .problem
        case .stays:
            kind = .problem
            message += " (it came and went before, and stays now)"
        case .flaps: kind = .flapping
        case .ended(let lasted):
            kind = .resolved
            seconds = lasted
            if watch.problem.code == CheckCode.appLost.rawValue,
                observation.document?.apps.contains(watch.problem.detail) == false
            {
                message += " (taken as removed: devices have asked again by now)"
            }
        }
        return [
            WatchChange(
                time: now, host: host, kind: kind, code: watch.problem.code,
                severity: watch.problem.severity, message: message, remedy: watch.problem.remedy,
                id: "\(host)/\(watch.problem.key)", since: watch.since, seconds: seconds)
        ]
    }

    private func note(_ code: CheckCode, _ message: String, _ now: Int64, isInfo: Bool = true)
        -> WatchChange
    {
        let entry = CheckCatalog.entry(code)
        return WatchChange(
            time: now, host: host, kind: .note, code: code.rawValue,
            severity: isInfo ? .info : entry.severity, message: message, remedy: entry.remedy,
            id: "\(host)/\(code.rawValue)/\(now)", since: now)
    }

    // MARK: - Certificate and document

    private mutating func takeCertificate(
        _ observation: WatchObservation, _ now: Int64
    ) -> [WatchChange] {
        guard let ends = observation.certificateEnds else { return [] }
        defer { certificateEnds = ends }
        guard let before = certificateEnds, before != ends else { return [] }
        // Servers behind one name may have different ones: only a later end is a renewal.
        guard ends > before else {
            certificateEnds = before
            return []
        }
        return [
            note(
                .certificateRenewed,
                "a new certificate, which ends on \(dayText(ends)); the one before: "
                    + dayText(before), now)
        ]
    }

    private mutating func takeDocument(
        _ observation: WatchObservation, _ now: Int64, _ settings: WatchSettings
    ) -> [WatchChange] {
        guard let new = observation.document else { return [] }
        switches.removeAll { $0 <= now - settings.flapWindow }
        if let lastSeen, lastSeen.digest != new.digest {
            switches.append(now)
            if switches.count > Self.switchesTold { switches.removeFirst() }
        }
        lastSeen = new
        guard let old = document else {
            document = new
            return []
        }
        if old.digest == new.digest {
            candidate = nil
            candidateLooks = 0
            return []
        }
        if candidate?.digest != new.digest {
            candidate = new
            candidateLooks = 0
        }
        candidateLooks += 1
        guard candidateLooks >= settings.looksToConfirm else { return [] }
        candidate = nil
        candidateLooks = 0
        document = new
        lostApps = lostApps.filter { !new.apps.contains($0.key) }
        for app in Set(old.apps).subtracting(new.apps)
        where observation.published?.apps.contains(app) != false {
            lostApps[app] = now
        }
        let isPublished = observation.published.map { $0.digest == new.digest }
        let words =
            switch isPublished {
            case true?: " (as published)"
            case false?: " (not what the site's folder says)"
            case nil: ""
            }
        return [
            note(
                .documentChanged, "the document changed: \(old.difference(to: new))\(words)", now,
                isInfo: isPublished == true)
        ]
    }

    /// A document that changed this often within ``WatchSettings/flapWindow`` has several origins.
    static let switchesTold = 4

    private mutating func documentProblems(
        _ observation: WatchObservation, _ now: Int64, _ settings: WatchSettings
    ) -> [WatchProblem] {
        guard let seen = observation.document else { return [] }
        var problems: [WatchProblem] = []
        if switches.count >= Self.switchesTold {
            problems.append(
                WatchProblem(
                    .documentAlternates,
                    "the document changed \(switches.count) times within "
                        + spanText(Int(settings.flapWindow))))
        }
        if let published = observation.published, published.digest != seen.digest {
            var problem = WatchProblem(
                .documentUnpublished,
                "the host answers another document than the site's folder says: "
                    + published.difference(to: seen))
            problem.mark = seen.digest + published.digest
            problems.append(problem)
        }
        return problems + lostAppProblems(observation, seen, now, settings)
    }

    private mutating func lostAppProblems(
        _ observation: WatchObservation, _ seen: WatchedDocument, _ now: Int64,
        _ settings: WatchSettings
    ) -> [WatchProblem] {
        lostApps = lostApps.filter { app, since in
            now - since < settings.lostAppMaximum
                && observation.published?.apps.contains(app) != false
        }
        let known = Set(document?.apps ?? []).filter {
            observation.published?.apps.contains($0) != false
        }
        let lost = known.union(lostApps.keys).subtracting(seen.apps).sorted()
        let told = lost.prefix(settings.lostAppsTold)
        var found = told.map { app in
            var problem = WatchProblem(.appLost, "\(app) is not listed any more")
            problem.detail = app
            return problem
        }
        if lost.count > told.count {
            var problem = WatchProblem(
                .appLost, "\(lost.count - told.count) more apps are not listed any more")
            problem.detail = "more"
            found.append(problem)
        }
        return found
    }
}
