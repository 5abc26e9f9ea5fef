import AppSiteAssociation
import ArgumentParser

/// The parts of a rule as options.
struct RuleOptions: ParsableArguments {
    @Option(
        name: .customLong("query"),
        help: .value("name=pattern", "A query item; pattern ?* requires it. Repeatable."))
    var items: [String] = []

    @Option(help: .value("pattern", "A pattern for the whole query."))
    var queryString: String?

    @Option(help: .value("pattern", "A pattern for the fragment."))
    var fragment: String?

    @Option(help: .value("text", "A note for people; devices ignore it."))
    var comment: String?

    @Flag(inversion: .prefixedNo, help: "Whether a match keeps the URL out of the app.")
    var exclude: Bool?

    @Flag(
        name: .customLong("case-insensitive"), inversion: .prefixedNo,
        help: "Whether to ignore case (iOS 13.5).")
    var caseInsensitive: Bool?

    @Flag(
        name: .customLong("percent-decoded"), inversion: .prefixedNo,
        help: "Whether to compare with the decoded URL (iOS 14).")
    var percentDecoded: Bool?

    func validate() throws {
        if !items.isEmpty, queryString != nil {
            throw ValidationError("give either --query or --query-string")
        }
        for item in items where item.first == "=" || !item.contains("=") {
            throw ValidationError("\"\(item)\": write a query item as name=pattern")
        }
    }

    /// Whether any of the options is given.
    var isEmpty: Bool {
        items.isEmpty && queryString == nil && fragment == nil && comment == nil && exclude == nil
            && caseInsensitive == nil && percentDecoded == nil
    }

    /// Applies the options to a rule. A flag with the built-in value is removed, unless defaults of
    /// the document may set another.
    func apply(to draft: inout RuleDraft, in editor: FragmentEditor) {
        func put(_ key: RuleDraft.Key, _ value: Bool, builtIn: Bool) {
            draft[key] = value == builtIn ? editor.builtInValue(of: key) : .flag(value)
        }
        if let queryString { draft[.query] = .text(queryString) }
        if !items.isEmpty {
            draft[.query] = .object(
                items.map { item in
                    let name = item.prefix { $0 != "=" }
                    return (String(name), .text(String(item.dropFirst(name.count + 1))))
                })
        }
        if let fragment { draft[.fragment] = .text(fragment) }
        if let exclude { put(.exclude, exclude, builtIn: false) }
        if let caseInsensitive { put(.caseSensitive, !caseInsensitive, builtIn: true) }
        if let percentDecoded { put(.percentEncoded, !percentDecoded, builtIn: true) }
        if let comment { draft[.comment] = comment.isEmpty ? nil : .text(comment) }
    }

    /// - Throws: where a pattern cannot be one of a path.
    static func validate(path: String) throws {
        if path.hasPrefix("/") || path.hasPrefix("*") || path.hasPrefix("NOT ") { return }
        throw ValidationError(
            "\"\(path)\": a pattern begins with a slash, as in /buy/*, or is *")
    }
}
