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

    private struct Statement {
        var relations: [String] = []
        var source: SourceText
        var range: Range<Int>
        var rules: DynamicLinkRules?
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
        var order: [String] = []
        var statements: [String: Statement] = [:]
        for document in documents {
            for value in document.root.array ?? [] {
                guard value["target"]?["namespace"]?.string == "android_app",
                    let package = value["target"]?["package_name"]?.string
                else { continue }
                let relations = (value["relation"]?.array ?? []).compactMap(\.string)
                let handles = relations.contains(handlesURLs)
                if statements[package] == nil {
                    order.append(package)
                    statements[package] = Statement(source: document.source, range: value.range)
                } else if handles, statements[package]?.relations.contains(handlesURLs) == false {
                    // The statement that applies.
                    statements[package]?.source = document.source
                    statements[package]?.range = value.range
                }
                statements[package]?.relations += relations
                if let rules = value["relation_extensions"]?[handlesURLs]?[
                    "dynamic_app_link_components"]
                {
                    statements[package]?.rules = DynamicLinkRules(rules, in: document.source)
                }
            }
        }
        let obstacle = obstacle(url, domain)
        return order.compactMap { package in
            guard let statement = statements[package] else { return nil }
            let (mayOpen, reason) = answer(statement, obstacle, url)
            return Decision(
                package: package, mayOpen: mayOpen, reason: reason,
                source: statement.source, range: statement.range)
        }
    }

    private static func answer(
        _ statement: Statement, _ obstacle: String?, _ url: URLParts
    ) -> (Bool, String) {
        guard statement.relations.contains(handlesURLs) else {
            return (false, "no statement gives it \(handlesURLs)")
        }
        if let obstacle { return (false, obstacle) }
        var reason = "the statement covers all paths; the app's manifest decides which it opens"
        if let rules = statement.rules {
            reason += "; " + rules.answer(url)
        }
        if url.scheme == "http" {
            reason += "; the manifest has to name http as well as https"
        }
        return (true, reason)
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
