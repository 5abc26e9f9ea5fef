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
        let found =
            Self.phase(report) + Self.hosts(report) + Self.files(report)
            + (report.fleet?.problems(in: report) ?? [])
            + report.certificates.flatMap { Self.judge($0, now: report.now) }
            + (report.renewals?.problems(in: report) ?? []) + Self.signatures(report)
            + Self.load(report)
        // A stable sort: reasons of one level stay in the order above.
        reasons = Level.allCases.reversed().flatMap { level in
            found.filter { $0.level == level }
        }
        level = reasons.first?.level ?? .well
        isReady = report.phase == .serving && report.hosts.contains(where: \.isAvailable)
    }

    private static func phase(_ report: StatusReport) -> [Reason] {
        switch report.phase {
        case .starting:
            let why = report.reloads.problem.map { ": \($0)" } ?? ""
            return [
                Reason(
                    .failing, "starting: nothing is served yet\(why)", fix: report.reloads.fix)
            ]
        case .draining:
            return [Reason(.attention, "draining: shutting down; send no new connections here")]
        case .serving: return []
        }
    }

    private static func hosts(_ report: StatusReport) -> [Reason] {
        var found: [Reason] = []
        for host in report.hosts where !host.hasDocument {
            let problem = host.facts.problem ?? "no document"
            found.add(.failing, "\(host.name) answers 503: \(problem)", fix: host.facts.fix)
        }
        for name in report.hosts.flatMap({ $0.hasCertificate ? $0.bareAliases : [$0.name] }) {
            found.add(
                .failing, "\(name) has no certificate: no client can connect",
                fix: report.renewals == nil
                    ? "put fullchain.pem and privkey.pem into its folder under --certs"
                    : "run aasa certs plan: it reports why the order fails")
        }
        for host in report.hosts where host.hasDocument {
            guard let problem = host.facts.problem else { continue }
            found.add(
                .attention, "\(host.name): \(host.facts.kept ?? problem)",
                fix: host.facts.fix)
        }
        found += vanished(report.vanished)
        for name in report.strays {
            found.add(
                .attention, "\(name) is not served: its folder is empty",
                fix: "put one file per team into its subfolder teams/, or remove the folder")
        }
        if report.phase == .serving && report.hosts.isEmpty {
            found.add(
                .failing, "the site has no host",
                fix: "add a folder named after the host to --site")
        }
        return found
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

    /// What was read or written, and was not as it should be. The problem of a host is reported
    /// with the host.
    private static func files(_ report: StatusReport) -> [Reason] {
        var found: [Reason] = []
        if let problem = report.reloads.problem, report.phase != .starting,
            !report.hosts.contains(where: { $0.facts.problem == problem })
        {
            found.add(
                .attention, "the last load found an error: \(problem)",
                fix: report.reloads.fix)
        }
        if let problem = report.stateProblem {
            found.add(.attention, "a restart may serve less: \(problem)", fix: problem.remedy)
        }
        return found
            + report.fileProblems.map { Reason(.attention, "\($0)", fix: $0.remedy) }
    }

    private static func signatures(_ report: StatusReport) -> [Reason] {
        report.hosts.filter { $0.facts.signatureEnds.map { $0 <= report.now } ?? false }
            .map {
                Reason(
                    .attention, "the signature of \($0.name) has expired",
                    fix: "sign it with a renewed certificate")
            }
    }

    private static func load(_ report: StatusReport) -> [Reason] {
        var found: [Reason] = []
        if let overload = report.load.overload {
            found.add(.overloaded, overload.text)
        } else {
            if let problem = report.load.peerProblem { found.add(.attention, problem) }
            let shed = report.load.minute.shed
            if shed > 0 {
                found.add(
                    .attention, "overload: answers with 503 in the last minute: \(shed)")
            }
        }
        let (open, limit) = (report.connections.open, report.connections.limit)
        if limit > 0, open * 10 > limit * 9 {
            found.add(
                .attention, "\(open) of at most \(limit) connections are open",
                fix: LoadMonitor.Cause.descriptors.remedy)
        }
        return found
    }

    private static func judge(_ certificate: ServedCertificate, now: Int64) -> [Reason] {
        let name = "the \(certificate.keyType) certificate of \(certificate.folder)"
        let when = counted(Int((certificate.notAfter - now) / 86_400), "day")
        let renew = "renew it, and check the program that renews it"
        switch certificate.life(at: now) {
        case .good: break
        case .endsSoon:
            return [Reason(.attention, "\(name) expires in \(when)", fix: renew)]
        case .endsVerySoon:
            return [
                Reason(.failing, "\(name) expires in \(when) and was not renewed", fix: renew)
            ]
        case .ended: return [Reason(.failing, "\(name) has expired", fix: renew)]
        case .notYetBegun:
            return [
                Reason(
                    .failing, "\(name) is not valid yet",
                    fix: "check the clock of this machine, or replace the certificate")
            ]
        }
        return certificate.problems.map { Reason(.attention, "\(name): \($0)") }
    }
}

extension [Health.Reason] {
    fileprivate mutating func add(_ level: Health.Level, _ text: String, fix: String? = nil) {
        append(Health.Reason(level, text, fix: fix))
    }
}
