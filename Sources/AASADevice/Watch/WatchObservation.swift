import AASAClient
package import AppSiteAssociation

/// Something wrong, as one look showed it.
package struct WatchProblem: Sendable, Hashable {
    /// One of ``CheckCode``, or the linter's and the verifier's under this command's names.
    package let code: String
    package let severity: Severity
    package let message: String
    package let remedy: String
    /// Tells two problems of one code at one host apart: an app. Empty where there is one.
    package var detail = ""
    /// Rises as it gets worse; each rise is news.
    package var level = 0
    /// While this changes, what takes its time is under way.
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

    /// What it is remembered by.
    var key: String { detail.isEmpty ? code : "\(code)/\(detail)" }
}

/// What one look at a host showed, as far as changes are told from it.
package struct WatchObservation: Sendable, Equatable {
    /// How far the look came. What lies behind is unknown, which is not the same as mended.
    package enum Depth: Int, Sendable, Comparable, CaseIterable {
        /// No connection.
        case nothing
        /// A connection and no TLS.
        case connection
        /// TLS and no answer of status 200.
        case tls
        /// Status 200 with something that is no document.
        case answer
        case document

        package static func < (a: Depth, b: Depth) -> Bool { a.rawValue < b.rawValue }
    }

    package var depth: Depth
    /// Errors and warnings; the first of each code.
    package var problems: [WatchProblem] = []
    /// The origin's; nil when it could not be read.
    package var document: WatchedDocument?
    /// What the site's folder says that is published; nil when nobody knows.
    package var published: WatchedDocument?
    /// The end of the host's certificate, in seconds since 1970; nil when it was not seen.
    package var certificateEnds: Int64?
    /// Apple's CDN gave an answer of its own.
    package var seesCopy = false
    /// The certificate was accepted.
    package var isTrusted = true
    /// Not all questions were asked: the time was up.
    package var isPartial = false

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
        isPartial = evidence.unasked > 0
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

    /// The last week, the last three days and the last day are each told.
    package static func certificateLevel(secondsLeft: Int64) -> Int {
        [7, 3, 1].count { secondsLeft < $0 * 86_400 }
    }

    /// Whether the look would have shown the problem if it were there.
    func canSee(_ code: String) -> Bool {
        let group = code.prefix { $0 != "-" }
        switch group {
        case "address": return true
        case "tls":
            if depth < .tls { return Self.preventsTLS.contains(code) }
            // Behind a certificate that is refused nothing else of it is judged.
            return isTrusted || Self.chainFaults.contains(code)
        case "status", "redirect": return depth >= .tls
        case "answer":
            return depth >= .answer && !isPartial
                || depth >= .tls && Self.failedAnswers.contains(code)
        case "agent": return depth >= .answer && !isPartial
        case "cdn":
            if code == CheckCode.cdnUnreachable.rawValue { return seesCopy }
            return seesCopy && depth == .document
        case "device": return depth == .document && !problems.contains { $0.severity == .error }
        case "sibling": return depth >= .answer && !isPartial
        default: return depth == .document
        }
    }

    private static func codes(_ codes: CheckCode...) -> Set<String> { Set(codes.map(\.rawValue)) }

    /// Where TLS fails in one of these ways, it does not fail in the others.
    private static let preventsTLS = codes(
        .tlsNotTLS, .tlsHandshake, .tlsCut, .tlsTimeout, .tlsOldVersion)

    private static let chainFaults = preventsTLS.union(
        codes(
            .tlsExpired, .tlsNotYetValid, .tlsName, .tlsSelfSigned, .tlsChainIncomplete,
            .tlsUntrusted, .tlsPurpose, .tlsWeakKey, .tlsInvalid, .tlsClientCertificate))

    /// The same for answers.
    private static let failedAnswers = codes(
        .answerTimeout, .answerReset, .answerClosed, .answerCutHead, .answerCut, .answerNotHTTP,
        .answerFraming, .answerEndless, .answerTooLarge, .answerHeadTooLarge, .answerLogin,
        .answerGeoBlock, .answerClientCertificate, .answerChallenge)
}

extension CheckReport {
    /// What a brief look can tell, as one text: as long as it stays the same, nothing has changed.
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
    /// The part that a brief look would have seen.
    package var briefPart: CheckEvidence {
        var part = CheckEvidence(host: host, port: port, now: now)
        part.addresses = addresses
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
