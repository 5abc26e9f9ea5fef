import AASAClient
package import AppSiteAssociation

/// The result of one check of a host, as far as it matters for changes.
package struct WatchObservation: Sendable, Equatable {
    /// The parts of the check that ran, in the words of `needs` in the catalogue.
    ///
    /// A part that did not run found nothing, which does not mean that nothing is there: during an
    /// outage it is unknown whether another problem was fixed.
    var parts: Set<String>
    /// Errors and warnings, errors first.
    package var problems: [Diagnostic] = []
    /// The origin's document; nil if it was unreadable.
    package var document: WatchedDocument?
    /// The end of the host's certificate, in seconds since 1970; nil if unknown.
    package var certificateEnds: Int64?

    init(parts: Set<String>) { self.parts = parts }

    package init(_ report: CheckReport) {
        let evidence = report.evidence
        problems = report.findings.filter {
            $0.severity > .note && $0.code != "check-incomplete"
        }
        document = evidence.documentExchange.flatMap { WatchedDocument($0.body) }
        certificateEnds = evidence.main?.tls?.chain.first?.summary.notAfter
        let all = Self.parts(of: evidence, problems, hasDocument: document != nil)
        parts = Set(all.filter(\.value).keys)
    }

    /// Whether the check would have observed the problem if it existed: whether what finds it ran.
    func canSee(_ code: String) -> Bool {
        (CheckCatalog.entry(code)?.needs ?? Self.needsOfDocuments).allSatisfy(parts.contains)
    }

    /// What the codes of the linter and of the verifier need.
    private static let needsOfDocuments = ["document", "content", "whole"]

    /// Every part, and whether it ran.
    static func parts(
        of evidence: CheckEvidence, _ problems: [Diagnostic], hasDocument: Bool
    ) -> [String: Bool] {
        let main = evidence.main
        let all = evidence.wellKnown
        let unrouted = all.filter(\.hasNoRoute).compactMap(\.address)
        let isResolved = evidence.addressFailure == nil
        let addresses =
            isResolved && all.count == evidence.addresses.count && !evidence.hasNoRoute
        // Each of these includes the next one.
        let answer = hasDocument || evidence.documentExchange != nil
        let tls = answer || main?.tls != nil && main?.timing.secured != nil
        let connection = tls || all.contains { $0.timing.connected != nil }
        // What comes now and then was not compared.
        var steady = evidence
        return [
            "nothing": true,
            "resolved": isResolved,
            // Every address was asked, or all that this machine has a route to.
            "addresses": addresses,
            // This machine has a route to each of the addresses.
            "ipv6": !unrouted.contains(where: \.isIPv6),
            "ipv4": unrouted.allSatisfy(\.isIPv6),
            "reach": connection || addresses,
            "connection": connection,
            "tls": tls,
            // The certificate was accepted.
            "trusted": main?.tls?.verification.isGood ?? false,
            // The crawler got a complete answer, whatever the status.
            "status": main?.status != nil,
            // A client got status 200.
            "answer": answer,
            "document": hasDocument,
            // Every address answered completely, whatever the status.
            "everywhere": addresses && all.allSatisfy { $0.status != nil },
            // The crawler got what may be a document.
            "served": main.map(CheckEvaluator.isServed) ?? false,
            "root": evidence.root.map(CheckEvaluator.isServed) ?? false,
            // Fields and bytes of an answer were read as those of a document.
            "content": evidence.readsContent,
            // No finding of the document was omitted.
            "whole": !problems.contains { $0.code == "document-more" },
            // The same was asked in other ways: all of them, with time to answer.
            "variants": evidence.unasked == 0 && evidence[.tls12] != nil
                && steady.removePassing().removed.isEmpty,
            // Every sibling that was asked for answered completely.
            "siblings": evidence.probes.allSatisfy { probe in
                if case .sibling = probe.purpose { probe.exchange.status != nil } else { true }
            },
            // Apple's CDN answered itself.
            "cdn": evidence[.cdn] != nil && !evidence.cdnIsOutOfReach,
            "copy": evidence[.cdn]?.status == 200,
            // The devices' verdict is reported only where nothing else explains it.
            "faultless": !problems.contains { $0.severity == .error },
        ]
    }
}

extension CheckEvidence {
    /// Whether the evaluator reads an answer as a document: the crawler's, that of a client served
    /// in its place, or the root path's where the other is missing.
    fileprivate var readsContent: Bool {
        let others = [ProbeAgent.device, .unknown, .none].map { self[.agent($0)] }
        let candidates = [main] + others + (main?.status == 404 ? [root] : [])
        guard let read = candidates.compactMap({ $0 }).first(where: CheckEvaluator.isServed) else {
            return false
        }
        if case .failed = read.coding { return false }
        return true
    }
}
