/// Finds errors, risks and surprises in association documents and their siblings.
///
/// ```swift
/// let source = SourceText(name: "apple-app-site-association", bytes: bytes)
/// for finding in Linter.lint(source) { print(finding) }
/// ```
///
/// Pure: the same bytes and options give the same findings in the same order (by position). Codes
/// are stable; ``RuleCatalog`` explains each.
public enum Linter {
    /// Checks one document.
    ///
    /// - Parameters:
    ///   - source: its bytes and its name, which appears in findings.
    ///   - kind: the type of the document; by default guessed from the name.
    ///   - options: parameters that are not in the document, and disabled codes.
    public static func lint(
        _ source: SourceText, as kind: LintKind? = nil, options: LintOptions = LintOptions()
    ) -> [Diagnostic] {
        lintHost([LintFile(source, as: kind)], options: options)
    }

    /// Checks documents together: the fragments of a host's teams in merge order, its sibling
    /// documents, and entitlements of apps that name the host.
    ///
    /// Findings across files (URLs claimed twice, an app missing in the document) are reported in
    /// addition to those of each file. Files of different hosts, and files without a host, are
    /// independent; only entitlements are checked against every host.
    ///
    /// - Parameters:
    ///   - files: the documents.
    ///   - documents: documents for the entitlements among the files, which were linted already.
    ///   - result: the merged fragments of the one host; nil: they are merged here.
    ///   - options: parameters that are not in the documents, and disabled codes.
    public static func lintHost(
        _ files: [LintFile], beside documents: [LintFile] = [], merged result: MergeResult? = nil,
        options: LintOptions = LintOptions()
    ) -> [Diagnostic] {
        var hosts: [String] = []
        var filesOfHost: [String: [LintFile]] = [:]
        for file in files {
            guard let host = file.host else { continue }
            if filesOfHost[host] == nil { hosts.append(host) }
            filesOfHost[host, default: []].append(file)
        }
        let claims = filesOfHost.mapValues { HostClaims($0) }
        var associations: [String: [AssociationFile]] = [:]
        for file in files + documents {
            guard let host = file.host, case .success(let read)? = file.association else {
                continue
            }
            associations[host, default: []].append(read)
        }
        var findings = files.flatMap { file in
            lint(
                file, file.host.flatMap { claims[$0] } ?? HostClaims([file]), associations, options)
        }
        for host in hosts {
            findings += merged(filesOfHost[host] ?? [], result, options)
        }
        return findings
    }

    /// Findings of the merged fragments: foreign apps, conflicting variables, the size.
    private static func merged(
        _ files: [LintFile], _ known: MergeResult?, _ options: LintOptions
    ) -> [Diagnostic] {
        let fragments = files.compactMap(\.fragment)
        if fragments.isEmpty { return [] }
        let result = known ?? Merge.merge(fragments)
        var context = LintContext(source: fragments[0].file.source, options: options)
        // Problems of the fragments are in their own findings.
        for problem in result.diagnostics where problem.code.hasPrefix("merge-") {
            context.add(problem)
        }
        SizeRules.check(result, of: fragments, &context)
        context.finish()
        return context.findings
    }

    private static func lint(
        _ file: LintFile, _ claims: @autoclosure () -> HostClaims,
        _ documents: [String: [AssociationFile]], _ options: LintOptions
    ) -> [Diagnostic] {
        var context = LintContext(source: file.source, options: options)
        switch file.kind {
        case .association: association(file, claims(), &context)
        case .entitlements: EntitlementRules.check(app: file.app, documents, &context)
        case .assetLinks: json(file.source, &context, AssetLinksRules.check)
        case .webAuthn: json(file.source, &context, WebAuthnRules.check)
        case .passkeyEndpoints: json(file.source, &context, PasskeyEndpointRules.check)
        case .securityText: SecurityTextRules.check(&context)
        case .changePassword: ChangePasswordRules.check(&context)
        case .json:
            json(file.source, &context) { document, context in
                for duplicate in document.duplicateKeys { context.report(duplicate) }
            }
        }
        context.finish()
        // By position, findings about the whole file first. Equal places keep their order.
        return context.findings.sorted {
            ($0.range?.lowerBound ?? -1) < ($1.range?.lowerBound ?? -1)
        }
    }

    private static func association(
        _ file: LintFile, _ claims: HostClaims, _ context: inout LintContext
    ) {
        let association: AssociationFile
        switch file.association {
        case .success(let read)?: association = read
        case .failure(let error)?: return syntax(error, &context)
        case nil: return
        }
        if file.source.hasByteOrderMark {
            context.report("json-byte-order-mark", at: 0..<3, fix: [TextEdit(0..<3, [])])
        }
        if ManagementRules.check(association.document.root, &context) { return }
        SizeRules.check(association.document, isFragment: file.team != nil, &context)
        AssociationFormat.format.check(association.document, &context)
        StructureRules.check(association, &context)
        if let links = association.applinks { EntryRules.check(links, file.entries, &context) }
        AppIdentifierRules.checkTogether(association, app: file.app, &context)
        guard let links = association.applinks else { return }
        VariableRules.check(links, file.entries, association.document.root, &context)
        ReachRules.check(
            file.entries, defaults: ([links.defaults] + links.details.map(\.defaults)).map(\.range),
            &context)
        TeamRules.check(claims, &context)
    }

    /// The error that ended parsing, and further ones that can be found.
    private static func syntax(_ error: JSONError, _ context: inout LintContext) {
        context.add(error.diagnostic)
        for further in JSONReader.furtherFaults(after: error, in: context.source) {
            context.add(further.diagnostic)
        }
    }

    private static func json(
        _ source: SourceText, _ context: inout LintContext,
        _ check: (JSONDocument, inout LintContext) -> Void
    ) {
        do throws(JSONError) {
            check(try JSONReader.read(source), &context)
        } catch {
            syntax(error, &context)
        }
    }
}

/// A document to check together with others.
public final class LintFile: Sendable {
    /// The document's bytes and name.
    public let source: SourceText
    /// The type, which decides on the rules.
    public let kind: LintKind
    /// The host of the document (or fragment), in lower case; nil if unknown.
    public let host: String?
    /// The prefix of the fragment's team.
    public let team: String?
    /// For entitlements: the app's identifier, which source files rarely have.
    public let app: String?
    /// Parsed once, for the checks of all other files; nil if it is of another type.
    let association: Result<AssociationFile, JSONError>?
    /// The entries of `details` with their rules; none if it is no association file.
    let entries: [LinkEntry]
    /// The fragment of a team; nil if it is none or cannot be parsed.
    package var fragment: Fragment? {
        guard let team, case .success(let file)? = association else { return nil }
        return Fragment(team: team, file: file)
    }
    /// Why it cannot be parsed; nil if it can.
    package var refusal: JSONError? {
        if case .failure(let error)? = association { return error }
        return nil
    }

    /// The finding for a file that is too large to parse.
    public static func tooLarge(_ name: String, bytes: Int) -> Diagnostic {
        Diagnostic(
            code: "json-too-large", severity: .error,
            message: "the file has \(bytes) bytes, and aasa reads at most "
                + "\(JSONLimits.standard.bytesMaximum)",
            remedy:
                "Check that this is the right file: devices read at most \(LintLimits.documentBytes) bytes.",
            file: name)
    }

    /// The same file with another content.
    package convenience init(_ file: LintFile, fixed source: SourceText) {
        self.init(source, as: file.kind, host: file.host, team: file.team, app: file.app)
    }

    /// Reads the document once, for its own findings and for those of its neighbours.
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
        association =
            kind != .association
            ? nil : Result { () throws(JSONError) in try AssociationFile(reading: source) }
        entries = LinkEntry.all(of: (try? association?.get())?.applinks)
    }
}
