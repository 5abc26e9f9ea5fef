import AppSiteAssociation
import HTTP
package import OpenSSL

/// One host's reconciled folder and its certificates → what is served of it now. A document or a
/// sibling that cannot be built falls back to its kept bytes, from which it is built again.
///
/// No I/O and no clock here; the caller passes in the signing function.
package struct HostBuilder {
    package typealias Sign =
        @Sendable (_ payload: [UInt8], _ pair: CertificatePair) throws
        -> [UInt8]

    var source: HostSource
    /// The last load's state of the host of that name.
    let previous: HostState?
    let kept: KeptHost
    /// The certificates that serve the host, which may sign for it.
    let pairs: [CertificatePair]
    let factory: ResponseFactory
    /// Seconds since 1970.
    let now: Int64
    let sign: Sign
    /// Findings of the document that is served as on disk.
    private(set) var documentFindings: [Diagnostic] = []
    /// Why something older, or less, is served than what the files say.
    var reports: [Diagnostic] = []
    /// Errors that keep nothing from being served as on disk.
    var notes: [Diagnostic] = []
    private(set) var refusedSigner: CertificateSummary?

    /// What was served before this process, from its kept bytes.
    static func restored(
        _ name: String, place: String, kept: KeptHost, factory: ResponseFactory
    ) -> HostState {
        let reason = Diagnostic(code: "site-unreadable", severity: .error, message: "", file: place)
        var source = HostSource.lost(name, place: place, kept: kept, because: reason)
        source.settings.aliases.removeAll { !kept.facts.aliases.contains($0.value) }
        if !kept.facts.isDefault { source.settings.isDefault = false }
        // At a time when the signature was good: whether it still is, the next load decides.
        var builder = HostBuilder(
            source: source, previous: nil, kept: kept, pairs: [], factory: factory,
            now: kept.facts.signature?.notBefore ?? 0, sign: { _, _ in [] })
        var state = builder.build().state
        state.kept = kept
        return state
    }

    /// The new state, and all findings about the host.
    mutating func build() -> (state: HostState, findings: [Diagnostic]) {
        var settings = source.inForce
        // Settings that were never good say nothing about names and forms.
        let isUsable = !kept.files.isEmpty || !source.problems.settings.hasErrors
        var document = isUsable ? buildDocument(settings) : nil
        var signature: HostSignature?
        if settings.form.needsSignature {
            signature = buildSignature(document, settings)
            // A document that cannot be signed is not published: both forms always have the same
            // content.
            document = publishedDocument(document, signature, settings)
            if signature?.payload != document?.json { signature = nil }
        }
        // A form that cannot be made would be a 503 for everyone.
        if settings.form == .signed, signature == nil, let form = kept.facts.form {
            settings.form = form
        }
        let siblings = isUsable ? buildSiblings() : [:]
        let assembly = HostAssembly(
            factory: factory, name: source.name, settings: settings, document: document,
            signature: signature)
        let uncovered = assembly.uncoveredAliases
        let unsigned = UnsignedAliases.finding(
            uncovered, of: source.name, form: settings.form,
            isReadyMade: document?.readySigned != nil)
        var facts = assembly.facts
        let older = olderReason
        // Where everything is served that is there, what it lacks was never served either.
        let isOlder =
            !source.kept.isEmpty || settings.form != source.inForce.form
            || (signature != nil && !reports.isEmpty)
        if older != nil, isOlder, previous?.servesContent == true {
            facts.keptSince = kept.facts.since ?? now
        }
        if let unsigned { notes.append(unsigned) }
        let worst = older ?? unsigned.flatMap { $0.severity == .error ? $0 : nil }
        facts.problem = worst?.line
        facts.fix = worst?.remedy
        facts.isStray =
            document == nil && source.tree.files.isEmpty && source.tree.unread.isEmpty
            && kept.files.isEmpty
        facts.removedTeams = removedTeams(to: document)
        let served = assembly.served(
            uncovered: uncovered, siblings: siblings,
            counters: previous?.served.counters ?? HostCounters(host: source.name), facts: facts)
        var next = isUsable ? keptNext(document, siblings) : KeptHost()
        next.isLost = source.isLostWithSite
        next.facts = KeptFacts(
            aliases: Set(settings.aliases.map(\.value)), isDefault: settings.isDefault,
            form: document == nil ? nil : settings.form, signature: signature,
            merged: source.document.isFragments ? document?.json : nil, since: facts.keptSince)
        let state = HostState(
            kept: next, settings: settings, document: document, siblings: siblings, served: served,
            refusedSigner: refusedSigner)
        return (state, findings)
    }

    /// The bytes that are served, and those of a document that only another release can read.
    private func keptNext(
        _ document: HostDocument?, _ siblings: [String: SiblingSource]
    ) -> KeptHost {
        var next = KeptHost()
        next.files = source.tree.files.filter { path, _ in
            switch HostTree.Group(path: path) {
            case .settings: true
            case .document: document != nil
            case .sibling(let name): siblings[name] != nil
            case nil: false
            }
        }
        if document == nil { next.files.merge(kept.files(of: .document)) { $1 } }
        next.lost = source.lost.intersection(next.groups)
        return next
    }

    // MARK: Findings

    /// The first reason why something older than on disk is served, or nothing.
    private var olderReason: Diagnostic? {
        let problems = source.problems
        let all =
            problems.settings + problems.document + reports + problems.allOfSiblings
        return source.lostBecause ?? all.first { $0.severity == .error }
    }

    /// Each once: several siblings may be lost with one folder.
    private var findings: [Diagnostic] {
        var seen: Set<Diagnostic> = []
        let problems = source.problems
        let all =
            problems.settings + problems.names + problems.document + documentFindings + reports
            + problems.allOfSiblings + notes
        return all.filter { seen.insert($0).inserted }
    }

    mutating func report(_ code: String, _ message: String, remedy: String) {
        reports.add(code, message, remedy: remedy, at: source.name)
    }

    mutating func reportEnd(of signature: HostSignature, _ instead: String = "") {
        report(
            "site-signature-ended",
            "the ready-made signature expired on \(DateText.day(signature.notAfter))" + instead,
            remedy: "sign it again with aasa sign, or serve fragments, which the server signs")
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

    /// Whether the document's bytes are kept ones.
    private var isDocumentKept: Bool { source.kept.contains(.document) }

    /// The document of the files, or else that of the kept ones, or else none.
    private mutating func buildDocument(_ settings: HostSettings) -> HostDocument? {
        // What could not be read, and what the reconciler had nothing for.
        if !isDocumentKept, source.problems.document.hasErrors { return nil }
        let (document, found) = DocumentBuilder.build(
            source.document,
            check: isDocumentKept ? .served : settings.isStrict ? .strict : .readable,
            host: source.name, options: LintOptions(now: Int(now)))
        if isDocumentKept { return (document ?? mergedBefore).map { inTime($0, settings) } }
        documentFindings = found
        if let document { return inTime(document, settings) }
        if case .readyMade(let file) = source.document, CMSVerifier.looksSigned(file.bytes) {
            refusedSigner = CMSVerifier.verify(file.bytes, host: nil, trust: .none, now: now).signer
        }
        return keptDocument(settings)
    }

    /// The kept document as it was merged, by a release that was less strict.
    private var mergedBefore: HostDocument? {
        kept.facts.merged.flatMap {
            DocumentBuilder.build(
                .readyMade(SourceText(name: source.place, bytes: $0)), check: .served
            ).document
        }
    }

    /// The document from its kept bytes; nil: there are none.
    private mutating func keptDocument(_ settings: HostSettings) -> HostDocument? {
        source.problems.document += documentFindings
        documentFindings = []
        guard kept.groups.contains(.document) else { return nil }
        source = source.fallingBack([.document: source.problems.document], to: kept)
        return buildDocument(settings)
    }

    /// A ready-made signature that has ended is not served: a device takes one that does not hold
    /// as a final no. The document in it is, which all since iOS 9 read.
    private mutating func inTime(
        _ document: HostDocument, _ settings: HostSettings
    ) -> HostDocument {
        guard !settings.form.needsSignature, let ready = document.readySigned,
            now >= ready.notAfter
        else { return document }
        reportEnd(of: ready, "; its document is served unsigned")
        var document = document
        document.readySigned = nil
        return document
    }

    // MARK: Signature

    /// The document that matches the current signature.
    private mutating func publishedDocument(
        _ document: HostDocument?, _ signature: HostSignature?, _ settings: HostSettings
    ) -> HostDocument? {
        guard let document, signature?.payload != document.json else { return document }
        // No signature: a new document waits for one, unless there has never been a good one. Then
        // `auto` serves the JSON form to all clients but the few that need the signed form.
        let files = source.tree.files(of: .document)
        let lastGood = kept.files(of: .document)
        if isDocumentKept || lastGood.isEmpty || files == lastGood { return document }
        return keptDocument(settings)
    }

    // MARK: Siblings

    /// A sibling that is empty, or has to be JSON and no longer is, keeps its last good bytes. One
    /// that never was valid is served as it is, with an error in the log: then validators report
    /// the truth.
    private mutating func buildSiblings() -> [String: SiblingSource] {
        var why: [HostTree.Group: [Diagnostic]] = [:]
        for sibling in source.siblings.sorted(by: { $0.name < $1.name }) {
            let known = previous?.siblings[sibling.name]
            guard !source.kept.contains(.sibling(sibling.name)),
                let fault = sibling.fault(after: known?.source.bytes)
            else { continue }
            if let known, known.fault(after: nil) == nil {
                why[.sibling(sibling.name)] = [fault]
            } else {
                notes.append(fault)
            }
        }
        source = source.fallingBack(why, to: kept)
        return limited(Dictionary(source.siblings.map { ($0.name, $0) }) { $1 })
    }

    /// If there are too many, those that are served already have priority, then the order of names.
    private mutating func limited(
        _ siblings: [String: SiblingSource]
    ) -> [String: SiblingSource] {
        guard siblings.count > SiteLimits.siblingsMaximum else { return siblings }
        let known = kept.groups
        let order = siblings.keys.sorted {
            (known.contains(.sibling($0)) ? 0 : 1, $0) < (known.contains(.sibling($1)) ? 0 : 1, $1)
        }
        let left = order.dropFirst(SiteLimits.siblingsMaximum)
        notes.add(
            "site-too-many-siblings",
            "\(siblings.count) files; at most \(SiteLimits.siblingsMaximum) are served, and those served until now have priority; not served: "
                + listed(left),
            remedy: "remove files that no client requests", at: source.siblingsPlace)
        return siblings.filter { !left.contains($0.key) }
    }
}

extension SiblingSource {
    /// Why no client could use the file.
    ///
    /// - Parameter earlier: the bytes that were served at the last load; nil: none.
    fileprivate func fault(after earlier: [UInt8]?) -> Diagnostic? {
        // A full disk leaves empty files, and so does an interrupted editor.
        if source.bytes.isEmpty, earlier?.isEmpty == false {
            return Diagnostic(
                code: "site-sibling-empty", severity: .error,
                message: "the file was emptied; its last good version stays in service",
                remedy: "write its content again, or delete the file if it should not be served",
                file: source.name)
        }
        guard isJSON else { return nil }
        do {
            _ = try JSONReader.read(source)
            return nil
        } catch {
            return error.diagnostic
        }
    }
}
