import AASAClient
package import AppSiteAssociation

/// A problem, as observed by one check.
package struct WatchProblem: Sendable, Hashable {
    /// A ``CheckCode``, or a code of the linter or the verifier under this command's names.
    package let code: String
    package let severity: Severity
    package let message: String
    package let remedy: String
    /// Distinguishes problems with the same code at one host: an app. Empty if there is only one.
    package var detail = ""
    /// Rises as it gets worse; each rise is reported.
    package var level = 0
    /// While this changes, the grace period starts again.
    package var mark = ""

    package init(code: String, severity: Severity, message: String, remedy: String) {
        self.code = code
        self.severity = severity
        self.message = message
        self.remedy = remedy
    }

    package init(_ code: CheckCode, _ message: String, severity: Severity? = nil) {
        let entry = CheckCatalog.entry(code)
        self.init(
            code: code.rawValue, severity: severity ?? entry.severity, message: message,
            remedy: entry.remedy)
    }

    /// The key that identifies it.
    var key: String { detail.isEmpty ? code : "\(code)/\(detail)" }
}

/// The result of one check of a host, as far as it matters for changes.
package struct WatchObservation: Sendable, Equatable {
    /// How far the check got. Anything beyond is unknown, which does not mean fixed.
    package enum Depth: Int, Sendable, Comparable, CaseIterable {
        /// No connection.
        case nothing
        /// A connection without TLS.
        case connection
        /// TLS without a response of status 200.
        case tls
        /// Status 200 without a document.
        case answer
        case document

        package static func < (a: Depth, b: Depth) -> Bool { a.rawValue < b.rawValue }
    }

    package var depth: Depth
    /// Errors and warnings; the first of each code.
    package var problems: [WatchProblem] = []
    /// The origin's document; nil if it was unreadable.
    package var document: WatchedDocument?
    /// The document published by the site's folder; nil if unknown.
    package var published: WatchedDocument?
    /// The end of the host's certificate, in seconds since 1970; nil if unknown.
    package var certificateEnds: Int64?
    /// Whether Apple's CDN answered itself.
    package var seesCopy = false
    /// Whether the certificate was accepted.
    package var isTrusted = true
    /// Which parts of the check ran.
    var sight = WatchSight()

    package init(depth: Depth) { self.depth = depth }

    package init(_ report: CheckReport) {
        let evidence = report.evidence
        let main = evidence.main
        let origin = evidence.documentExchange
        document = origin.flatMap { WatchedDocument($0.body) }
        depth =
            if document != nil {
                .document
            } else if origin != nil {
                .answer
            } else if main?.tls != nil, main?.timing.secured != nil {
                .tls
            } else if evidence.wellKnown.contains(where: { $0.timing.connected != nil }) {
                .connection
            } else { .nothing }
        certificateEnds = main?.tls?.chain.first?.summary.notAfter
        isTrusted = main?.tls?.verification.isGood ?? false
        seesCopy = evidence[.cdn] != nil && !evidence.cdnIsOutOfReach
        sight = WatchSight(evidence)
        var seen: Set<String> = []
        for finding in report.findings
        where finding.severity > .info && finding.code != CheckCode.checkIncomplete.rawValue {
            guard seen.insert(finding.code).inserted else { continue }
            problems.append(Self.problem(finding, evidence))
        }
    }

    private static func problem(_ finding: CheckFinding, _ evidence: CheckEvidence) -> WatchProblem
    {
        var problem = WatchProblem(
            code: finding.code, severity: finding.severity, message: finding.message,
            remedy: finding.remedy)
        if finding.code == CheckCode.cdnStale.rawValue, let copy = evidence[.cdn] {
            // Each new copy has its own 24 hours.
            problem.mark = WatchedDocument(copy.body)?.digest ?? ""
        }
        if finding.code == CheckCode.tlsEndsSoon.rawValue,
            let ends = evidence.main?.tls?.chain.first?.summary.notAfter
        {
            problem.level = certificateLevel(secondsLeft: ends - evidence.now)
        }
        return problem
    }

    /// The last week, the last three days and the last day are reported separately.
    package static func certificateLevel(secondsLeft: Int64) -> Int {
        [7, 3, 1].count { secondsLeft < $0 * 86_400 }
    }
}

extension CheckReport {
    /// The results of a brief check as one text: if it is the same, nothing has changed.
    package var briefSignature: String {
        let observation = WatchObservation(self)
        let parts =
            [
                "\(observation.depth)", observation.document?.digest ?? "-",
                observation.certificateEnds.map { "\($0)" } ?? "-", "\(observation.seesCopy)",
            ] + observation.problems.map { "\($0.code) \($0.level) \($0.mark)" }.sorted()
            + evidence.eras.map { "\($0.era) \($0.service) \($0.verdict.name)" }
        return parts.joined(separator: "; ")
    }
}

extension CheckEvidence {
    /// The part that a brief check observes.
    package var briefPart: CheckEvidence {
        var part = CheckEvidence(host: host, port: port, now: now)
        part.addresses = addresses
        part.unaskedAddresses = unaskedAddresses
        part.addressFailure = addressFailure
        part.isOverridden = isOverridden
        part.eras = eras
        for probe in probes {
            switch probe.purpose {
            case .base, .legacyTLS, .hop, .cdn: part.add(probe.purpose, probe.exchange)
            case .agent, .tls12, .tls13, .noServerName, .onlyRSA, .onlyECDSA, .http2, .head,
                .conditional, .range, .sibling:
                continue
            }
        }
        return part
    }
}
