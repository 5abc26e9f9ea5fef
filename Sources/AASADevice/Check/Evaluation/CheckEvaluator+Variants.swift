import AASAClient
import AppSiteAssociation
import OpenSSL

extension CheckEvaluator {
    /// Checks whether only some clients are served.
    /// - Returns: whether only the crawler was rejected, so that its own response says nothing
    ///   more.
    mutating func evaluateAgents(_ main: ClientExchange) -> Bool {
        let others = [ProbeAgent.device, .unknown, .none].compactMap { agent in
            evidence[.agent(agent)].map { (agent, $0) }
        }
        let served = others.filter { Self.isServed($0.1) }
        if !Self.isServed(main) {
            guard let (agent, other) = served.first else { return false }
            add(
                "agent-crawler",
                "AASA-Bot is rejected (\(Self.rejection(main))), while \(agent.rawValue) gets "
                    + other.summary,
                main, remedy: Challenge.vendor(main)?.remedy)
            evaluateContent(other)
            return true
        }
        for (agent, exchange) in others where !Self.isServed(exchange) {
            add(agent.code, "\(agent.rawValue) is rejected: \(Self.rejection(exchange))", main)
        }
        for (agent, exchange) in served
        where !DocumentComparison.same(main.body, exchange.body) {
            add("agent-differs", "\(agent.rawValue) and AASA-Bot get different files", main)
        }
        return false
    }

    private static func rejection(_ exchange: ClientExchange) -> String {
        Challenge.vendor(exchange).map { "\($0.name) challenges it" } ?? exchange.summary
    }

    static func isServed(_ exchange: ClientExchange) -> Bool {
        exchange.status == 200 && !exchange.body.isEmpty && Challenge.vendor(exchange) == nil
            && !HTMLPage.isPage(exchange.body)
    }

    /// Compares the root path with the other.
    mutating func evaluateRoot(_ main: ClientExchange) {
        guard let root = evidence.root else { return }
        switch (Self.isServed(main), Self.isServed(root)) {
        case (true, true):
            if !DocumentComparison.same(main.body, root.body) {
                add(
                    "answer-paths-differ",
                    "\(main.body.count) bytes at /.well-known/, \(root.body.count) at the root, "
                        + "and they say different things", root)
            }
        case (true, false):
            add("answer-root-missing", root.summary, root)
        case (false, true):
            guard main.status == 404 else { return }
            findings.removeAll { $0.code == "status-not-found" }
            add("answer-root-only", "/.well-known/ answers 404, the root path 200", root)
            evaluateContent(root)
        case (false, false): break
        }
    }

    mutating func evaluateVersions(_ main: ClientExchange) {
        guard let exchange = evidence[.http2], Self.isServed(main),
            exchange.isHTTP2 || exchange.tls == nil
        else { return }
        switch exchange.failure {
        case .unresolved, .refused, .noRoute, .unreachable, .local, .stopped: return
        // A server that is slow for a moment: nothing says that h2 is the cause.
        case .timeout(.handshake): return
        case .some(let failure):
            add(
                "answer-http2-broken", exchange.stall?.description ?? failure.description, main)
        case nil:
            if exchange.status != main.status {
                add(
                    "answer-http2-differs",
                    "HTTP/1.1 gets \(main.status ?? 0), HTTP/2 gets "
                        + "\(exchange.status ?? 0)", main)
            } else if !DocumentComparison.same(main.body, exchange.body) {
                add("answer-http2-differs", "the documents differ", main)
            }
        }
    }

    mutating func evaluateVariants(_ main: ClientExchange) {
        guard Self.isServed(main) else { return }
        if let exchange = evidence[.head] {
            if exchange.status != 200 {
                add("answer-head", "HEAD: \(exchange.summary)", main)
            } else if exchange.surplus > 0 {
                // RFC 9112 section 6.3: a client takes them for the next response.
                add(
                    "answer-head", "HEAD: \(exchange.surplus) bytes follow the head of the answer",
                    main)
            }
        }
        let fields = [
            (ProbePurpose.conditional, 304, "answer-conditional-304", "If-None-Match"),
            (.conditional, 412, "answer-conditional-412", "If-None-Match"),
            (.range, 206, "answer-range-206", "Range"), (.range, 416, "answer-range-416", "Range"),
        ]
        for (purpose, status, code, field) in fields where evidence[purpose]?.status == status {
            add(code, "\(field) gets \(status)", main)
        }
    }
}

extension ProbeAgent {
    var code: String {
        switch self {
        case .oldDevice, .device: "agent-device"
        case .unknown: "agent-unknown"
        case .none: "agent-none"
        }
    }
}

/// Compares documents by their meaning.
enum DocumentComparison {
    /// Whether two responses hold the same document: different bytes, or a signed and an unsigned
    /// form, do not matter. Of two that no client can read it is not claimed that they differ: what
    /// is wrong with them has its own findings.
    static func same(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        if left == right { return true }
        let (a, b) = (document(left), document(right))
        guard let a, let b else { return a == nil && b == nil }
        return a.document.root.means(b.document.root)
    }

    /// The document of an answer, signed or not; nil if it is not JSON.
    static func document(_ body: [UInt8]) -> AssociationFile? {
        try? AssociationFile(reading: SourceText(name: "answer", bytes: plain(body)))
    }

    /// The JSON, extracted from a signed form.
    static func plain(_ body: [UInt8]) -> [UInt8] {
        CMSVerifier.looksSigned(body) ? CMSVerifier.payload(of: body) ?? body : body
    }
}
