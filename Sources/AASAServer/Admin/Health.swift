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

    package private(set) var level = Level.well
    /// One sentence each, worst first.
    package private(set) var reasons: [String] = []
    /// New connections may be sent here: the server serves, and not every host is missing.
    package let isReady: Bool

    /// - Parameters:
    ///   - shedNow: clients turned away in the last minute.
    ///   - load: whether the server keeps up.
    package init(_ report: StatusReport, shedNow: UInt64, load: LoadMonitor = LoadMonitor()) {
        var found: [(level: Level, reason: String)] = []
        switch report.phase {
        case .starting:
            let why = report.reloads.problem.map { ": \($0)" } ?? ""
            found.append((.failing, "starting: nothing is served yet\(why)"))
        case .draining: found.append((.attention, "draining: this process ends; send nobody here"))
        case .serving: break
        }
        let missing = report.hosts.filter { !$0.isAvailable }
        for host in missing {
            found.append(
                (.failing, "\(host.name) answers 503: \(host.facts.problem ?? "no document")"))
        }
        for host in report.hosts where host.isAvailable {
            guard let problem = host.facts.problem else { continue }
            found.append((.attention, "\(host.name): \(host.facts.kept ?? problem)"))
        }
        if report.phase == .serving && report.hosts.isEmpty {
            found.append((.failing, "the site has no host"))
        }
        if let problem = report.reloads.problem, report.phase != .starting {
            found.append((.attention, "not all on disk is served as it stands there: \(problem)"))
        }
        if let problem = report.stateProblem {
            found.append((.attention, "a restart may serve less: \(problem)"))
        }
        if let problem = report.accessLogProblem {
            found.append((.attention, "lines of the access log are lost: \(problem)"))
        }
        for problem in report.fleet?.problems(now: report.now) ?? [] {
            found.append((.attention, problem))
        }
        for certificate in report.certificates {
            found += Self.judge(certificate, now: report.now)
        }
        if let problem = report.renewals?.storeError {
            found.append((.attention, "certificates cannot be kept: \(problem)"))
        }
        for entry in report.renewals?.entries ?? [] where entry.state != "foreign" {
            if let error = entry.lastError, entry.tries > 1 {
                found.append((.attention, "no new certificate for \(entry.host): \(error)"))
            } else if entry.state != "good",
                let problem = Self.gap(entry, report.certificates)
            {
                found.append((.attention, problem))
            }
        }
        for host in report.hosts {
            guard let ends = host.facts.signatureEnds, ends <= report.now else { continue }
            found.append((.attention, "the signature of \(host.name) has ended"))
        }
        if let overload = load.overload {
            found.append((.overloaded, overload.text))
        } else if let problem = load.peerProblem {
            found.append((.attention, problem))
        }
        if shedNow > 0, load.overload == nil {
            found.append(
                (.attention, "overload: \(shedNow) clients turned away in the last minute"))
        }
        let limit = report.connections.limit
        if limit > 0, report.connections.open * 10 > limit * 9 {
            found.append(
                (.attention, "\(report.connections.open) of at most \(limit) connections are open"))
        }
        // A stable sort: reasons of one level stay in the order above.
        for wanted in [Level.failing, .overloaded, .attention] {
            reasons += found.filter { $0.level == wanted }.map(\.reason)
        }
        level = found.map(\.level).max() ?? .well
        isReady =
            report.phase == .serving && !report.hosts.isEmpty
            && missing.count < report.hosts.count
    }

    /// What the certificates of a folder do not serve yet.
    private static func gap(
        _ entry: StatusReport.Renewals.Entry, _ certificates: [ServedCertificate]
    ) -> String? {
        let own = certificates.filter { $0.folder == entry.host }
        if own.isEmpty { return "\(entry.host) waits for its certificate" }
        // Authorities give no wildcards for the challenges that are answered here.
        let missing = entry.names.first { name in
            !own.allSatisfy { $0.names.contains(name) }
        }
        return missing.map { "\(entry.host) waits for a certificate that covers \($0)" }
    }

    private static func judge(
        _ certificate: ServedCertificate, now: Int64
    ) -> [(level: Level, reason: String)] {
        let name = "the \(certificate.keyType) certificate of \(certificate.folder)"
        let days = (certificate.notAfter - now) / 86_400
        let when = days == 1 ? "1 day" : "\(days) days"
        switch certificate.life(at: now) {
        case .good: break
        case .endsSoon: return [(.attention, "\(name) ends in \(when)")]
        case .endsVerySoon: return [(.failing, "\(name) ends in \(when) and was not renewed")]
        case .ended: return [(.failing, "\(name) has ended")]
        case .notYetBegun: return [(.failing, "\(name) is not valid yet")]
        }
        return certificate.problems.map { (.attention, "\(name): \($0)") }
    }
}
