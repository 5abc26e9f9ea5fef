import AASAClient

/// Classifies a redirect of the document.
enum RedirectKind {
    static func code(
        _ request: ClientRequest, _ target: ClientRequest, _ hops: [ClientExchange]
    ) -> String {
        let from = request.host.lowercased()
        let path = String(target.target.prefix { $0 != "?" })
        if target.url == request.url || loops(request, hops) { return "redirect-loop" }
        if !target.security.isTLS { return "redirect-to-http" }
        if looksLikeLogin(target) { return "redirect-login" }
        if target.host == "www." + from || from == "www." + target.host { return "redirect-www" }
        if target.host == from, path == request.target + "/" { return "redirect-slash" }
        if target.host == from, isLocale(path, request.target) { return "redirect-locale" }
        return "redirect-elsewhere"
    }

    /// Whether the last hop leads back to an earlier URL.
    private static func loops(_ request: ClientRequest, _ hops: [ClientExchange]) -> Bool {
        guard let last = hops.last, let head = last.head, (300..<400).contains(head.status),
            let next = last.request.redirected(to: head.value("Location"))
        else { return false }
        return next.url == request.url || hops.contains { $0.request.url == next.url }
    }

    private static func looksLikeLogin(_ target: ClientRequest) -> Bool {
        let words = (target.host + target.target.prefix { $0 != "?" }).lowercased()
            .split { !$0.isLetter && !$0.isNumber }
        let signs: Set<Substring> = [
            "login", "signin", "sso", "auth", "oauth", "oauth2", "saml", "authorize", "logon",
            "accounts", "idp", "cas",
        ]
        return words.contains { signs.contains($0) }
    }

    /// `/en/apple-app-site-association`, `/de-AT/.well-known/…`
    private static func isLocale(_ path: String, _ asked: String) -> Bool {
        guard let first = path.split(separator: "/").first else { return false }
        let parts = first.split { $0 == "-" || $0 == "_" }
        guard let language = parts.first, language.count == 2, parts.count <= 2,
            parts.allSatisfy({ $0.allSatisfy(\.isLetter) && $0.count <= 4 })
        else { return false }
        let rest = path.dropFirst(first.count + 1)
        return rest.isEmpty || rest == "/" || rest.hasPrefix(asked)
    }
}

/// Detects web pages instead of the document.
enum HTMLPage {
    static func isPage(_ body: [UInt8]) -> Bool {
        // White space first: the text form has no line breaks any more.
        let start = text(Array(body.drop { [0x20, 0x0A, 0x0D, 0x09].contains($0) }))
        guard start.hasPrefix("<") else { return false }
        return [
            "<!doctype", "<html", "<head", "<body", "<script", "<!--", "<title", "<h1", "<meta",
        ]
        .contains { start.hasPrefix($0) }
    }

    /// Includes the page's title, which often describes it.
    static func description(_ body: [UInt8]) -> String {
        title(body).map { "a web page comes with status 200, titled \"\($0)\"" }
            ?? "a web page of \(body.count) bytes comes with status 200"
    }

    /// The title as written; nil without one.
    static func title(_ body: [UInt8]) -> Substring? {
        let text = PeerText.printable(body.prefix(16_384))
        let lower = text.lowercased()
        guard let open = lower.firstRange(of: "<title>"),
            let close = lower[open.upperBound...].firstRange(of: "</title>")
        else { return nil }
        let start = lower.distance(from: lower.startIndex, to: open.upperBound)
        let count = lower.distance(from: open.upperBound, to: close.lowerBound)
        return text.dropFirst(start).prefix(count)
    }

    static func text(_ body: [UInt8]) -> String {
        PeerText.printable(body.prefix(16_384)).lowercased()
    }
}
