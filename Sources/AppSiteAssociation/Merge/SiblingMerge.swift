/// One team's part of a sibling document.
public struct SiblingPart: Sendable {
    /// The documents that are merged from the teams' parts.
    public enum Kind: String, Sendable, CaseIterable {
        /// Android's list of statements.
        case assetLinks = "assetlinks.json"
        /// Origins that may use the host's passkeys (WebAuthn Level 3, 5.11).
        case webAuthn = "webauthn"

        /// The suffix of a part's file name: `TEAM.assetlinks.json`.
        public var ending: String { self == .assetLinks ? ".assetlinks.json" : ".webauthn.json" }
    }

    /// The sibling document.
    public let kind: Kind
    /// The team of the part.
    public let team: String
    /// The team's text.
    public let source: SourceText

    /// Creates a part of a sibling document.
    public init(kind: Kind, team: String, source: SourceText) {
        self.kind = kind
        self.team = team
        self.source = source
    }
}

/// Merges the teams' parts of `assetlinks.json` or `webauthn`.
///
/// Statements and origins keep their order, team by team; duplicates are written once. Two teams
/// that state different certificates for one Android package are a conflict: otherwise the other
/// team's app would be verified with a certificate that its team does not own.
public enum SiblingMerge {
    /// - Parameters:
    ///   - parts: in the order of the teams.
    ///   - name: the name of the merged document in messages.
    /// - Returns: the document, minified; nil if the ``Diagnostic/severity`` of a finding is error.
    public static func merge(
        _ parts: [SiblingPart], name: String
    ) -> (document: SourceText?, diagnostics: [Diagnostic]) {
        var merge = Pieces()
        for part in parts { merge.add(part) }
        let failed = merge.diagnostics.contains { $0.severity == .error }
        guard !failed, let kind = parts.first?.kind else { return (nil, merge.diagnostics) }
        let list = JSONValue(.array(merge.elements))
        let value = kind == .assetLinks ? list : JSONValue.object([("origins", list)])
        return (SourceText(name: name, bytes: JSONWriter.minified(value)), merge.diagnostics)
    }

    private struct Pieces {
        var elements: [JSONValue] = []
        var diagnostics: [Diagnostic] = []
        private var known: Set<[UInt8]> = []
        /// The team that first states something about a package, and where.
        private var owners: [String: Owner] = [:]
        /// The same for certificates, by their fingerprints in upper case.
        private var signers: [String: Owner] = [:]

        private struct Owner {
            let team: String
            let package: String
            let source: SourceText
            let range: Range<Int>
        }

        mutating func add(_ part: SiblingPart) {
            let document: JSONDocument
            do {
                document = try JSONReader.read(part.source)
            } catch {
                diagnostics.append(error.diagnostic)
                return
            }
            let list = part.kind == .assetLinks ? document.root : document.root["origins"]
            guard let values = list?.array else {
                diagnostics.append(
                    Diagnostic(
                        code: part.kind == .assetLinks ? "assetlinks-not-array" : "webauthn-shape",
                        severity: .error,
                        message: part.kind == .assetLinks
                            ? "a team's part of assetlinks.json must be an array of statements"
                            : "a team's part of webauthn must be an object with \"origins\"",
                        remedy: part.kind == .assetLinks
                            ? "Write [{\"relation\": […], \"target\": {…}}]."
                            : "Write {\"origins\": [\"https://example.com\"]}.",
                        source: part.source, range: document.root.range))
                return
            }
            for value in values {
                // By text: comparing all pairs would be quadratic.
                let isNew = known.insert(JSONWriter.minified(value)).inserted
                guard isNew else { continue }
                if part.kind == .assetLinks { claim(value, part) }
                elements.append(value)
            }
        }

        /// Records ownership of package and certificate: the first team that states one owns it.
        private mutating func claim(_ statement: JSONValue, _ part: SiblingPart) {
            guard let target = statement["target"], let name = target["package_name"]?.string
            else { return }
            for print in target["sha256_cert_fingerprints"]?.array ?? [] {
                claim(print, name, part)
            }
            guard let owner = owners[name] else {
                owners[name] = Owner(
                    team: part.team, package: name, source: part.source, range: statement.range)
                return
            }
            guard owner.team != part.team else { return }
            diagnostics.append(
                Diagnostic(
                    code: "merge-package-twice", severity: .error,
                    message:
                        "team \(owner.team) and team \(part.team) state different things about "
                        + "the Android package \(name)",
                    remedy: "leave it to one of the two teams", source: part.source,
                    range: statement.range,
                    related: [
                        Diagnostic.Related(
                            message: "the statement of team \(owner.team)", source: owner.source,
                            range: owner.range)
                    ]))
        }

        /// A certificate signs the apps of one owner: the same one for two teams is usually a copy.
        private mutating func claim(_ print: JSONValue, _ package: String, _ part: SiblingPart) {
            guard let text = print.string?.uppercased() else { return }
            guard let owner = signers[text] else {
                signers[text] = Owner(
                    team: part.team, package: package, source: part.source, range: print.range)
                return
            }
            // Two teams with one package: reported for the package.
            guard owner.team != part.team, owner.package != package else { return }
            diagnostics.append(
                Diagnostic(
                    code: "merge-fingerprint-twice", severity: .warning,
                    message: "team \(part.team) lists the same certificate for \(package) as team "
                        + "\(owner.team) for \(owner.package)",
                    remedy: "Copy the fingerprint of this package (Play Console > App signing), or "
                        + "keep both packages in one team's file",
                    source: part.source, range: print.range,
                    related: [
                        Diagnostic.Related(
                            message: "first here", source: owner.source, range: owner.range)
                    ]))
        }
    }
}
