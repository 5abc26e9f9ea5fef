/// What a host's `assetlinks.json` says about a URL, as far as Google documents it.
///
/// The document lets an app handle every link of the host (`handle_all_urls`); which paths the app
/// takes stands in its manifest, which no site can see. So an answer is never more than "may".
///
/// Google: *Digital Asset Links, Creating a statement list*; *Verify Android App Links*.
public enum AndroidLinks {
    /// The relation that gives an app the links of a host.
    public static let handlesURLs = "delegate_permission/common.handle_all_urls"

    /// What becomes of a URL for one Android app.
    public struct Decision: Sendable, Hashable {
        /// The package name.
        public let package: String
        /// Whether the system may offer the URL to the app.
        public let mayOpen: Bool
        /// Why, as one sentence without a final full stop.
        public let reason: String
        public let source: SourceReference
        /// The statement's bytes in its source.
        public let range: Range<Int>
    }

    /// A source that is compared by its name.
    public struct SourceReference: Sendable, Hashable {
        public let text: SourceText

        public static func == (left: SourceReference, right: SourceReference) -> Bool {
            left.text.name == right.text.name
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(text.name) }
    }

    private struct Statement {
        var relations: [String] = []
        var source: SourceText
        var range: Range<Int>
        var hasRules = false
    }

    /// One answer per package, in the order in which the documents name them.
    ///
    /// - Parameters:
    ///   - url: the link that is opened.
    ///   - documents: `assetlinks.json`, or the teams' parts of it; what is no list is left out.
    ///   - domain: the host whose document it is; nil: not known.
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
                    // The statement that counts.
                    statements[package]?.source = document.source
                    statements[package]?.range = value.range
                }
                statements[package]?.relations += relations
                if value["relation_extensions"]?[handlesURLs] != nil {
                    statements[package]?.hasRules = true
                }
            }
        }
        let obstacle = obstacle(url, domain)
        return order.compactMap { package in
            guard let statement = statements[package] else { return nil }
            let (mayOpen, reason) = answer(statement, obstacle, url)
            return Decision(
                package: package, mayOpen: mayOpen, reason: reason,
                source: SourceReference(text: statement.source), range: statement.range)
        }
    }

    private static func answer(
        _ statement: Statement, _ obstacle: String?, _ url: URLParts
    ) -> (Bool, String) {
        guard statement.relations.contains(handlesURLs) else {
            return (false, "no statement gives it \(handlesURLs)")
        }
        if let obstacle { return (false, obstacle) }
        var reason = "the statement goes for every path; the app's manifest chooses among them"
        if statement.hasRules {
            reason +=
                ", and since Android 15 the dynamic_app_link_components of the statement do, which "
                + "are not looked at here"
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
