import AASAClient
package import AppSiteAssociation

/// The result of one check of a host, as far as it matters for changes.
package struct WatchObservation: Sendable, Equatable {
    /// How far the check got. Anything beyond is unknown, which does not mean fixed.
    package enum Depth: Sendable, Comparable, CaseIterable {
        /// No connection.
        case nothing
        /// A connection without TLS.
        case connection
        /// TLS without a response of status 200.
        case tls
        /// Status 200 without a document.
        case answer
        case document
    }

    package var depth: Depth
    /// Errors and warnings, errors first.
    package var problems: [Diagnostic] = []
    /// The origin's document; nil if it was unreadable.
    package var document: WatchedDocument?
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
        problems = report.findings.filter {
            $0.severity > .note && $0.code != "check-incomplete"
        }
    }
}
