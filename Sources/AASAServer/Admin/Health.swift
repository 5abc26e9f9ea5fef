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
            Reason(
                .failing,
                "\(name) has not been served since \(DateText.moment(since)): its folder vanished",
                fix: "restore the folder, or run aasa reload to confirm its removal")
        }
    }
}

extension [Health.Reason] {
    private mutating func add(_ level: Health.Level, _ text: String, fix: String? = nil) {
        append(Health.Reason(level, text, fix: fix))
    }

    fileprivate mutating func addPhase(_ report: StatusReport) {
        switch report.phase {
        case .starting:
            let why = report.reloads.problem.map { ": \($0)" } ?? ""
            add(.failing, "starting: nothing is served yet\(why)", fix: report.reloads.fix)
        case .draining:
            add(.attention, "draining: shutting down; send no new connections here")
        case .serving: break
        }
    }

    fileprivate mutating func addHosts(_ report: StatusReport) {
        for host in report.hosts where !host.hasDocument {
            let problem = host.facts.problem ?? "no document"
            add(.failing, "\(host.name) answers 503: \(problem)", fix: host.facts.fix)
        }
        for name in report.hosts.flatMap({ $0.hasCertificate ? $0.bareAliases : [$0.name] }) {
            add(
                .failing, "\(name) has no certificate: no client can connect",
                fix: report.renewals == nil
                    ? "put fullchain.pem and privkey.pem into its folder under --certs"
                    : "run aasa certs plan: it reports why the order fails")
        }
        for host in report.hosts where host.hasDocument {
            guard let problem = host.facts.problem else { continue }
            add(.attention, "\(host.name): \(host.facts.kept ?? problem)", fix: host.facts.fix)
        }
        self += Health.vanished(report.vanished)
        for name in report.strays {
            add(
                .attention, "\(name) is not served: its folder is empty",
                fix: "put one file per team into its subfolder teams/, or remove the folder")
        }
        if report.phase == .serving && report.hosts.isEmpty {
            add(
                .failing, "the site has no host",
                fix: "add a folder named after the host to --site")
        }
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
            add(
                .attention, "the signature of \(host.name) has expired",
                fix: "sign it with a renewed certificate")
        }
    }

    fileprivate mutating func addLoad(_ report: StatusReport) {
        if let overload = report.load.overload {
            add(.overloaded, overload.text)
        } else {
            if let problem = report.load.peerProblem { add(.attention, problem) }
            let shed = report.load.minute.shed
            if shed > 0 {
                add(.attention, "overload: answers with 503 in the last minute: \(shed)")
            }
        }
        let (open, limit) = (report.connections.open, report.connections.limit)
        if limit > 0, open * 10 > limit * 9 {
            add(
                .attention, "\(open) of at most \(limit) connections are open",
                fix: LoadMonitor.Cause.descriptors.remedy)
        }
    }

    fileprivate mutating func add(_ certificate: ServedCertificate, now: Int64) {
        let name = "the \(certificate.keyType) certificate of \(certificate.folder)"
        let when = counted(Int((certificate.notAfter - now) / 86_400), "day")
        let renew = "renew it, and check the program that renews it"
        switch certificate.life(at: now) {
        case .good:
            for problem in certificate.problems { add(.attention, "\(name): \(problem)") }
        case .endsSoon: add(.attention, "\(name) expires in \(when)", fix: renew)
        case .endsVerySoon:
            add(.failing, "\(name) expires in \(when) and was not renewed", fix: renew)
        case .ended: add(.failing, "\(name) has expired", fix: renew)
        case .notYetBegun:
            add(
                .failing, "\(name) is not valid yet",
                fix: "check the clock of this machine, or replace the certificate")
        }
    }
}
