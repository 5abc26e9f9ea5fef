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
        // The linter's and the verifier's codes.
        guard let known = CheckCode(rawValue: code) else {
            return readsDocument
                && !problems.contains { $0.code == CheckCode.documentMore.rawValue }
        }
        let isAnswer = depth >= .answer
        switch known {
        case .addressUnresolved: return true
        case .addressNoRoute: return sight.isResolved
        case .addressPrivate, .addressUnasked, .addressNotChecked: return sight.addresses
        case .addressRefused, .addressUnreachable, .addressTimeout:
            return depth >= .connection || sight.addresses
        case .addressSomeBroken: return depth >= .connection && sight.addresses
        case .addressIPv6Broken: return depth >= .connection && sight.addresses && sight.ipv6
        case .addressIPv4Broken: return depth >= .connection && sight.addresses && sight.ipv4
        // If TLS fails in one of these ways, it does not fail in the others.
        case .tlsNotTLS, .tlsHandshake, .tlsCut, .tlsTimeout: return depth >= .connection
        case .tlsOldVersion, .tlsClientCertificate: return depth >= .tls
        // A certificate is rejected for one reason, and then nothing else of it is checked.
        case .tlsExpired, .tlsNotYetValid, .tlsEndsSoon, .tlsName, .tlsSelfSigned,
            .tlsChainIncomplete, .tlsUntrusted, .tlsPurpose, .tlsWeakKey, .tlsOldDigest,
            .tlsLongLife, .tlsInvalid:
            return depth >= .tls && isTrusted
        case .tlsSecondCertificate, .tlsNeedsServerName:
            return isAnswer && isTrusted && sight.variants
        case .tlsNo12, .tlsNo13, .tlsLongHello, .tlsNoForwardSecrecy:
            return isAnswer && sight.variants
        // As for TLS: of these faults a request has one.
        case .answerTimeout, .answerReset, .answerClosed, .answerCutHead, .answerCut,
            .answerNotHTTP, .answerFraming, .answerEndless, .answerHeadTooLarge:
            return depth >= .tls
        case .answerLogin, .answerGeoBlock, .answerClientCertificate, .answerChallenge,
            .statusNoContent, .statusPartial, .statusNotModified, .statusUnauthorized,
            .statusForbidden, .statusNotFound, .statusMethod, .statusGone, .statusTooMany,
            .statusClientError, .statusServerError, .statusGateway, .statusUnavailable,
            .statusUnusual, .redirectToHTTP, .redirectSlash, .redirectWWW, .redirectLogin,
            .redirectLocale, .redirectElsewhere, .redirectNowhere:
            return depth >= .tls && sight.status
        case .redirectLoop: return depth >= .tls && sight.status && sight.variants
        case .answerTooLarge, .answerSurplus, .answerEmpty, .answerHTML, .answerCompressedBroken,
            .answerUnknownCoding, .answerContentType, .answerNoContentType, .answerCookie,
            .answerCachedLong, .answerAmbiguous:
            return isAnswer && sight.content
        case .answerSlow, .answerRootOnly: return isAnswer && sight.isServed
        case .answerCompressed, .answerConditional304, .answerConditional412, .answerRange206,
            .answerRange416, .answerHead, .answerHTTP2Broken, .answerHTTP2Differs,
            .answerRootMissing, .agentCrawler, .agentDevice, .agentUnknown, .agentNone,
            .agentDiffers:
            return isAnswer && sight.isServed && sight.variants
        case .answerPathsDiffer: return isAnswer && sight.isServed && sight.root
        case .answerAddressesDiffer: return isAnswer && sight.answers
        case .cdnUnreachable: return seesCopy
        case .cdnBadStatus, .cdnPrivateAddress, .cdnTimeout, .cdnBadJSON, .cdnUnknownFailure,
            .cdnNotFound, .cdnNegativeCached:
            return seesCopy && depth == .document
        case .cdnStale: return seesCopy && sight.copy && depth == .document
        case .siblingMissing, .siblingRedirect, .siblingContentType, .siblingStatus:
            return isAnswer && sight.siblings && sight.variants
        // The devices' verdict is told only where nothing else explains it.
        case .deviceCurrentFails:
            return depth == .document && !problems.contains { $0.severity == .error }
        case .documentAppNotListed, .documentMore, .signedContentType, .signedOnly,
            .documentChanged, .certificateRenewed, .checkIncomplete:
            return readsDocument
        }
    }

    private var readsDocument: Bool { depth == .document && sight.content }
}
