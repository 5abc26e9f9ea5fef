/// Whether the endpoint is well: the answer at the top of the status page, of `/healthz` and of
/// `/readyz`.
package struct Health: Sendable, Equatable {
    package enum Level: String, Sendable, Comparable {
        case well
        /// Right answers still go out, but somebody should look.
        case attention
        /// Clients go without an answer because something runs out.
        case overloaded
        /// Somebody is not getting the right answer.
        case failing

        /// The value of the metric `aasa_health_level`.
        var number: Int {
            switch self {
            case .well: 0
            case .attention: 1
            case .overloaded: 2
            case .failing: 3
            }
        }
        package static func < (left: Level, right: Level) -> Bool { left.number < right.number }
    }

    /// Something that needs a person.
    package struct Reason: Sendable, Equatable {
        package let level: Level
        /// One sentence.
        package let text: String
        /// The suggested fix; nil: the sentence says it, or nobody knows one.
        package let fix: String?

        package init(_ level: Level, _ text: String, fix: String? = nil) {
            self.level = level
            self.text = text
            self.fix = fix
        }
    }

    package let level: Level
    /// The worst first.
    package let reasons: [Reason]
    /// New connections may be sent here: the server serves, and not every host is missing.
    package let isReady: Bool

    package init(_ report: StatusReport) {
        let missing = report.hosts.filter { !$0.isAvailable }
        let found =
            Self.phase(report) + Self.hosts(report, missing) + Self.files(report)
            + (report.fleet?.problems(in: report) ?? [])
            + report.certificates.flatMap { Self.judge($0, now: report.now) }
            + (report.renewals?.problems(in: report) ?? []) + Self.signatures(report)
            + Self.load(report)
        // A stable sort: reasons of one level stay in the order above.
        reasons = [Level.failing, .overloaded, .attention].flatMap { level in
            found.filter { $0.level == level }
        }
        level = reasons.first?.level ?? .well
        isReady =
            report.phase == .serving && !report.hosts.isEmpty
            && missing.count < report.hosts.count
    }

    private static func phase(_ report: StatusReport) -> [Reason] {
        switch report.phase {
        case .starting:
            let why = report.reloads.problem.map { ": \($0)" } ?? ""
            return [Reason(.failing, "starting: nothing is served yet\(why)")]
        case .draining:
            return [Reason(.attention, "draining: this process ends; send nobody here")]
        case .serving: return []
        }
    }

    private static func hosts(
        _ report: StatusReport, _ missing: [StatusReport.Host]
    ) -> [Reason] {
        var found = missing.map {
            Reason(.failing, "\($0.name) answers 503: \($0.facts.problem ?? "no document")")
        }
        for host in report.hosts where host.isAvailable {
            guard let problem = host.facts.problem else { continue }
            found.append(Reason(.attention, "\(host.name): \(host.facts.kept ?? problem)"))
        }
        if report.phase == .serving && report.hosts.isEmpty {
            found.append(Reason(.failing, "the site has no host"))
        }
        return found
    }

    /// What was read or written, and was not as it should be.
    private static func files(_ report: StatusReport) -> [Reason] {
        var found: [Reason] = []
        if let problem = report.reloads.problem, report.phase != .starting {
            found.append(
                Reason(.attention, "not all on disk is served as it stands there: \(problem)"))
        }
        if let problem = report.stateProblem {
            found.append(Reason(.attention, "a restart may serve less: \(problem)"))
        }
        if let problem = report.accessLogProblem {
            found.append(Reason(.attention, "lines of the access log are lost: \(problem)"))
        }
        return found
    }

    private static func signatures(_ report: StatusReport) -> [Reason] {
        report.hosts.filter { $0.facts.signatureEnds.map { $0 <= report.now } ?? false }
            .map { Reason(.attention, "the signature of \($0.name) has ended") }
    }

    private static func load(_ report: StatusReport) -> [Reason] {
        var found: [Reason] = []
        if let overload = report.load.overload {
            found.append(Reason(.overloaded, overload.text))
        } else {
            if let problem = report.load.peerProblem { found.append(Reason(.attention, problem)) }
            let shed = report.history.shedLately(now: report.now)
            if shed > 0 {
                found.append(
                    Reason(
                        .attention, "overload: \(shed) clients turned away in the last minute"))
            }
        }
        let (open, limit) = (report.connections.open, report.connections.limit)
        if limit > 0, open * 10 > limit * 9 {
            found.append(
                Reason(.attention, "\(open) of at most \(limit) connections are open"))
        }
        return found
    }

    private static func judge(_ certificate: ServedCertificate, now: Int64) -> [Reason] {
        let name = "the \(certificate.keyType) certificate of \(certificate.folder)"
        let days = (certificate.notAfter - now) / 86_400
        let when = days == 1 ? "1 day" : "\(days) days"
        switch certificate.life(at: now) {
        case .good: break
        case .endsSoon: return [Reason(.attention, "\(name) ends in \(when)")]
        case .endsVerySoon:
            return [Reason(.failing, "\(name) ends in \(when) and was not renewed")]
        case .ended: return [Reason(.failing, "\(name) has ended")]
        case .notYetBegun: return [Reason(.failing, "\(name) is not valid yet")]
        }
        return certificate.problems.map { Reason(.attention, "\(name): \($0)") }
    }
}
