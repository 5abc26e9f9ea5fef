/// The meaning of a host's `assetlinks.json` for a URL, as documented by Google.
///
/// The document lets an app handle every link of the host (`handle_all_urls`). The app's manifest
/// decides which paths it takes, and a site cannot see it. So the answer is at most "may".
///
/// Google: *Digital Asset Links, Creating a statement list*; *Verify Android App Links*.
public enum AndroidLinks {
    /// The relation that gives an app the links of a host (Google, *Digital Asset Links*).
    public static let handlesURLs = "delegate_permission/common.handle_all_urls"

    /// The result for a URL and one Android app.
    public struct Decision: Sendable {
        /// The package name.
        public let package: String
        /// Whether the system may offer the URL to the app.
        public let mayOpen: Bool
        /// The reason, as one sentence without a full stop.
        public let reason: String
        /// The source of the statement.
        public let source: SourceText
        /// The statement's bytes in its source.
        public let range: Range<Int>
    }

    /// What a document says about an app.
    private struct Statement {
        let package: String
        let handlesURLs: Bool
        let rules: DynamicLinkRules?
        let source: SourceText
        let range: Range<Int>

        init?(_ value: JSONValue, in source: SourceText) {
            guard value["target"]?["namespace"]?.string == "android_app",
                let package = value["target"]?["package_name"]?.string
            else { return nil }
            self.package = package
            handlesURLs =
                value["relation"]?.array?.contains { $0.string == AndroidLinks.handlesURLs }
                ?? false
            rules = value["relation_extensions"]?[AndroidLinks.handlesURLs]?[
                "dynamic_app_link_components"
            ].map { DynamicLinkRules($0, in: source) }
            self.source = source
            range = value.range
        }
    }

    /// One answer per package, in the order of the documents.
    ///
    /// - Parameters:
    ///   - url: the link that is opened.
    ///   - documents: `assetlinks.json`, or the teams' parts of it; a document that is not a list
    ///     is ignored.
    ///   - domain: the host of the document; nil if unknown.
    public static func decide(
        _ url: URLParts, in documents: [JSONDocument], domain: String?
    ) -> [Decision] {
        let statements = documents.flatMap { document in
            (document.root.array ?? []).compactMap { Statement($0, in: document.source) }
        }
        let groups = Dictionary(grouping: statements, by: \.package)
        let obstacle = obstacle(url, domain)
        return statements.unique(by: \.package).map { first in
            let own = groups[first.package] ?? []
            let applied = own.first(where: \.handlesURLs) ?? first
            let reason = answer(applied, own.compactMap(\.rules).last, obstacle, url)
            return Decision(
                package: first.package, mayOpen: applied.handlesURLs && obstacle == nil,
                reason: reason, source: applied.source, range: applied.range)
        }
    }

    private static func answer(
        _ statement: Statement, _ rules: DynamicLinkRules?, _ obstacle: String?, _ url: URLParts
    ) -> String {
        guard statement.handlesURLs else { return "no statement gives it \(handlesURLs)" }
        if let obstacle { return obstacle }
        return "the statement covers all paths; the app's manifest decides which it opens"
            + (rules.map { "; " + $0.answer(url) } ?? "")
            + (url.scheme == "http" ? "; the manifest has to name http as well as https" : "")
    }

    private static func obstacle(_ url: URLParts, _ domain: String?) -> String? {
        if let scheme = url.scheme, scheme != "https", scheme != "http" {
            return "\(scheme): URLs are no app links; only https and http are"
        }
        guard let host = url.host, let domain, !url.belongs(to: domain) else { return nil }
        return "\(host) is another host than \(domain): Android asks each host for its own "
            + "assetlinks.json, and \(domain)'s for others only where a manifest says *.\(domain)"
    }
}

/// `dynamic_app_link_components` of a statement: rules for an app's links that a site can change
/// without a new version of the app, since Android 15.
///
/// Google's format is that of Apple's components (`/`, `?`, `#`, `exclude`), evaluated in order
/// until the first match, so the same matcher is used. Older systems ignore them, and they can only
/// restrict the manifest.
struct DynamicLinkRules {
    /// The rules of the statement; nil if they are no list.
    private let rules: [JSONValue]?
    private let association: CompiledAssociation

    /// - Parameter value: the value of `dynamic_app_link_components`.
    init(_ value: JSONValue, in source: SourceText) {
        rules = value.array
        association = CompiledAssociation(Self.file(value, in: source))
    }

    /// The rules as those of one entry, for an arbitrary app.
    static func file(_ value: JSONValue, in source: SourceText) -> AssociationFile {
        let entry = JSONValue.object([("appIDs", .list([.text("-")])), ("components", value)])
        let root = JSONValue.object([("applinks", .object([("details", .list([entry]))]))])
        return AssociationFile(document: JSONDocument(source: source, root: root))
    }

    /// Which rule matches a URL first, and what follows from it; after a sentence about the
    /// statement.
    func answer(_ url: URLParts) -> String {
        let name = "dynamic_app_link_components"
        guard let rules, let path = url.withoutOrigin,
            let decision = association.decide(path).first
        else { return "its \(name) are no list of rules" }
        guard case .component(let index) = decision.rule?.rule else {
            return "since Android 15 none of the \(rules.count) rules of \(name) takes it, which "
                + "leaves it in the browser"
        }
        return "since Android 15 rule \(index + 1) of \(name) "
            + (decision.decision == .exclude ? "keeps it in the browser" : "takes it")
    }
}
