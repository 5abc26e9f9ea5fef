import AppSiteAssociation

extension CheckCatalog {
    static let answers: [CodeEntry] = [
        CodeEntry(
            .answerTimeout, .error, "The answer does not come in time",
            why:
                "Apple's CDN gives up (SWCERR00301 Timeout) and remembers the failure for an hour "
                + "or "
                + "more.",
            remedy:
                "Answer this path from memory or from a static file, always warm; aim at less "
                + "than a "
                + "second."),
        CodeEntry(
            .answerSlow, .warning, "The answer begins late",
            why: "Apple does not say how long its CDN waits; developers see failures from about 5 "
                + "seconds.",
            remedy: "Answer this path without the application behind it; aim at less than a second."
        ),
        CodeEntry(
            .answerReset, .error, "The connection is reset instead of answered",
            why: "Devices count it as a failure, worse than a clean 503.",
            remedy: "Look for a firewall, rate limiter or crash behind the connection."),
        CodeEntry(
            .answerClosed, .error, "The connection is closed without an answer",
            why: "Devices count it as a failure, worse than a clean 503.",
            remedy: "Look for a crash, or a proxy whose backend is gone; under load answer 503."),
        CodeEntry(
            .answerCutHead, .error, "The answer's head is cut short",
            why: "No client can use half a head.",
            remedy: "Look for a crash or a size limit between server and client."),
        CodeEntry(
            .answerCut, .error, "The body is cut short",
            why: "Fewer bytes come than the head promises: clients throw the document away.",
            remedy:
                "Make Content-Length match the body; look for filters that change the body, and "
                + "for "
                + "write time limits."),
        CodeEntry(
            .answerSurplus, .error, "More bytes come than Content-Length says",
            why: "Clients read the promised part only, which is then no JSON.",
            remedy: "Make Content-Length match the body; it is counted in bytes, not characters."),
        CodeEntry(
            .answerNotHTTP, .error, "The answer is not HTTP",
            why: "No client can read it.",
            remedy: "Route this port to the web server."),
        CodeEntry(
            .answerFraming, .error, "The answer's framing is broken",
            why: "Careful clients refuse an answer whose end is not certain.",
            remedy: "Send one Content-Length or correct chunks, and clean header lines."),
        CodeEntry(
            .answerAmbiguous, .warning, "The answer's head can be read in two ways",
            why:
                "Clients and proxies disagree about such a head, so some of them may read another "
                + "answer than the one that was checked.",
            remedy:
                "Send each of these fields once, without control characters, and either "
                + "Content-Length or Transfer-Encoding. Look for a proxy that adds them."),
        CodeEntry(
            .answerEndless, .error, "The answer does not end",
            why:
                "A body begins, and its end is never told: devices wait until their time is up "
                + "and count it as a failure, worse than a clean 503.",
            remedy:
                "Tell where the body ends: a Content-Length that fits, or chunks with the last "
                + "one."),
        CodeEntry(
            .answerTooLarge, .error, "The answer is far too large",
            why:
                "Devices read 131,072 bytes at most, counted behind any compression, and refuse "
                + "what is larger whole.",
            remedy:
                "Serve the association document itself at this path; one that is too large gets "
                + "smaller by shared patterns and fewer apps."),
        CodeEntry(
            .answerHeadTooLarge, .error, "The answer's head is far too large",
            why:
                "Clients and proxies bound the head, proxies often at 4 to 16 KB, and give up "
                + "behind that: the document is never read.",
            remedy:
                "Send only the fields that these paths need: look for cookies, a long "
                + "Content-Security-Policy, and fields that an application adds in a loop."),
        CodeEntry(
            .answerEmpty, .error, "The answer is empty",
            why: "An empty body is no JSON: the association fails although the status is 200.",
            remedy: "Deploy the document; see whether the build step that makes it failed."),
        CodeEntry(
            .answerHTML, .error, "A web page comes instead of the document",
            why:
                "Typical for single-page applications that answer every path with index.html; "
                + "devices "
                + "report SWCErrorDomain 104.",
            remedy:
                "Exempt both paths from the catch-all, and make sure that the file is deployed "
                + "(some "
                + "tools drop folders that begin with a dot)."),
        CodeEntry(
            .answerLogin, .error, "A login page comes instead of the document",
            why: "Neither Apple's crawler nor devices log in; your browser is logged in already.",
            remedy:
                "Exempt both paths from the login (single sign-on, access proxy, password of a "
                + "preview deployment)."),
        CodeEntry(
            .answerGeoBlock, .error, "Askers of some countries are turned away",
            why:
                "Apple asks from places that it does not name, and devices are everywhere: the "
                + "document has to be reachable from every address and country (TN3155).",
            remedy: "Exempt both paths from country and address filters."),
        CodeEntry(
            .answerClientCertificate, .error, "The server demands a client certificate",
            why: "Neither devices nor Apple's CDN have one.",
            remedy:
                "Do not ask for client certificates on this host: make them optional "
                + "(nginx: ssl_verify_client optional) and demand them on the other paths."),
        CodeEntry(
            .answerChallenge, .error, "A challenge or captcha comes instead of the document",
            why:
                "Neither Apple's crawler nor devices solve challenges; a browser never shows you "
                + "this.",
            remedy: "Exempt both paths from bot protection."),
        CodeEntry(
            .answerContentType, .warning, "The Content-Type is not application/json",
            why:
                "Apple's systems do not look at it, so this is not why links fail; many "
                + "validators do.",
            remedy: "Serve application/json for both paths. If links do not work, look for another "
                + "finding."),
        CodeEntry(
            .answerNoContentType, .warning, "The answer has no Content-Type",
            why: "Apple's systems do not look at it; many validators do.",
            remedy: "Serve application/json for both paths."),
        CodeEntry(
            .answerCompressed, .warning, "The document is compressed although nobody asked for it",
            why: "An asker that did not offer gzip need not understand it.",
            remedy: "Do not compress these paths, or only with Accept-Encoding."),
        CodeEntry(
            .answerCompressedBroken, .error, "The compressed document cannot be decoded",
            why: "Devices decode before they read: what does not decode is no document.",
            remedy:
                "Do not compress these paths; look for a second compression in front, or a file "
                + "that is named or uploaded as .gz."),
        CodeEntry(
            .answerUnknownCoding, .warning, "Content-Encoding names what is no content coding",
            why:
                "Devices and Apple's CDN are believed to read such a body as it is; that is not "
                + "documented, and other clients refuse it.",
            remedy:
                "Remove the name from Content-Encoding: a charset belongs into Content-Type, and "
                + "aws-chunked stands in the metadata of an object in S3 since its upload."),
        CodeEntry(
            .answerConditional304, .warning, "A conditional request is answered 304",
            why: "304 lies in the range that devices take as a refusal; Apple's crawler may ask "
                + "conditionally.",
            remedy: "Send no validators (ETag, Last-Modified) on these paths and always answer 200."
        ),
        CodeEntry(
            .answerConditional412, .warning, "A conditional request is answered 412",
            why: "412 lies in the range that devices take as a refusal.",
            remedy: "Ignore preconditions on these paths and always answer 200."),
        CodeEntry(
            .answerRange206, .note, "A range request is answered 206",
            why: "Askers that want a part get one; the whole document is the safer answer.",
            remedy: "Ignore Range on these paths."),
        CodeEntry(
            .answerRange416, .warning, "A range request is answered 416",
            why: "416 lies in the range that devices take as a refusal.",
            remedy: "Ignore Range on these paths."),
        CodeEntry(
            .answerHead, .warning, "HEAD is answered differently from GET",
            why: "Monitors and validators ask with HEAD; Apple's CDN has been seen to report 405.",
            remedy: "Answer HEAD as GET, without the body."),
        CodeEntry(
            .answerCookie, .note, "The answer sets a cookie",
            why: "A sign that the application, not the file, answers; devices store no cookies.",
            remedy: "Serve the path ahead of sessions and consent middleware."),
        CodeEntry(
            .answerCachedLong, .warning, "Caches may keep the answer for more than a day",
            why: "A correction then reaches Apple's crawler late, through every cache in between.",
            remedy: "Cache-Control: max-age=3600 or less."),
        CodeEntry(
            .answerHTTP2Broken, .error, "HTTP/2 is offered and does not work",
            why: "Modern clients choose HTTP/2 and fail, while HTTP/1.1 tools see nothing wrong.",
            remedy: "Repair HTTP/2, or stop offering h2 by ALPN."),
        CodeEntry(
            .answerHTTP2Differs, .error, "HTTP/2 gets another answer than HTTP/1.1",
            why: "What a client sees then depends on the version it speaks.",
            remedy: "Serve the same document by both; often only one of two virtual hosts has it."),
        CodeEntry(
            .answerPathsDiffer, .warning, "The two paths have different documents",
            why: "Old systems ask the root, newer ones /.well-known/: they decide differently.",
            remedy: "Serve the same bytes at both paths."),
        CodeEntry(
            .answerRootOnly, .warning, "The document is at the root path only",
            why:
                "Apple documents /.well-known/; iOS 13, developer and managed mode ask nowhere "
                + "else.",
            remedy: "Serve the document at /.well-known/apple-app-site-association."),
        CodeEntry(
            .answerRootMissing, .note, "The root path has no document",
            why: "Only iOS 9.2 and older ask there.",
            remedy: "If they matter, serve the same bytes at /apple-app-site-association."),
        CodeEntry(
            .answerAddressesDiffer, .error, "The host's addresses have different documents",
            why: "Which document an asker gets is then a matter of luck.",
            remedy: "Deploy the same document behind all addresses."),
    ]

    static let agents: [CodeEntry] = [
        CodeEntry(
            .agentCrawler, .error, "Apple's crawler is turned away, others are not",
            why:
                "From iOS 14 on devices get only what AASA-Bot got: links are dead although every "
                + "browser "
                + "shows the file.",
            remedy:
                "Allow the agent AASA-Bot in the firewall or bot protection, better: exempt both "
                + "paths "
                + "for everybody."),
        CodeEntry(
            .agentDevice, .error, "Devices are turned away, others are not",
            why:
                "Devices ask themselves up to iOS 13, and in developer and managed mode (swcd, "
                + "CFNetwork).",
            remedy: "Exempt both paths from filters by user agent."),
        CodeEntry(
            .agentUnknown, .warning, "Unknown user agents are turned away",
            why: "Apple says to accept every agent (TN3155): names change with every system.",
            remedy: "Exempt both paths from filters by user agent."),
        CodeEntry(
            .agentNone, .warning, "Requests without a user agent are turned away",
            why: "Apple says to accept every asker (TN3155).",
            remedy: "Exempt both paths from filters by user agent."),
        CodeEntry(
            .agentDiffers, .warning, "Different user agents get different documents",
            why: "What you see is then not what devices see.",
            remedy: "Serve the same bytes to everybody."),
    ]

    static let devices: [CodeEntry] = [
        CodeEntry(
            .deviceCurrentFails, .error, "Current devices do not associate the app",
            why: "From iOS 14 on a device takes what Apple's CDN hands it, and nothing else.",
            remedy: "See the table of the eras for what they get, and the other findings for why."),
        CodeEntry(
            .checkIncomplete, .warning, "Not everything could be asked in time",
            why: "A host that answers this slowly may fail for devices as well.",
            remedy: "Fix what makes the other answers slow, then check again."),
    ]

    static let siblings: [CodeEntry] = [
        CodeEntry(
            .siblingMissing, .note, "A document beside the association is not there",
            why: "Only needed if you use what it is for.",
            remedy: "Add it to the site if you need it."),
        CodeEntry(
            .siblingRedirect, .error, "A document beside the association is redirected",
            why: "Its readers do not follow redirects: it counts as missing.",
            remedy: "Serve it at this path with status 200."),
        CodeEntry(
            .siblingContentType, .error,
            "A document beside the association has the wrong Content-Type",
            why: "Unlike Apple, its readers demand application/json.",
            remedy: "Serve it as application/json."),
        CodeEntry(
            .siblingStatus, .error,
            "A document beside the association is answered with an odd status",
            why: "Only 200 counts.", remedy: "Serve it with status 200, or 404 if there is none."),
    ]
}
