package import AppSiteAssociation
import OpenSSL

/// Fragments or a ready-made file → the document that is served. Pure: bytes in, bytes and findings
/// out.
///
/// `aasa build`, `serve --check` and every reload use this code, so that they never disagree.
package enum DocumentBuilder {
    /// The document, or nil if errors among the findings forbid publishing it.
    ///
    /// - Parameters:
    ///   - check: what else forbids it than that no reader could parse it.
    ///   - host: the name that the signer of a ready-made signed file has to cover; nil: any.
    ///   - keepsOrigins: whether the document records where its parts were written.
    ///   - now: seconds since 1970, for the dates of such a signer; nil: they are not checked.
    package static func build(
        _ source: DocumentSource, check: Check = .strict, host: String? = nil,
        now: Int64? = nil, keepsOrigins: Bool = false
    ) -> (document: HostDocument?, findings: [Diagnostic]) {
        switch source {
        case .none: (nil, [])
        case .fragments(let sources): merge(sources, check, keepsOrigins)
        case .readyMade(let source):
            CMSVerifier.looksSigned(source.bytes)
                ? readySigned(source, check, host: host, now: now)
                : readyMade(source, check)
        }
    }

    /// What forbids publishing a document.
    package enum Check: Sendable {
        /// Every error of the linter.
        case strict
        /// That no reader could parse it, or that no device would take its signature (`strict` in
        /// `host.json` is false).
        case readable
        /// The same, without the signature: it was served before, and a later release that is
        /// stricter must not serve less.
        case served
    }

    /// The team that a fragment's file name gives: `teams/D3KQX62K1A.json`.
    package static func team(of source: SourceText) -> String {
        let name = source.name.split(separator: "/").last.map(String.init) ?? source.name
        return name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : name
    }

    private static func merge(
        _ sources: [SourceText], _ check: Check, _ keepsOrigins: Bool
    ) -> (HostDocument?, [Diagnostic]) {
        let files = sources.map {
            LintFile($0, as: .association, host: "host", team: team(of: $0))
        }
        let fragments = files.compactMap(\.fragment)
        var findings = files.compactMap { $0.refusal?.diagnostic }
        let result = Merge.merge(fragments, keepsOrigins: keepsOrigins)
        findings += result.diagnostics
        let linted = Linter.lintHost(files, merged: result)
        append(linted, to: &findings)
        // One unreadable fragment blocks the whole document: publishing the rest would take that
        // team's apps away from every device that asks meanwhile.
        guard fragments.count == sources.count, let bytes = result.bytes,
            !(check == .strict && linted.contains { $0.severity == .error })
        else { return (nil, findings) }
        let merged = SourceText(name: "the merged document", bytes: bytes)
        guard let file = try? AssociationFile(reading: merged) else { return (nil, findings) }
        let sizes = result.teamSizes.map { ($0.team, $0.bytes) }
        let document = HostDocument(
            json: bytes, file: file, source: .fragments,
            teamBytes: Dictionary(sizes, uniquingKeysWith: +), origins: result.origins)
        return (document, findings)
    }

    private static func readyMade(
        _ source: SourceText, _ check: Check
    ) -> (HostDocument?, [Diagnostic]) {
        if let refusal = sizeRefusal(source) { return (nil, [refusal]) }
        do {
            let file = try AssociationFile(reading: source)
            var findings = file.problems
            append(Linter.lint(source, as: .association), to: &findings)
            if check == .strict, findings.contains(where: { $0.severity == .error }) {
                return (nil, findings)
            }
            return (HostDocument(json: source.bytes, file: file, source: .readyMade), findings)
        } catch {
            return (nil, [error.diagnostic])
        }
    }

    /// A file that was signed before: served as it is, if devices would take it. `aasa verify`
    /// checks whether its chain leads to a root that devices trust; this machine's roots are
    /// different.
    private static func readySigned(
        _ source: SourceText, _ check: Check, host: String?, now: Int64?
    ) -> (HostDocument?, [Diagnostic]) {
        let report = CMSVerifier.verify(source.bytes, host: host, trust: .none, now: now ?? 0)
        let findings = report.findings.filter {
            $0.code != .untrusted && (now != nil || $0.check != .dates)
        }.map { finding in
            Diagnostic(
                code: "cms-\(finding.code.rawValue)",
                severity: finding.isError && finding.check != .chain ? .error : .warning,
                message: finding.message, remedy: finding.remedy, file: source.name)
        }
        guard check == .served || !findings.contains(where: { $0.severity == .error }),
            let payload = report.payload, let signer = report.signer
        else { return (nil, findings) }
        let inner = SourceText(name: source.name + " (the document in it)", bytes: payload)
        var (document, innerFindings) = readyMade(inner, check)
        document?.readySigned = HostDocument.PresignedDocument(
            der: source.bytes, notBefore: signer.notBefore, notAfter: signer.notAfter)
        return (document, findings + innerFindings)
    }

    private static func sizeRefusal(_ source: SourceText) -> Diagnostic? {
        let size = source.bytes.count
        guard size > SiteLimits.documentBytesMaximum else { return nil }
        return Diagnostic(
            code: "site-too-large", severity: .error,
            message: "\(size) bytes; Apple reads at most \(SiteLimits.documentBytesMaximum)",
            remedy: "take white space and dead rules out, or use substitution variables",
            file: source.name)
    }

    /// Merge and linter both check the shape of a document; a finding of both is reported once.
    private static func append(_ linted: [Diagnostic], to findings: inout [Diagnostic]) {
        var known = Set(findings.map { Place($0) })
        for finding in linted where known.insert(Place(finding)).inserted {
            findings.append(finding)
        }
    }

    private struct Place: Hashable {
        let code: String
        let file: String
        let range: Range<Int>?

        init(_ diagnostic: Diagnostic) {
            code = diagnostic.code
            file = diagnostic.file
            range = diagnostic.range
        }
    }
}
