/// The findings of `aasa check`. The raw values are stable: scripts and alerts depend on them.
///
/// Two more groups come from other catalogues: `signed-…` (`CMSFindingCode`) and `document-…` (the
/// linter's rules).
package enum CheckCode: String, Sendable, Hashable, CaseIterable {
    // Reaching the host.
    case addressUnresolved = "address-unresolved"
    case addressPrivate = "address-private"
    case addressRefused = "address-refused"
    case addressUnreachable = "address-unreachable"
    case addressTimeout = "address-timeout"
    case addressIPv6Broken = "address-ipv6-broken"
    case addressIPv4Broken = "address-ipv4-broken"
    case addressSomeBroken = "address-some-broken"
    case addressNotChecked = "address-not-checked"
    case addressNoRoute = "address-no-route"
    case addressUnasked = "address-unasked"

    // TLS.
    case tlsNotTLS = "tls-not-tls"
    case tlsHandshake = "tls-handshake"
    case tlsCut = "tls-cut"
    case tlsTimeout = "tls-timeout"
    case tlsOldVersion = "tls-old-version"
    case tlsClientCertificate = "tls-client-certificate"
    case tlsExpired = "tls-expired"
    case tlsNotYetValid = "tls-not-yet-valid"
    case tlsEndsSoon = "tls-ends-soon"
    case tlsName = "tls-name"
    case tlsSelfSigned = "tls-self-signed"
    case tlsChainIncomplete = "tls-chain-incomplete"
    case tlsUntrusted = "tls-untrusted"
    case tlsPurpose = "tls-purpose"
    case tlsWeakKey = "tls-weak-key"
    case tlsOldDigest = "tls-old-digest"
    case tlsLongLife = "tls-long-life"
    case tlsInvalid = "tls-invalid"
    case tlsSecondCertificate = "tls-second-certificate"
    case tlsNeedsServerName = "tls-needs-server-name"
    case tlsNo12 = "tls-no-1.2"
    case tlsNo13 = "tls-no-1.3"
    case tlsLongHello = "tls-long-hello"
    case tlsNoForwardSecrecy = "tls-no-forward-secrecy"

    // The response as a whole.
    case answerTimeout = "answer-timeout"
    case answerSlow = "answer-slow"
    case answerReset = "answer-reset"
    case answerClosed = "answer-closed"
    case answerCutHead = "answer-cut-head"
    case answerCut = "answer-cut"
    case answerSurplus = "answer-surplus"
    case answerNotHTTP = "answer-not-http"
    case answerFraming = "answer-framing"
    case answerAmbiguous = "answer-ambiguous"
    case answerEndless = "answer-endless"
    case answerTooLarge = "answer-too-large"
    case answerHeadTooLarge = "answer-head-too-large"
    case answerEmpty = "answer-empty"
    case answerHTML = "answer-html"
    case answerLogin = "answer-login"
    case answerGeoBlock = "answer-geo-block"
    case answerClientCertificate = "answer-client-certificate"
    case answerChallenge = "answer-challenge"
    case answerContentType = "answer-content-type"
    case answerNoContentType = "answer-no-content-type"
    case answerCompressedBroken = "answer-compressed-broken"
    case answerCompressed = "answer-compressed"
    case answerUnknownCoding = "answer-unknown-coding"
    case answerConditional304 = "answer-conditional-304"
    case answerConditional412 = "answer-conditional-412"
    case answerRange206 = "answer-range-206"
    case answerRange416 = "answer-range-416"
    case answerHead = "answer-head"
    case answerCookie = "answer-cookie"
    case answerCachedLong = "answer-cached-long"
    case answerHTTP2Broken = "answer-http2-broken"
    case answerHTTP2Differs = "answer-http2-differs"
    case answerPathsDiffer = "answer-paths-differ"
    case answerRootOnly = "answer-root-only"
    case answerRootMissing = "answer-root-missing"
    case answerAddressesDiffer = "answer-addresses-differ"

    // Statuses.
    case statusNoContent = "status-no-content"
    case statusPartial = "status-partial"
    case statusNotModified = "status-not-modified"
    case statusUnauthorized = "status-unauthorized"
    case statusForbidden = "status-forbidden"
    case statusNotFound = "status-not-found"
    case statusMethod = "status-method"
    case statusGone = "status-gone"
    case statusTooMany = "status-too-many"
    case statusClientError = "status-client-error"
    case statusServerError = "status-server-error"
    case statusGateway = "status-gateway"
    case statusUnavailable = "status-unavailable"
    case statusUnusual = "status-unusual"

    // Redirects.
    case redirectToHTTP = "redirect-to-http"
    case redirectSlash = "redirect-slash"
    case redirectWWW = "redirect-www"
    case redirectLogin = "redirect-login"
    case redirectLocale = "redirect-locale"
    case redirectElsewhere = "redirect-elsewhere"
    case redirectLoop = "redirect-loop"
    case redirectNowhere = "redirect-nowhere"

    // User agents.
    case agentCrawler = "agent-crawler"
    case agentDevice = "agent-device"
    case agentUnknown = "agent-unknown"
    case agentNone = "agent-none"
    case agentDiffers = "agent-differs"

    // The devices, and the check itself.
    case deviceCurrentFails = "device-current-fails"
    case checkIncomplete = "check-incomplete"

    // The document, beyond the linter's rules.
    case documentAppNotListed = "document-app-not-listed"
    case documentMore = "document-more"

    // The signed form, beyond the verifier's checks.
    case signedContentType = "signed-content-type"
    case signedOnly = "signed-only"

    // Apple's CDN.
    case cdnUnreachable = "cdn-unreachable"
    case cdnBadStatus = "cdn-bad-status"
    case cdnPrivateAddress = "cdn-private-address"
    case cdnTimeout = "cdn-timeout"
    case cdnBadJSON = "cdn-bad-json"
    case cdnUnknownFailure = "cdn-unknown-failure"
    case cdnNotFound = "cdn-not-found"
    case cdnNegativeCached = "cdn-negative-cached"
    case cdnStale = "cdn-stale"

    // Sibling documents.
    case siblingMissing = "sibling-missing"
    case siblingRedirect = "sibling-redirect"
    case siblingContentType = "sibling-content-type"
    case siblingStatus = "sibling-status"

    // Only from the watcher, by comparing checks.
    case documentChanged = "document-changed"
    case certificateRenewed = "certificate-renewed"
}
