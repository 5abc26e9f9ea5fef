package import AppSiteAssociation
import HTTP
package import OpenSSL

/// One host's folder, its certificates and its last good state → what is served of it now. Each
/// part (settings, document, signature, every sibling) falls back to its own last good state.
///
/// No I/O and no clock in here; signing is handed in.
package struct HostBuilder {
    package typealias Sign =
        @Sendable (_ payload: [UInt8], _ pair: CertificatePair) throws
        -> [UInt8]

    private let source: HostSource
    private let previous: HostState?
    private let pairs: [CertificatePair]
    private let factory: ResponseFactory
    private let now: Int64
    private let sign: Sign
    private var findings: [Diagnostic] = []
    /// Why something older than what is on disk is served; the first reason.
    private var problem: String?

    /// - Parameters:
    ///   - previous: the last build's state of the host of that name.
    ///   - pairs: the certificates that serve the host, which may sign for it.
    ///   - now: seconds since 1970.
    package init(
        source: HostSource, previous: HostState?, pairs: [CertificatePair],
        factory: ResponseFactory, now: Int64, sign: @escaping Sign
    ) {
        self.source = source
        self.previous = previous
        self.pairs = pairs
        self.factory = factory
        self.now = now
        self.sign = sign
    }

    /// The new state, and everything that is to be said about the host.
    package mutating func build() -> (state: HostState, findings: [Diagnostic]) {
        findings = source.problems.settings
        if Self.hasError(source.problems.settings) { return (withBrokenSettings(), findings) }
        let settings = source.settings
        let document = buildDocument(settings)
        let signature = settings.form.needsSignature ? buildSignature(document) : nil
        // A document that cannot be signed is not published: both forms say the same, always.
        let published = publishedDocument(document, signature, settings)
        let siblings = buildSiblings(settings)
        let served = ServedHost(
            name: source.name, aliases: settings.aliases.map(\.name),
            association: association(published, signature, settings),
            siblings: servedSiblings(siblings, settings), counters: counters,
            facts: facts(published, signature, settings))
        let state = HostState(
            settings: settings, document: published, built: built, signature: signature,
            siblings: siblings, served: served)
        return (state, findings)
    }

    private var built: HostState.Built?
    private var counters: HostCounters {
        previous?.served.counters ?? HostCounters(host: source.name)
    }

    private static func hasError(_ findings: [Diagnostic]) -> Bool {
        findings.contains { $0.severity == .error }
    }

    // MARK: Settings

    private mutating func withBrokenSettings() -> HostState {
        fail(source.problems.settings.first)
        if var state = previous {
            var facts = state.served.facts
            facts.problem = problem
            state.served = state.served.with(facts: facts)
            return state
        }
        let served = ServedHost(
            name: source.name, aliases: [],
            association: .unavailable(factory.unavailable()), siblings: [], counters: counters,
            facts: HostFacts(problem: problem))
        return HostState(served: served)
    }

    private mutating func fail(_ diagnostic: Diagnostic?) {
        guard problem == nil, let diagnostic else { return }
        let place = diagnostic.start.map { "\(diagnostic.file):\($0)" } ?? diagnostic.file
        problem = "\(place): \(diagnostic.message)"
    }

    // MARK: Document

    /// The document to serve: the new one, else the last good one, else none.
    private mutating func buildDocument(_ settings: HostSettings) -> HostDocument? {
        findings += source.problems.document
        let unread = source.problems.document.filter { $0.severity == .error }
        if !unread.isEmpty {
            fail(unread.first)
            return previous?.document
        }
        let built = build(settings)
        self.built = built
        findings += built.findings
        if let document = built.document { return document }
        fail(built.findings.first { $0.severity == .error })
        return previous?.document
    }

    private func build(_ settings: HostSettings) -> HostState.Built {
        if let built = previous?.built, built.isStrict == settings.isStrict,
            source.document.isSame(as: built.source)
        {
            return built
        }
        let (document, found) = DocumentBuilder.build(
            source.document, isStrict: settings.isStrict, host: source.name, now: now)
        return HostState.Built(
            source: source.document, isStrict: settings.isStrict, document: document,
            findings: found)
    }

    // MARK: Signature

    private mutating func buildSignature(_ document: HostDocument?) -> HostSignature? {
        guard let document else { return nil }
        if let ready = document.readySigned {
            if now < ready.notAfter {
                return HostSignature(
                    der: ready.der, payload: document.json, signer: "",
                    notBefore: ready.notBefore, notAfter: ready.notAfter)
            }
            report(
                "site-signature-ended",
                "the ready-made signature ended on \(TimeText.day(ready.notAfter))",
                remedy: "sign it again: aasa sign, or let the server sign fragments itself")
            return nil
        }
        let current = previous?.signature
        let decision = SignatureDecision.decide(
            current: current.map {
                SignatureDecision.Current(
                    signer: $0.signer, notBefore: $0.notBefore, notAfter: $0.notAfter,
                    isOverDocument: $0.payload == document.json)
            }, signers: pairs.map(signer), now: now)
        switch decision {
        case .keep: return current
        case .sign(let index): return signed(document, with: pairs[index]) ?? valid(current)
        case .keepLastGood(let reason):
            report(
                "site-cannot-sign", "\(reason); the last good signature stays",
                remedy: "renew the certificate of \(source.name)")
            return current
        case .none(let reason):
            report(
                "site-cannot-sign", "\(reason), and no valid signature is at hand",
                remedy: "renew the certificate of \(source.name), or set \"form\": \"json\"")
            return nil
        }
    }

    private func valid(_ signature: HostSignature?) -> HostSignature? {
        guard let signature, signature.notBefore <= now, now < signature.notAfter else {
            return nil
        }
        return signature
    }

    private func signer(_ pair: CertificatePair) -> SignatureDecision.Signer {
        let summary = pair.leaf.summary
        return SignatureDecision.Signer(
            identity: pair.identity, notBefore: summary.notBefore, notAfter: summary.notAfter,
            coversHost: pair.leaf.covers(source.name), isRSA: !pair.leaf.isECDSA)
    }

    private mutating func signed(
        _ document: HostDocument, with pair: CertificatePair
    ) -> HostSignature? {
        do {
            let der = try sign(document.json, pair)
            guard der.count <= SiteLimits.documentBytesMaximum else {
                report(
                    "site-signed-too-large",
                    "the document has \(document.json.count) bytes and \(der.count) signed; "
                        + "Apple reads at most \(SiteLimits.documentBytesMaximum)",
                    remedy: "shorten it, set \"form\": \"json\", or sign with a shorter chain")
                return nil
            }
            return HostSignature(
                der: der, payload: document.json, signer: pair.identity,
                notBefore: pair.leaf.summary.notBefore, notAfter: pair.leaf.summary.notAfter)
        } catch {
            report("site-cannot-sign", "\(error)", remedy: "see certificate and key")
            return nil
        }
    }

    /// The document that goes with the signature there is.
    private func publishedDocument(
        _ document: HostDocument?, _ signature: HostSignature?, _ settings: HostSettings
    ) -> HostDocument? {
        guard settings.form.needsSignature, let document else { return document }
        if let signature { return signature.payload == document.json ? document : lastGood }
        // No signature: a new document waits for one, unless there has never been a good one. In
        // `auto` the JSON form then serves all but the few that need the signed form.
        return lastGood ?? document
    }

    private var lastGood: HostDocument? { previous?.document }

    private mutating func report(_ code: String, _ message: String, remedy: String) {
        let diagnostic = Diagnostic(
            code: code, severity: .error, message: message, remedy: remedy, file: source.name)
        findings.append(diagnostic)
        fail(diagnostic)
    }

    // MARK: What is served

    private func association(
        _ document: HostDocument?, _ signature: HostSignature?, _ settings: HostSettings
    ) -> ServedAssociation {
        guard let document else { return .unavailable(factory.unavailable()) }
        let cache = settings.cacheControl
        switch settings.form {
        case .json:
            if let ready = document.readySigned {
                return .signed(factory.signed(ready.der, cacheControl: cache, varies: false))
            }
            return .document(factory.document(document.json, cacheControl: cache, varies: false))
        case .signed:
            guard let signature else { return .unavailable(factory.unavailable()) }
            return .signed(factory.signed(signature.der, cacheControl: cache, varies: false))
        case .auto:
            return .auto(
                json: factory.document(document.json, cacheControl: cache, varies: true),
                signed: signature.map {
                    factory.signed($0.der, cacheControl: cache, varies: true)
                } ?? factory.unavailable())
        }
    }

    private func facts(
        _ document: HostDocument?, _ signature: HostSignature?, _ settings: HostSettings
    ) -> HostFacts {
        HostFacts(
            source: document?.source ?? .none, form: settings.form, teams: document?.teams ?? [],
            apps: document?.apps ?? 0, documentBytes: document?.json.count ?? 0,
            signedBytes: signature?.der.count ?? document?.readySigned?.der.count,
            signatureBegins: signature?.notBefore, signatureEnds: signature?.notAfter,
            problem: problem)
    }

    // MARK: Siblings

    private mutating func buildSiblings(
        _ settings: HostSettings
    ) -> [String: HostState.SiblingState] {
        var states: [String: HostState.SiblingState] = [:]
        for (name, problems) in source.problems.siblings.sorted(by: { $0.key < $1.key }) {
            findings += problems
            if Self.hasError(problems) {
                fail(problems.first)
                states[name] = previous?.siblings[name]
            }
        }
        for sibling in source.siblings {
            states[sibling.name] = state(of: sibling, cacheControl: settings.cacheControl)
        }
        return states
    }

    private func state(
        of sibling: SiblingSource, cacheControl: String
    ) -> HostState.SiblingState {
        if let known = previous?.siblings[sibling.name], known.source.isSame(as: sibling.source),
            known.mediaType == sibling.mediaType, known.cacheControl == cacheControl
        {
            return known
        }
        // A challenge lives for a minute and must never come from a cache.
        let isChallenge = sibling.name.hasPrefix("acme-challenge/")
        let response = factory.sibling(
            sibling.source.bytes, mediaType: sibling.mediaType,
            cacheControl: isChallenge ? "no-store" : cacheControl)
        return HostState.SiblingState(
            source: sibling.source, mediaType: sibling.mediaType, cacheControl: cacheControl,
            served: ServedSibling(name: "/.well-known/" + sibling.name, response: response))
    }

    private func servedSiblings(
        _ states: [String: HostState.SiblingState], _ settings: HostSettings
    ) -> [ServedSibling] {
        var siblings = states.values.map(\.served).sorted { $0.name < $1.name }
        if let target = settings.changePassword {
            siblings.append(
                ServedSibling(
                    name: "/.well-known/change-password", response: factory.redirect(to: target)))
        }
        return siblings
    }
}

extension ServedHost {
    func with(facts: HostFacts) -> ServedHost {
        ServedHost(
            name: name, aliases: aliases, association: association, siblings: siblings,
            counters: counters, facts: facts)
    }
}
