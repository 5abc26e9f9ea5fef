package import AppSiteAssociation
import OpenSSL

/// Fragments or a ready-made file → the document that is served. Pure: bytes in, bytes and findings
/// out.
///
/// `aasa lint`, `aasa build`, `serve --check` and every reload use this code, so that they never
/// disagree.
package enum DocumentBuilder {
    /// The document, or nil if errors among the findings forbid publishing it.
    ///
    /// - Parameters:
    ///   - check: what else forbids it than that no reader could parse it.
    ///   - host: the name that the signer of a ready-made signed file has to cover; nil: any.
    ///   - keepsOrigins: whether the document records where its parts were written.
    ///   - authorities: a file of roots for the chain of such a signer; nil: it is not checked.
    ///   - options: the moment for the dates of such a signer; codes not to report.
    package static func build(
        _ source: DocumentSource, check: Check = .strict, host: String? = nil,
        keepsOrigins: Bool = false, authorities: String? = nil,
        options: LintOptions = LintOptions()
    ) -> (document: HostDocument?, findings: [Diagnostic]) {
        let files = source.lintFiles(host: host ?? "host")
        guard case .readyMade(let file) = source, CMSVerifier.looksSigned(file.bytes) else {
            return document(
                files, isMerged: source.isFragments, check, keepsOrigins: keepsOrigins, options)
        }
        let signed = SignedFindings(
            file, host: host, now: options.now.map(Int64.init), authorities: authorities)
        var own = options
        own.signedSize = file.bytes.count
        var (document, findings) = document(files, isMerged: false, check, own)
        findings = signed.findings.filter { !options.disabled.contains($0.code) } + findings
        guard check == .served || !signed.findings.hasErrors, let signer = signed.signer,
            let json = document?.json
        else { return (nil, findings) }
        document?.readySigned = HostSignature(
            der: file.bytes, payload: json, signer: "", notBefore: signer.notBefore,
            notAfter: signer.notAfter)
        return (document, findings)
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

    /// - Parameter files: the fragments, or the document; none if it could not be extracted from a
    ///   signed file.
    private static func document(
        _ files: [LintFile], isMerged: Bool, _ check: Check, keepsOrigins: Bool = false,
        _ options: LintOptions
    ) -> (HostDocument?, [Diagnostic]) {
        let fragments = isMerged ? files.compactMap(\.fragment) : []
        let merged = isMerged ? Merge.merge(fragments, keepsOrigins: keepsOrigins) : nil
        let findings = Linter.lintHost(files, merged: merged, options: options)
        var source = files.first?.source
        if let merged {
            // One unreadable fragment blocks the whole document: publishing the rest would take
            // that team's apps away from every device that asks meanwhile.
            let bytes = fragments.count == files.count ? merged.bytes : nil
            source = bytes.map { SourceText(name: "the merged document", bytes: $0) }
        }
        guard let source, source.bytes.count <= SiteLimits.documentBytesMaximum,
            !(check == .strict && findings.hasErrors),
            let file = try? AssociationFile(reading: source)
        else { return (nil, findings) }
        let sizes = merged?.teamSizes.map { ($0.team, $0.bytes) } ?? []
        let document = HostDocument(
            json: source.bytes, file: file,
            teamBytes: Dictionary(sizes, uniquingKeysWith: +), origins: merged?.origins)
        return (document, findings)
    }
}

extension DocumentSource {
    /// The document's files as the linter reads them.
    package func lintFiles(host: String) -> [LintFile] {
        switch self {
        case .none: return []
        case .fragments(let sources):
            return sources.map {
                LintFile($0, as: .association, host: host, team: DocumentBuilder.team(of: $0))
            }
        case .readyMade(let source):
            guard CMSVerifier.looksSigned(source.bytes) else {
                return [LintFile(source, as: .association, host: host)]
            }
            guard let payload = CMSVerifier.payload(of: source.bytes), !payload.isEmpty else {
                return []
            }
            let document = SourceText(name: source.name, bytes: payload)
            return [LintFile(document, as: .association, host: host)]
        }
    }
}
