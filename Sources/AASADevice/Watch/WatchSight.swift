import AASAClient
import AppSiteAssociation

/// Which parts of a check ran, beyond what the depth of a look says.
///
/// A part that did not run found nothing, which does not mean that nothing is there: during an
/// outage it is unknown whether another problem was fixed.
struct WatchSight: Sendable, Equatable {
    /// The name resolved.
    var isResolved = true
    /// The name resolved, and every address was asked, or all that this machine has a route to.
    var addresses = true
    /// This machine has a route to each of the IPv6 addresses.
    var ipv6 = true
    /// This machine has a route to each of the IPv4 addresses.
    var ipv4 = true
    /// Every address answered completely, whatever the status.
    var answers = true
    /// The crawler got a complete answer, whatever the status.
    var status = true
    /// The crawler got what may be a document.
    var isServed = true
    /// The root path was answered with what may be a document.
    var root = true
    /// Fields and bytes of an answer were read as those of a document.
    var content = true
    /// The same was asked in other ways: all of them, with time to answer.
    var variants = true
    /// Every sibling that was asked for answered completely.
    var siblings = true
    /// Apple's CDN has a document.
    var copy = true
}

extension WatchSight {
    init(_ evidence: CheckEvidence) {
        let all = evidence.wellKnown
        let unrouted = all.filter(\.hasNoRoute).compactMap(\.address)
        isResolved = evidence.addressFailure == nil
        addresses = isResolved && all.count == evidence.addresses.count && !evidence.hasNoRoute
        ipv6 = !unrouted.contains(where: \.isIPv6)
        ipv4 = unrouted.allSatisfy(\.isIPv6)
        answers = addresses && all.allSatisfy { $0.status != nil }
        status = evidence.main?.status != nil
        isServed = evidence.main.map(CheckEvaluator.isServed) ?? false
        root = evidence.root.map(CheckEvaluator.isServed) ?? false
        content = evidence.readsContent
        // What comes now and then was not compared.
        var steady = evidence
        variants =
            evidence.unasked == 0 && evidence[.tls12] != nil
            && steady.removePassing().removed.isEmpty
        siblings = evidence.probes.allSatisfy { probe in
            if case .sibling = probe.purpose { probe.exchange.status != nil } else { true }
        }
        copy = evidence[.cdn]?.status == 200
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

extension WatchObservation {
    /// Whether the check would have observed the problem if it existed: whether what finds it ran.
    func canSee(_ code: String) -> Bool {
        let isAnswer = depth >= .answer
        switch code {
        case "address-unresolved": return true
        case "address-no-route": return sight.isResolved
        case "address-private", "address-unasked", "address-not-checked": return sight.addresses
        case "address-some-broken": return depth >= .connection && sight.addresses
        case "address-ipv6-broken": return depth >= .connection && sight.addresses && sight.ipv6
        case "address-ipv4-broken": return depth >= .connection && sight.addresses && sight.ipv4
        case _ where code.hasPrefix("address-"): return depth >= .connection || sight.addresses
        // If TLS fails in one of these ways, it does not fail in the others.
        case "tls-not-tls", "tls-handshake", "tls-cut", "tls-timeout": return depth >= .connection
        case "tls-old-version", "tls-client-certificate": return depth >= .tls
        case "tls-second-certificate", "tls-needs-server-name":
            return isAnswer && isTrusted && sight.variants
        case "tls-no-1.2", "tls-no-1.3", "tls-long-hello", "tls-no-forward-secrecy":
            return isAnswer && sight.variants
        // A certificate is rejected for one reason, and then nothing else of it is checked.
        case _ where code.hasPrefix("tls-"): return depth >= .tls && isTrusted
        // As for TLS: of these faults a request has one.
        case "answer-timeout", "answer-reset", "answer-closed", "answer-cut-head", "answer-cut",
            "answer-not-http", "answer-framing", "answer-endless", "answer-head-too-large":
            return depth >= .tls
        case "redirect-loop": return depth >= .tls && sight.status && sight.variants
        case "answer-login", "answer-geo-block", "answer-client-certificate", "answer-challenge",
            _ where code.hasPrefix("status-") || code.hasPrefix("redirect-"):
            return depth >= .tls && sight.status
        case "answer-slow", "answer-root-only": return isAnswer && sight.isServed
        case "answer-paths-differ": return isAnswer && sight.isServed && sight.root
        case "answer-addresses-differ": return isAnswer && sight.answers
        case "answer-compressed", "answer-conditional-304", "answer-conditional-412",
            "answer-range-206", "answer-range-416", "answer-head", "answer-http2-broken",
            "answer-http2-differs", "answer-root-missing",
            _ where code.hasPrefix("agent-"):
            return isAnswer && sight.isServed && sight.variants
        case _ where code.hasPrefix("answer-"): return isAnswer && sight.content
        case "cdn-unreachable": return seesCopy
        case "cdn-stale": return seesCopy && sight.copy && depth == .document
        case _ where code.hasPrefix("cdn-"): return seesCopy && depth == .document
        case _ where code.hasPrefix("sibling-"): return isAnswer && sight.siblings && sight.variants
        // The devices' verdict is told only where nothing else explains it.
        case "device-current-fails":
            return depth == .document && !problems.contains { $0.severity == .error }
        case "document-app-not-listed", "signed-content-type": return readsDocument
        // The linter's and the verifier's codes.
        default: return readsDocument && !problems.contains { $0.code == "document-more" }
        }
    }

    private var readsDocument: Bool { depth == .document && sight.content }
}
