package import AppSiteAssociation
import HTTP
package import OpenSSL

/// One host's folder, its certificates and its last good state → what is served of it now. Each
/// part (settings, document, signature, every sibling) falls back to its own last good state.
///
/// No I/O and no clock here; the caller passes in the signing function.
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
    /// Why something older than on disk is served; the first reason.
    private var problem: String?
    /// The document cannot be signed, and is served all the same.
    private var tooLargeSigned: Diagnostic?

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

    /// The new state, and all findings about the host.
    package mutating func build() -> (state: HostState, findings: [Diagnostic]) {
        if let lost = source.problems.lost { fail(lost) }
        loss.isHost = source.isLostWithSite
        let (chosen, isUsable) = chooseSettings()
        let whole = isUsable ? buildDocument(chosen) : nil
        let document = inTime(whole, chosen)
        let signature = chosen.form.needsSignature ? buildSignature(document, chosen) : nil
        // A document that cannot be signed is not published: both forms always have the same
        // content.
        let published = publishedDocument(document, signature, chosen)
        let settings = servable(chosen, signature)
        let siblings = isUsable ? buildSiblings(settings) : [:]
        let assembly = HostAssembly(factory: factory)
        let uncovered = assembly.uncoveredAliases(published, signature, settings)
        let unsigned = UnsignedAliases(
            host: source.name, aliases: uncovered, form: settings.form,
            isReadyMade: published?.readySigned != nil
        ).finding
        var facts = assembly.facts(published, signature, settings)
        if problem != nil, let previous, previous.servesContent {
            facts.keptSince = previous.served.facts.keptSince ?? now
        }
        if let unsigned { findings.append(unsigned) }
        // Nothing older is served for these.
        for finding in [tooLargeSigned, unsigned] where finding?.severity == .error {
            fail(finding)
        }
        facts.problem = problem
        facts.removedTeams = removedTeams(to: published)
        let served = assembly.served(
            name: source.name, settings: settings, document: published, signature: signature,
            uncovered: uncovered, siblings: siblings, counters: counters, facts: facts)
        let state = HostState(
            settings: settings, settingsSource: settingsSource, document: published,
            built: built, signature: signature, siblings: siblings, served: served, loss: loss)
        return (state, findings)
    }

    private var built: HostState.Built?
    /// What is kept although it is not on disk.
    private var loss = HostState.Loss()
    /// The same of the last load. A revision that is new has no such thing.
    private var lossBefore: HostState.Loss {
        source.isWhole ? HostState.Loss() : previous?.loss ?? HostState.Loss()
    }
    private var settingsSource: SourceText?
    private var counters: HostCounters {
        previous?.served.counters ?? HostCounters(host: source.name)
    }

    private static func hasError(_ findings: [Diagnostic]) -> Bool {
        findings.contains { $0.severity == .error }
    }

    private mutating func fail(_ diagnostic: Diagnostic?) {
        guard problem == nil, let diagnostic else { return }
        let place = diagnostic.start.map { "\(diagnostic.file):\($0)" } ?? diagnostic.file
        problem = "\(place): \(diagnostic.message)"
    }

    // MARK: Settings

    /// The settings in force: those on disk, or else the last good ones; without what another host
    /// has.
    package static func settings(
        of source: HostSource, previous: HostState?
    ) -> HostSettings {
        var settings =
            isKeeping(source, previous) ? previous?.settings ?? HostSettings() : source.settings
        settings.refuse(source.refused)
        return settings
    }

    private static func isKeeping(_ source: HostSource, _ previous: HostState?) -> Bool {
        source.problems.lost != nil || hasError(source.problems.settings)
            || isGone(source, previous)
    }

    /// Whether a non-empty `host.json` has vanished. Its names would vanish with it, and their
    /// clients would get 404. An operator who wants that does not do it by deleting the file.
    private static func isGone(_ source: HostSource, _ previous: HostState?) -> Bool {
        guard let previous, source.settingsSource == nil, !source.isWhole else { return false }
        return previous.settingsSource != nil && previous.settings != HostSettings()
    }

    /// - Returns: the settings, and whether any good ones were ever known.
    private mutating func chooseSettings() -> (HostSettings, isUsable: Bool) {
        findings = source.problems.settings
        if source.problems.lost == nil, !Self.hasError(findings), Self.isGone(source, previous) {
            findings.append(
                Diagnostic(
                    code: "site-settings-gone", severity: .error,
                    message: "the file is gone; its settings stay in force",
                    remedy: "put it back, or write {} into it if it is to say nothing",
                    file: source.settingsPlace))
        }
        let error = findings.first { $0.severity == .error }
        findings += source.problems.names
        let settings = Self.settings(of: source, previous: previous)
        guard Self.isKeeping(source, previous) else {
            settingsSource = source.settingsSource
            return (settings, true)
        }
        fail(error)
        settingsSource = previous?.settingsSource
        return (settings, previous != nil)
    }

    /// The settings that are served. A host that answered JSON goes on with it until there is a
    /// signature: a form that cannot be made would be a 503 for everyone.
    private mutating func servable(
        _ settings: HostSettings, _ signature: HostSignature?
    ) -> HostSettings {
        guard settings.form == .signed, signature == nil, let previous, previous.document != nil,
            previous.settings.form != .signed
        else { return settings }
        // What is kept for the next process says the same.
        settingsSource = previous.settingsSource
        var settings = settings
        settings.form = previous.settings.form
        return settings
    }

    // MARK: Departures

    /// Teams whose apps were removed, for a day: this is legal, but an operator should see it.
    private func removedTeams(to document: HostDocument?) -> [HostFacts.RemovedTeam] {
        guard let previous else { return [] }
        var removedTeams = previous.served.facts.removedTeams.filter {
            now - $0.since < HostFacts.RemovedTeam.shownSeconds
        }
        let present = Set((document?.teams ?? []).filter { $0.apps > 0 }.map(\.identifier))
        removedTeams.removeAll { present.contains($0.team) }
        for team in previous.document?.teams ?? []
        where team.apps > 0 && !present.contains(team.identifier) && document != nil {
            removedTeams.append(
                HostFacts.RemovedTeam(team: team.identifier, apps: team.apps, since: now))
        }
        return removedTeams
    }

    // MARK: Document

    /// The document to serve: the new one, or else the last good one, or else none.
    private mutating func buildDocument(_ settings: HostSettings) -> HostDocument? {
        loss.isDocument = source.isDocumentMissing || lossBefore.isDocument
        if source.problems.lost != nil { return previous?.document }
        findings += source.problems.document
        let unread = source.problems.document.filter { $0.severity == .error }
        if !unread.isEmpty {
            fail(unread.first)
            return previous?.document
        }
        let built = build(settings)
        self.built = built
        findings += built.findings
        if let missing = teamsStillMissing(built) {
            findings.append(missing)
            fail(missing)
            return previous?.document
        }
        loss.isDocument = false
        if let document = built.document { return document }
        fail(built.findings.first { $0.severity == .error })
        return previous?.document
    }

    /// A lost document comes back team by team, as the copying goes: until all are there, what was
    /// served stays.
    private func teamsStillMissing(_ built: HostState.Built) -> Diagnostic? {
        guard lossBefore.isDocument, let kept = previous?.document,
            case .fragments(let files) = source.document
        else { return nil }
        let seen = Set(
            files.map(DocumentBuilder.team) + (built.document?.teams ?? []).map(\.identifier))
        let missing = kept.teams.map(\.identifier).filter { !seen.contains($0) }
        if missing.isEmpty { return nil }
        return Diagnostic(
            code: "site-teams-gone", severity: .error,
            message: "still missing since all of them were: \(missing.joined(separator: ", ")); "
                + "the document that was served stays in service",
            remedy: "put them back; if they are not to come back, order aasa reload",
            file: "\(source.place)/teams")
    }

    private func build(_ settings: HostSettings) -> HostState.Built {
        if let built = previous?.built, built.isStrict == settings.isStrict,
            source.document.isSame(as: built.source), built.refusedSigner == nil
        {
            return built
        }
        let (document, found) = DocumentBuilder.build(
            source.document, isStrict: settings.isStrict, host: source.name, now: now)
        return HostState.Built(
            source: source.document, isStrict: settings.isStrict, document: document,
            findings: found, refusedSigner: document == nil ? signer(of: source.document) : nil)
    }

    private func signer(of source: DocumentSource) -> CertificateSummary? {
        guard case .readyMade(let file) = source, CMSVerifier.looksSigned(file.bytes) else {
            return nil
        }
        return CMSVerifier.verify(file.bytes, host: nil, trust: .none, now: now).signer
    }

    /// A ready-made signature that has ended is not served: a device takes one that does not hold
    /// as a final no. The document in it is, which all since iOS 9 read.
    private mutating func inTime(
        _ document: HostDocument?, _ settings: HostSettings
    ) -> HostDocument? {
        guard !settings.form.needsSignature, let ready = document?.readySigned,
            now >= ready.notAfter
        else { return document }
        report(
            "site-signature-ended",
            "the ready-made signature ended on \(TimeText.day(ready.notAfter)); the document in it "
                + "is served unsigned",
            remedy: "sign it again: aasa sign, or let the server sign fragments itself")
        var document = document
        document?.readySigned = nil
        return document
    }

    // MARK: Signature

    private mutating func buildSignature(
        _ document: HostDocument?, _ settings: HostSettings
    ) -> HostSignature? {
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
            }, signers: pairs.map { signer($0, settings) }, now: now)
        switch decision {
        case .keep: return current
        case .sign(let index):
            if let signature = signed(document, with: pairs[index], settings) { return signature }
            let kept = valid(current)
            return tooLargeSigned == nil || kept?.payload == document.json ? kept : nil
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

    private func signer(
        _ pair: CertificatePair, _ settings: HostSettings
    ) -> SignatureDecision.Signer {
        let summary = pair.leaf.summary
        let uncovered = settings.aliases.filter { !pair.leaf.covers($0.name) }
        return SignatureDecision.Signer(
            identity: pair.identity, notBefore: summary.notBefore, notAfter: summary.notAfter,
            coversHost: pair.leaf.covers(source.name), uncoveredAliases: uncovered.count,
            isRSA: !pair.leaf.isECDSA)
    }

    private mutating func signed(
        _ document: HostDocument, with pair: CertificatePair, _ settings: HostSettings
    ) -> HostSignature? {
        do {
            let der = try sign(document.json, pair)
            guard der.count <= SiteLimits.documentBytesMaximum else {
                let finding = SignedSize.finding(
                    bytes: document.json.count, signed: der.count, host: source.name)
                findings.append(finding)
                if settings.form == .auto { tooLargeSigned = finding } else { fail(finding) }
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

    /// The document that matches the current signature.
    private func publishedDocument(
        _ document: HostDocument?, _ signature: HostSignature?, _ settings: HostSettings
    ) -> HostDocument? {
        guard settings.form.needsSignature, let document else { return document }
        if let signature { return signature.payload == document.json ? document : lastGood }
        // No signature: a new document waits for one, unless there has never been a good one. Then
        // `auto` serves the JSON form to all clients but the few that need the signed form. So it
        // does where waiting would not help.
        return tooLargeSigned == nil ? lastGood ?? document : document
    }

    private var lastGood: HostDocument? { previous?.document }

    private mutating func report(_ code: String, _ message: String, remedy: String) {
        let diagnostic = Diagnostic(
            code: code, severity: .error, message: message, remedy: remedy, file: source.name)
        findings.append(diagnostic)
        fail(diagnostic)
    }

    // MARK: Siblings

    private mutating func buildSiblings(
        _ settings: HostSettings
    ) -> [String: HostState.SiblingState] {
        var builder = SiblingBuilder(
            source: source, previous: previous, lossBefore: lossBefore.siblings, factory: factory)
        let states = builder.build(cacheControl: settings.cacheControl)
        loss.siblings = builder.loss(of: states)
        findings += builder.findings
        fail(builder.kept)
        return states
    }
}
