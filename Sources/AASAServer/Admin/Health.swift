import AppSiteAssociation
import OpenSSL

/// Whether the endpoint is well: the answer at the top of the status page, of `/healthz` and of
/// `/readyz`.
package struct Health: Sendable, Equatable {
    /// From good to bad: the place is the value of the metric `aasa_health_level`.
    package enum Level: String, Sendable, CaseIterable {
        case well
        /// Right answers still go out, but attention is needed.
        case attention
        /// Clients go without an answer because something runs out.
        case overloaded
        /// Some clients do not get the right answer.
        case failing
    }

    /// Something that needs a person.
    package struct Reason: Sendable, Equatable {
        package let level: Level
        /// One sentence.
        package let text: String
        /// The suggested fix; nil: the sentence says it, or none is known.
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
        var found: [Reason] = []
        found.addPhase(report)
        found.addHosts(report)
        found.addFiles(report)
        found += report.fleet?.problems(in: report) ?? []
        for certificate in report.certificates { found.add(certificate, now: report.now) }
        found += report.renewals?.problems(in: report) ?? []
        found.addSignatures(report)
        found.addLoad(report)
        // A stable sort: reasons of one level stay in the order above.
        reasons = Level.allCases.reversed().flatMap { level in
            found.filter { $0.level == level }
        }
        level = reasons.first?.level ?? .well
        isReady = report.phase == .serving && report.hosts.contains(where: \.isAvailable)
    }

    /// What an operator has to confirm or to undo.
    static func vanished(_ hosts: [String: Int64]) -> [Reason] {
        hosts.sorted { $0.key < $1.key }.map { name, since in
            Reason(.failing, Message(.vanished, [name, DateText.moment(since)]))
        }
    }
}

extension Health.Reason {
    init(_ level: Health.Level, _ message: Message) {
        self.init(level, message.text, fix: message.fix.isEmpty ? nil : message.fix)
    }
}

extension [Health.Reason] {
    private mutating func add(_ level: Health.Level, _ text: String, fix: String?) {
        append(Health.Reason(level, text, fix: fix))
    }

    private mutating func add(
        _ level: Health.Level, _ name: Message.Name, _ values: String...
    ) {
        append(Health.Reason(level, Message(name, values)))
    }

    fileprivate mutating func addPhase(_ report: StatusReport) {
        switch report.phase {
        case .starting:
            let why = report.reloads.problem.map { ": \($0)" } ?? ""
            add(.failing, .starting, why, report.reloads.fix ?? "")
        case .draining: add(.attention, .draining)
        case .serving: break
        }
    }

    fileprivate mutating func addHosts(_ report: StatusReport) {
        for host in report.hosts where !host.hasDocument {
            let problem = host.facts.problem ?? "no document"
            add(.failing, .hostBroken, host.name, problem, host.facts.fix ?? "")
        }
        for name in report.hosts.flatMap({ $0.hasCertificate ? $0.bareAliases : [$0.name] }) {
            add(.failing, report.renewals == nil ? .noCertificate : .noOrderedCertificate, name)
        }
        for host in report.hosts where host.hasDocument {
            guard let problem = host.facts.problem else { continue }
            add(.attention, "\(host.name): \(host.facts.kept ?? problem)", fix: host.facts.fix)
        }
        self += Health.vanished(report.vanished)
        for name in report.strays { add(.attention, .stray, name) }
        if report.phase == .serving && report.hosts.isEmpty { add(.failing, .noHost) }
    }

    /// What was read or written, and was not as it should be. The problem of a host is reported
    /// with the host.
    fileprivate mutating func addFiles(_ report: StatusReport) {
        if let problem = report.reloads.problem, report.phase != .starting,
            !report.hosts.contains(where: { $0.facts.problem == problem })
        {
            add(
                .attention, "the last load found an error: \(problem)", fix: report.reloads.fix)
        }
        if let problem = report.stateProblem {
            add(.attention, "a restart may serve less: \(problem)", fix: problem.remedy)
        }
        for problem in report.fileProblems { add(.attention, "\(problem)", fix: problem.remedy) }
    }

    fileprivate mutating func addSignatures(_ report: StatusReport) {
        for host in report.hosts {
            guard let end = host.facts.signatureEnds, end <= report.now else { continue }
            add(.attention, .signatureExpired, host.name)
        }
    }

    fileprivate mutating func addLoad(_ report: StatusReport) {
        if let overload = report.load.overload {
            add(.overloaded, overload.text, fix: nil)
        } else {
            if let problem = report.load.peerProblem { add(.attention, problem, fix: nil) }
            let shed = report.load.minute.shed
            if shed > 0 { add(.attention, .shed, "\(shed)") }
        }
        let (open, limit) = (report.connections.open, report.connections.limit)
        if limit > 0, open * 10 > limit * 9 {
            let fix = LoadMonitor.Cause.descriptors.remedy
            add(.attention, .nearlyFull, "\(open)", "\(limit)", fix)
        }
    }

    fileprivate mutating func add(_ certificate: ServedCertificate, now: Int64) {
        let name = "the \(certificate.keyType) certificate of \(certificate.folder)"
        let when = counted(Int((certificate.notAfter - now) / 86_400), "day")
        switch certificate.life(at: now) {
        case .good:
            for problem in certificate.problems {
                add(.attention, "\(name): \(problem)", fix: nil)
            }
        case .endsSoon: add(.attention, .expiresSoon, name, when)
        case .endsVerySoon: add(.failing, .notRenewed, name, when)
        case .ended: add(.failing, .expired, name)
        case .notYetBegun: add(.failing, .notYetValid, name)
        }
    }
}
