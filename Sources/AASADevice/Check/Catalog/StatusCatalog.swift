import AppSiteAssociation

extension CheckCatalog {
    private static let denied =
        "Devices take 300 to 499 as a refusal, and old ones do not ask again; Apple's CDN reports "
        + "SWCERR00101 and remembers it for an hour or more."
    private static let temporary =
        "Devices ask again in about three hours, up to eight times; Apple's CDN reports "
        + "SWCERR00101 and "
        + "remembers it for an hour or more."

    static let statuses: [CodeEntry] = [
        CodeEntry(
            .statusNoContent, .error, "The answer says that there is no content",
            why: "Without a body there is no document.",
            remedy: "Serve the document with status 200."),
        CodeEntry(
            .statusPartial, .error, "A part is sent although nobody asked for one",
            why: "206 is no complete document.",
            remedy: "Serve the document whole, with status 200."),
        CodeEntry(
            .statusNotModified, .error, "304 is answered to a request without conditions",
            why: denied, remedy: "Look for a cache in front that answers with its own validators."),
        CodeEntry(
            .statusUnauthorized, .error, "A login is demanded",
            why: denied, remedy: "Exempt both paths from authentication."),
        CodeEntry(
            .statusForbidden, .error, "Access is forbidden (403)",
            why: denied,
            remedy:
                "Look at the firewall, bot or country filter, and at the file's permissions; "
                + "Apple's "
                + "addresses are not published, so filters by address cannot work."),
        CodeEntry(
            .statusNotFound, .error, "The document is not there (404)",
            why: denied,
            remedy:
                "Deploy the file at both paths, without an extension; see whether the tool that "
                + "deploys drops folders that begin with a dot."),
        CodeEntry(
            .statusMethod, .error, "GET is not allowed (405)", why: denied,
            remedy: "Answer GET and HEAD at both paths."),
        CodeEntry(
            .statusGone, .error, "The document is gone (410)", why: denied,
            remedy: "Deploy the file at both paths."),
        CodeEntry(
            .statusTooMany, .error, "A rate limiter answers (429)", why: denied,
            remedy: "Exempt both paths from rate limits; when overloaded, answer 503."),
        CodeEntry(
            .statusClientError, .error, "The server refuses the request", why: denied,
            remedy: "Answer both paths with status 200."),
        CodeEntry(
            .statusServerError, .error, "The server fails (5xx)", why: temporary,
            remedy:
                "Look at the server's log for this path; serve the document without the "
                + "application."
        ),
        CodeEntry(
            .statusGateway, .error, "The proxy's backend does not answer (502 or 504)",
            why: temporary,
            remedy: "Start the backend, or serve these paths from the proxy itself."),
        CodeEntry(
            .statusUnavailable, .error, "The server is unavailable (503)", why: temporary,
            remedy: "End the maintenance, or exempt both paths from it; under load, add capacity."),
        CodeEntry(
            .statusUnusual, .error, "The status is not 200",
            why: "Only 200 is documented to be read.",
            remedy: "Answer both paths with status "
                + "200."),
    ]

    private static let hops =
        "Apple documents that redirects are not supported (TN3155); old systems take them as a "
        + "refusal, and "
        + "that some builds follow https is nothing to rely on."

    static let redirects: [CodeEntry] = [
        CodeEntry(
            .redirectToHTTP, .error, "The path is redirected to plain HTTP",
            why: hops + " None follows to http.", remedy: "Answer at this URL with 200."),
        CodeEntry(
            .redirectSlash, .error, "The path is redirected to the same path with a slash",
            why: hops, remedy: "Exempt both paths from trailing-slash rules: they name a file."),
        CodeEntry(
            .redirectWWW, .error, "The host is redirected to its sibling with or without www",
            why: hops,
            remedy: "Answer these two paths on every host that an entitlement names, ahead of the "
                + "canonical-host rule."),
        CodeEntry(
            .redirectLogin, .error, "The path is redirected to a login", why: hops,
            remedy: "Exempt both paths from authentication."),
        CodeEntry(
            .redirectLocale, .error, "The path is redirected to a language", why: hops,
            remedy: "Exempt both paths from language detection."),
        CodeEntry(
            .redirectElsewhere, .error, "The path is redirected", why: hops,
            remedy: "Answer at this URL with 200."),
        CodeEntry(
            .redirectLoop, .error, "The path is redirected in a circle", why: hops,
            remedy:
                "Answer at this URL with 200; often a proxy ends TLS and the application sends to "
                + "https again."),
        CodeEntry(
            .redirectNowhere, .error, "The redirect has no usable Location", why: hops,
            remedy: "Answer at this URL with 200."),
    ]

    static let cdn: [CodeEntry] = [
        CodeEntry(
            .cdnUnreachable, .warning, "Apple's CDN could not be asked",
            why: "From iOS 14 on devices get the CDN's copy; it was not compared.",
            remedy:
                "Allow this machine to reach app-site-association.cdn-apple.com, or use --no-cdn-copy."
        ),
        CodeEntry(
            .cdnBadStatus, .error, "Apple's CDN got a bad status (SWCERR00101)",
            why: "Devices from iOS 14 on get the CDN's failure, whatever a browser shows.",
            remedy:
                "See what turned AASA-Bot away; after the repair, the CDN asks again within "
                + "hours."),
        CodeEntry(
            .cdnPrivateAddress, .error, "Apple's CDN refuses the host's address (SWCERR00202)",
            why: "The name led to a private or reserved address when Apple looked.",
            remedy: "Publish public addresses only; for test servers use ?mode=developer."),
        CodeEntry(
            .cdnTimeout, .error, "Apple's CDN waited in vain (SWCERR00301)",
            why: "The origin was unreachable or too slow from where Apple asks.",
            remedy:
                "Allow every address (Apple's are not published) and answer within a second, "
                + "always."
        ),
        CodeEntry(
            .cdnBadJSON, .error, "Apple's CDN could not read the document (SWCERR00401)",
            why: "What came was not JSON; devices get nothing.",
            remedy: "Repair the document: aasa lint shows where."),
        CodeEntry(
            .cdnUnknownFailure, .error, "Apple's CDN reports a failure",
            why: "Devices from iOS 14 on get nothing.",
            remedy: "Read the reason and details that the CDN gives."),
        CodeEntry(
            .cdnNotFound, .error, "Apple's CDN has no document for the host",
            why: "Devices from iOS 14 on get nothing; the CDN gives no reason.",
            remedy:
                "The CDN asks within 24 hours after the first device; see that the origin is good "
                + "then."
        ),
        CodeEntry(
            .cdnNegativeCached, .warning, "Apple's CDN still has a failure of before",
            why:
                "The origin answers this machine; the CDN remembers failures for an hour or more, and "
                + "devices ask "
                + "again after three to four.",
            remedy: "Wait until the copy expires; then install the app again."),
        CodeEntry(
            .cdnStale, .warning, "Apple's CDN has an older document",
            why: "Devices from iOS 14 on get that one; nobody can make the CDN forget.",
            remedy: "Wait; the CDN asks within 24 hours, devices about weekly or when the app is "
                + "installed again."),
    ]
}
