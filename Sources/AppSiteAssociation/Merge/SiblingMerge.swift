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
                let format =
                    part.kind == .assetLinks ? SiblingFormat.assetLinks : SiblingFormat.webAuthn
                diagnostics += format.problems(in: document).filter { $0.severity == .error }
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

        /// The first team that states something about a package owns it. A certificate signs the
        /// apps of one owner: the same one for two teams is usually a copy.
        private mutating func claim(_ statement: JSONValue, _ part: SiblingPart) {
            guard let target = statement["target"], let name = target["package_name"]?.string
            else { return }
            func own(_ range: Range<Int>) -> Owner {
                Owner(team: part.team, package: name, source: part.source, range: range)
            }
            for print in target["sha256_cert_fingerprints"]?.array ?? [] {
                // Two teams with one package: reported for the package.
                guard let text = print.string?.uppercased(),
                    let other = Self.rival(of: own(print.range), for: text, among: &signers),
                    other.package != name
                else { continue }
                diagnostics.append(
                    Diagnostic(
                        code: "merge-fingerprint-twice", severity: .warning,
                        message: "team \(part.team) lists the same certificate for \(name) as team "
                            + "\(other.team) for \(other.package)",
                        remedy: "Copy the fingerprint of this package (Play Console > App "
                            + "signing), or keep both packages in one team's file",
                        source: part.source, range: print.range,
                        related: [
                            Diagnostic.Related(
                                message: "first here", source: other.source, range: other.range)
                        ]))
            }
            guard let other = Self.rival(of: own(statement.range), for: name, among: &owners)
            else { return }
            diagnostics.append(
                Diagnostic(
                    code: "merge-package-twice", severity: .error,
                    message:
                        "team \(other.team) and team \(part.team) state different things about "
                        + "the Android package \(name)",
                    remedy: "leave it to one of the two teams", source: part.source,
                    range: statement.range,
                    related: [
                        Diagnostic.Related(
                            message: "the statement of team \(other.team)", source: other.source,
                            range: other.range)
                    ]))
        }

        /// The owner of what a team states, if it is another team; what has none is the team's own.
        private static func rival(
            of owner: Owner, for name: String, among known: inout [String: Owner]
        ) -> Owner? {
            guard let first = known[name] else {
                known[name] = owner
                return nil
            }
            return first.team == owner.team ? nil : first
        }
    }
}
