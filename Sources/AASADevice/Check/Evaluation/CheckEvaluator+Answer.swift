import AASAClient
import AppSiteAssociation
import HTTP
import OpenSSL

extension CheckEvaluator {
    /// Evaluates one response: its completeness, its status, then its content.
    mutating func evaluateAnswer(_ exchange: ClientExchange) {
        if let failure = exchange.failure {
            evaluateFailure(failure, exchange)
            return
        }
        guard let head = exchange.head else { return }
        if let challenge = Challenge.vendor(exchange) {
            add(
                "answer-challenge",
                "\(challenge.name) answers with a challenge (status \(head.status))",
                exchange, fix: challenge.name)
            return
        }
        guard head.status == 200 else {
            if let (code, what) = AccessPage.kind(head.status, exchange.body) {
                add(code, "\(what) (status \(head.status))", exchange)
            } else {
                evaluateStatus(exchange)
            }
            return
        }
        evaluateSpeed(exchange)
        evaluateContent(exchange)
    }

    private mutating func evaluateFailure(_ failure: ClientFailure, _ exchange: ClientExchange) {
        let message = failure.description
        switch failure {
        case .timeout(.body) where exchange.stall != nil:
            guard let stall = exchange.stall else { return }
            let end = "\(stall.end)".prefix { $0 != "(" }
            add("answer-endless", stall.description, exchange, fix: String(end))
        // Reported with the addresses.
        case .timeout(.connecting), .reset(.connecting): break
        case .timeout(.handshake): add("tls-timeout", message, exchange)
        case .reset(.handshake), .closed(.handshake, _): add("tls-cut", message, exchange)
        case .timeout: add("answer-timeout", message, exchange)
        case .closed(.body, nil) where exchange.head?.isChunked == true:
            add(
                "answer-cut", message + ": the last chunk, of size 0, is missing", exchange,
                fix: "chunked")
        case .reset(.body), .closed(.body, _): add("answer-cut", message, exchange)
        case .reset: add("answer-reset", message, exchange)
        case .closed(.partialHead, _): add("answer-cut-head", message, exchange)
        case .closed: add("answer-closed", message, exchange)
        case .notHTTP: add("answer-not-http", message, exchange)
        case .badFraming: add("answer-framing", message, exchange)
        case .headTooLarge: add("answer-head-too-large", message, exchange)
        case .tooLarge:
            let announced = exchange.head?.value("Content-Length").map {
                "Content-Length announces \($0) bytes"
            }
            let reason = announced ?? message + ", and was not read to its end"
            add("answer-too-large", reason, exchange)
        // With TLS 1.3 the demand for a certificate comes after the handshake.
        case .tls(let tls): evaluateHandshake(tls, exchange)
        case .certificate: add("tls-handshake", message, exchange)
        case .http2: add("answer-http2-broken", message, exchange)
        case .refused, .noRoute, .unreachable, .unresolved, .local, .stopped: break
        }
    }

    private mutating func evaluateSpeed(_ exchange: ClientExchange) {
        guard let firstByte = exchange.timing.firstByte else { return }
        let wait = firstByte - (exchange.timing.secured ?? exchange.timing.connected ?? .zero)
        if wait > settings.slowAfter {
            add(
                "answer-slow", "the first byte came \(Self.seconds(wait)) after the request",
                exchange)
        }
    }

    static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return "\(seconds).\(attoseconds / 100_000_000_000_000_000) s"
    }

    // MARK: - Statuses

    mutating func evaluateStatus(_ exchange: ClientExchange, _ message: String? = nil) {
        guard let head = exchange.head else { return }
        let message = message ?? "the answer is \(head.lines.first ?? String(head.status))"
        switch head.status {
        case 204, 205: add("status-no-content", message, exchange)
        case 206: add("status-partial", message, exchange)
        case 304: add("status-not-modified", message, exchange)
        case 300..<400: evaluateRedirect(exchange)
        case 401, 407: add("status-unauthorized", message, exchange)
        case 403: add("status-forbidden", message, exchange, fix: forbiddenFix(exchange))
        case 404:
            let isUntyped = HTMLPage.text(exchange.body).contains("404.3")
            add("status-not-found", message, exchange, fix: isUntyped ? "untyped" : nil)
        case 405: add("status-method", message, exchange)
        case 410: add("status-gone", message, exchange)
        case 429: add("status-too-many", message, exchange)
        case 400..<500: add("status-client-error", message, exchange)
        case 502, 504: add("status-gateway", message, exchange)
        case 503: add("status-unavailable", message, exchange)
        case 500...599: add("status-server-error", message, exchange)
        default: add("status-unusual", message, exchange)
        }
    }

    /// What a 403 is about, where something else that was asked tells.
    private func forbiddenFix(_ exchange: ClientExchange) -> String? {
        if HTMLPage.text(exchange.body).contains("<code>accessdenied") { return "S3" }
        let isWellKnown = exchange.request.target == AssociationPath.wellKnownTarget
        return isWellKnown && evidence.root?.status == 200 ? "dot" : nil
    }

    private mutating func evaluateRedirect(_ exchange: ClientExchange) {
        guard let head = exchange.head else { return }
        let request = exchange.request
        let location = head.value("Location")
        guard let target = request.redirected(to: location) else {
            let shown = location.map { "Location: \($0)" } ?? "no Location"
            add("redirect-nowhere", "status \(head.status) with \(shown)", exchange)
            return
        }
        let hops = evidence.hops
        var steps = ["\(head.status) to \(target.url)"]
        for (index, hop) in hops.enumerated() {
            let next = index + 1 < hops.count ? " to \(hops[index + 1].request.url)" : ""
            steps.append((hop.failure?.description ?? "\(hop.head?.status ?? 0)") + next)
        }
        let code = RedirectKind.code(request, target, hops)
        let isLocal = target.host == "localhost" || PrivateAddress.contains(target.host)
        add(
            code, steps.joined(separator: ", then "), exchange,
            remedy: isLocal
                ? "The application sends clients to its own machine: set its public address (base URL), "
                    + "or have the proxy pass the host on." : nil)
    }

    // MARK: - Content

    /// Evaluates the body of a response with status 200.
    mutating func evaluateContent(_ exchange: ClientExchange) {
        guard let head = exchange.head else { return }
        if exchange.surplus > 0 {
            let count =
                exchange.surplus == 1 ? "1 byte follows" : "\(exchange.surplus) bytes follow"
            let end =
                head.value("Content-Length").map { "the body, whose Content-Length is \($0)" }
                ?? "the body"
            add(
                "answer-surplus", "\(count) \(head.isChunked ? "the last chunk" : end)", exchange,
                fix: head.isChunked ? "chunked" : nil)
        }
        if exchange.body.isEmpty {
            add("answer-empty", "status 200 without a body", exchange)
            return
        }
        if evaluateCoding(exchange) { return }
        if HTMLPage.isPage(exchange.body) {
            let isLogin = AccessPage.isLogin(exchange.body)
            add(
                isLogin ? "answer-login" : "answer-html", HTMLPage.description(exchange.body),
                exchange)
            return
        }
        evaluateFields(head, exchange)
        // Damaged bytes no longer look signed, but the type still shows the intention.
        let isSigned =
            CMSVerifier.looksSigned(exchange.body)
            || SignedDocument.isSignedType(head.value("Content-Type"))
        evaluateContentType(head, isSigned: isSigned, exchange)
        if isSigned {
            evaluateSigned(exchange)
        } else {
            evaluateDocument(exchange.body, exchange)
        }
    }

    /// - Returns: whether the body is unreadable.
    private mutating func evaluateCoding(_ exchange: ClientExchange) -> Bool {
        guard case .failed(let names, let failure) = exchange.coding else { return false }
        let known = "Content-Encoding: \(names.joined(separator: ", ")); \(failure)"
        if case .tooLarge = failure {
            add("answer-too-large", "\(exchange.body.count) bytes came; \(known)", exchange)
            return true
        }
        // Brotli is not decoded: no asker that is played offers it. Devices since iOS 11 do, and
        // read what they asked for; no request here asked for it.
        let isBrotli = failure == .unknown("br")
        add(
            "answer-compressed-broken",
            isBrotli ? "Content-Encoding: br (Brotli) for a client that does not offer it" : known,
            exchange, fix: isBrotli ? "brotli" : nil)
        return true
    }

    /// A client that did not offer gzip need not support it.
    mutating func evaluateUnaskedCoding() {
        for agent in ProbeAgent.allCases {
            guard let exchange = evidence[.agent(agent)], exchange.status == 200,
                case .decoded(let names, _) = exchange.coding
            else { continue }
            add(
                "answer-compressed",
                "Content-Encoding: \(names.joined(separator: ", ")) for a client that accepts none",
                exchange)
            return
        }
    }

    /// What the fields say of caches, cookies and codings, and what one client reads in one way and
    /// the next in another.
    private mutating func evaluateFields(_ head: ResponseHead, _ exchange: ClientExchange) {
        let codings = ContentDecoder.names(head.values("Content-Encoding"))
            .filter { !ContentDecoder.isCoding($0) }.joined(separator: ", ")
        let cookie = head.value("Set-Cookie")?.prefix { $0 != "=" }
        let isOld = (head.age ?? 0) > 86_400
        let kept = head.cacheSeconds(["max-age", "s-maxage"]).first { $0 > 86_400 }
        let span = spanText((isOld ? head.age : kept) ?? 0)
        let isFramedTwice =
            head.value("Content-Length") != nil && head.value("Transfer-Encoding") != nil
        let types = head.values("Content-Type")
        let names = types.joined(separator: ", ")
        for (isFound, code, message) in [
            (!codings.isEmpty, "answer-unknown-coding", "Content-Encoding names \(codings)"),
            (cookie != nil, "answer-cookie", "Set-Cookie: \(cookie ?? "")=…"),
            (isOld, "answer-cached-long", "Age: a cache has kept this copy for \(span)"),
            (!isOld && kept != nil, "answer-cached-long", "Cache-Control keeps it for \(span)"),
            (
                isFramedTwice, "answer-ambiguous",
                "the head has both Content-Length and Transfer-Encoding"
            ),
            (head.hasNUL, "answer-ambiguous", "a field of the head contains a NUL"),
            (
                types.count > 1, "answer-ambiguous",
                "the head has \(types.count) Content-Types: \(names)"
            ),
        ] where isFound {
            add(code, message, exchange)
        }
    }

    private mutating func evaluateContentType(
        _ head: ResponseHead, isSigned: Bool, _ exchange: ClientExchange
    ) {
        let type = head.value("Content-Type") ?? ""
        let shown = type.isEmpty ? "there is no Content-Type" : "Content-Type: \(type)"
        if isSigned {
            if !SignedDocument.isSignedType(type) { add("signed-content-type", shown, exchange) }
        } else if type.isEmpty {
            add("answer-no-content-type", shown, exchange)
        } else if head.mediaType != "application/json" {
            add("answer-content-type", shown, exchange)
        }
    }

    private mutating func evaluateSigned(_ exchange: ClientExchange) {
        let report = CMSVerifier.verify(
            exchange.body, host: evidence.host,
            trust: settings.phone.authorityFile.map { .systemAndFile($0) } ?? .system,
            now: evidence.now)
        findings += report.findings.map { Diagnostic($0, file: exchange.request.url) }
        if report.isGood { add("signed-only", "the document is signed (CMS)", exchange) }
        if let payload = report.payload, !payload.isEmpty { evaluateDocument(payload, exchange) }
    }

    /// Of many findings of one kind only the first are reported.
    private static let documentFindings = 20

    private mutating func evaluateDocument(_ bytes: [UInt8], _ exchange: ClientExchange) {
        let source = SourceText(name: exchange.request.url, bytes: bytes)
        let problems = Linter.lint(
            source, as: .association, options: LintOptions(now: Int(evidence.now)))
        let serious = problems.filter { $0.severity > .note }.sorted { $0.severity > $1.severity }
        if serious.count > Self.documentFindings {
            let rest = serious.dropFirst(Self.documentFindings)
            add(
                "document-more",
                "\(rest.count) more findings about the document are not shown here", exchange,
                severity: rest.map(\.severity).max())
        }
        findings += serious.prefix(Self.documentFindings)
        guard let app = settings.phone.app, let file = try? AssociationFile(reading: source) else {
            return
        }
        let apps = AnswerEvaluator.services(in: file).flatMap {
            AnswerEvaluator.apps(of: $0, in: file) ?? []
        }
        if apps.contains(app) { return }
        let near = AppIdentifier.nearMiss(of: app, among: apps).map { ": \($0)" } ?? ""
        add("document-app-not-listed", "\(app) is not listed in any service\(near)", exchange)
    }
}

extension ResponseHead {
    /// Whether the body comes in chunks that tell its end.
    fileprivate var isChunked: Bool {
        values("Transfer-Encoding").last?.lowercased().contains("chunked") ?? false
    }
}
