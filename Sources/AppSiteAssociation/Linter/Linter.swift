/// Finds what is wrong, fragile or surprising in association documents and their siblings.
///
/// ```swift
/// let source = SourceText(name: "apple-app-site-association", bytes: bytes)
/// for finding in Linter.lint(source) { print(finding) }
/// ```
///
/// Pure: the same bytes and options give the same findings in the same order (by position). Codes
/// are stable; ``RuleCatalog`` explains each.
public enum Linter {
    /// Looks at one document.
    ///
    /// - Parameter kind: what the document is; by default guessed from the name of the source.
    public static func lint(
        _ source: SourceText, as kind: LintKind? = nil, options: LintOptions = LintOptions()
    ) -> [Diagnostic] {
        lint(LintFile(source, as: kind), with: [], options: options)
    }

    /// Looks at documents together: the fragments of a host's teams in the order in which they are
    /// merged, its sibling documents, and entitlements of apps that name the host.
    ///
    /// What one file says about another (URLs claimed twice, an app that the document does not
    /// name) is reported beside what each file says alone. Files of different hosts, and files
    /// without a host, know nothing of each other; only entitlements look at every host.
    public static func lintHost(
        _ files: [LintFile], options: LintOptions = LintOptions()
    ) -> [Diagnostic] {
        var findings = files.flatMap { lint($0, with: files, options: options) }
        var hosts: [String] = []
        for file in files {
            guard let host = file.host, file.team != nil, !hosts.contains(host) else { continue }
            hosts.append(host)
            findings += merged(files.filter { $0.host == host }, options)
        }
        return findings
    }

    /// What only shows when the fragments are put together: foreign apps, variables that clash, the
    /// size.
    private static func merged(_ files: [LintFile], _ options: LintOptions) -> [Diagnostic] {
        let fragments = files.compactMap { file -> Fragment? in
            guard let team = file.team, file.kind == .association,
                case .success(let association) = file.association
            else { return nil }
            return Fragment(team: team, file: association)
        }
        if fragments.isEmpty { return [] }
        let result = Merge.merge(fragments)
        // Problems of the fragments themselves are in their own findings.
        var findings = result.diagnostics.filter { $0.code.hasPrefix("merge-") }
        if let near = SizeRules.nearLimit(result, of: fragments) { findings.append(near) }
        return findings.filter { !options.disabled.contains($0.code) }
    }

    private static func lint(
        _ file: LintFile, with others: [LintFile], options: LintOptions
    ) -> [Diagnostic] {
        var context = LintContext(source: file.source, options: options)
        switch file.kind {
        case .association: association(file, others, &context)
        case .entitlements: entitlements(file, others, &context)
        case .assetLinks: json(file.source, &context, AssetLinksRules.check)
        case .webAuthn: json(file.source, &context, WebAuthnRules.check)
        case .passkeyEndpoints: json(file.source, &context, PasskeyEndpointRules.check)
        case .securityText: SecurityTextRules.check(&context)
        case .changePassword: ChangePasswordRules.check(&context)
        }
        return sorted(context.findings)
    }

    private static func association(
        _ file: LintFile, _ others: [LintFile], _ context: inout LintContext
    ) {
        let association: AssociationFile
        switch file.association {
        case .success(let read): association = read
        case .failure(let error): return context.add(error.diagnostic)
        }
        SizeRules.check(association.document, &context)
        StructureRules.check(association.document, &context)
        if let applinks = association.document.root.member("applinks") {
            EntryRules.check(applinks, &context)
        }
        context.addShape(association.problems)
        guard let links = association.applinks else { return }
        VariableRules.check(links, &context)
        let entries = file.entries
        ReachRules.check(entries, &context)
        // A lone file stands for its host.
        let host = others.filter { $0.host != nil && $0.host == file.host }
        TeamRules.check(host.isEmpty ? entries : host.flatMap(\.entries), &context)
    }

    private static func entitlements(
        _ file: LintFile, _ others: [LintFile], _ context: inout LintContext
    ) {
        guard let entitlements = EntitlementRules.check(&context) else { return }
        var documents: [String: [AssociationFile]] = [:]
        for other in others where other.kind == .association {
            guard let host = other.host, case .success(let document) = other.association else {
                continue
            }
            documents[host, default: []].append(document)
        }
        EntitlementRules.check(entitlements, app: file.app, documents: documents, &context)
    }

    private static func json(
        _ source: SourceText, _ context: inout LintContext,
        _ check: (JSONDocument, inout LintContext) -> Void
    ) {
        switch Result(catching: { () throws(JSONError) in try JSONReader.read(source) }) {
        case .failure(let error): context.add(error.diagnostic)
        case .success(let document):
            for duplicate in document.duplicateKeys {
                context.add(
                    Diagnostic(
                        code: ShapeRule.duplicateKey.rawValue,
                        severity: ShapeRule.duplicateKey.severity,
                        message: "the key \"\(duplicate.key)\" stands twice in one object",
                        source: source, range: duplicate.second))
            }
            check(document, &context)
        }
    }

    /// By position, findings about the whole file first; stable, so that equal places keep their
    /// order.
    private static func sorted(_ findings: [Diagnostic]) -> [Diagnostic] {
        findings.enumerated().sorted { left, right in
            let places = (
                left.element.range?.lowerBound ?? -1, right.element.range?.lowerBound ?? -1
            )
            return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
        }.map(\.element)
    }
}

/// A document to be looked at together with others.
public final class LintFile: Sendable {
    public let source: SourceText
    public let kind: LintKind
    /// The host whose document (or part of it) this is, in lower case; nil when not known.
    public let host: String?
    /// Prefix of the team whose fragment this is.
    public let team: String?
    /// For entitlements: the app's identifier, which source files seldom hold.
    public let app: String?
    /// Read once, for the looks of all other files at it.
    let association: Result<AssociationFile, JSONError>
    let entries: [OutlinedEntry]

    public init(
        _ source: SourceText, as kind: LintKind? = nil, host: String? = nil, team: String? = nil,
        app: String? = nil
    ) {
        self.source = source
        let kind = kind ?? LintKind(fileName: source.name)
        self.kind = kind
        self.host = host?.lowercased()
        self.team = team
        self.app = app
        guard kind == .association else {
            association = .success(AssociationFile(document: .nothing(in: source)))
            entries = []
            return
        }
        association = Result { () throws(JSONError) in try AssociationFile(reading: source) }
        if case .success(let file) = association, let links = file.applinks {
            entries = links.details.map { OutlinedEntry($0, of: links, in: source) }
        } else {
            entries = []
        }
    }
}

extension JSONDocument {
    /// An empty object in place of a document that is not JSON.
    fileprivate static func nothing(in source: SourceText) -> JSONDocument {
        JSONDocument(source: source, root: JSONValue(.object([])), duplicateKeys: [])
    }
}
