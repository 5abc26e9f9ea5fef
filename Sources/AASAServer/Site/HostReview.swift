package import AppSiteAssociation

/// All that is wrong in a host's folder: its settings, its document and its siblings.
///
/// `aasa lint`, `aasa build`, `aasa app` and `serve --check` report these findings, so that a
/// folder has the same findings everywhere.
package struct HostReview {
    /// The document as it would be published; nil if errors forbid it.
    package let document: HostDocument?
    /// The findings, by the parts of the folder.
    package let findings: [Diagnostic]
    /// The errors among them that keep the host or one of its siblings from being served.
    package let refusals: [Diagnostic]
    /// The files that were linted; of a signed file, the document in it.
    package let files: [LintFile]

    /// - Parameters:
    ///   - keepsOrigins: whether the document records where its parts were written.
    ///   - authorities: a file of roots for the signer of a ready-made signed file.
    ///   - options: the moment for dates, and codes not to report.
    package init(
        _ host: HostSource, keepsOrigins: Bool = false, authorities: String? = nil,
        options: LintOptions = LintOptions()
    ) {
        let built = DocumentBuilder.build(
            host.document, check: host.settings.isStrict ? .strict : .readable, host: host.name,
            keepsOrigins: keepsOrigins, authorities: authorities, options: options)
        let problems = host.problems
        let isBroken = (problems.settings + problems.document).hasErrors
        document = isBroken ? nil : built.document
        let siblings = host.siblingFiles
        let found =
            problems.all + built.findings + Linter.lintHost(siblings, options: options)
        refusals = (problems.all + built.findings).filter { $0.severity == .error }
        findings = found.filter { !options.disabled.contains($0.code) }
        files = host.document.lintFiles(host: host.name) + siblings
    }
}

extension HostSource {
    /// The siblings and the teams' parts of them as the linter reads them; without those that are
    /// served unread.
    package var siblingFiles: [LintFile] {
        func file(_ name: String, _ source: SourceText, isJSON: Bool) -> LintFile? {
            let kind = LintKind(siblingName: name) ?? (isJSON ? .json : nil)
            return kind.map { LintFile(source, as: $0, host: self.name) }
        }
        return siblingParts.compactMap { file($0.kind.rawValue, $0.source, isJSON: true) }
            + siblings.filter { !$0.isMerged }.compactMap {
                file($0.name, $0.source, isJSON: $0.isJSON)
            }
    }
}

extension SiblingSource {
    /// Whether clients will parse it as JSON.
    package var isJSON: Bool { mediaType == "application/json" || mediaType.hasSuffix("+json") }
}
