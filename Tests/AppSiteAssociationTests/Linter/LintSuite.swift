import AppSiteAssociation
import Testing

/// Lints documents that are written as texts, on the day of the examples.
protocol LintSuite {}

extension LintSuite {
    /// An identifier that nothing is wrong with.
    static var shop: String { "9JA89QQLNQ.com.example.shop" }

    func lint(
        _ text: String, file: String = "apple-app-site-association"
    ) -> [Diagnostic] {
        Linter.lint(SourceText(name: file, text: text), options: LintOptions(now: exampleDate))
    }

    func codes(_ text: String, file: String = "apple-app-site-association") -> [String] {
        lint(text, file: file).map(\.code)
    }

    /// A document with these entries of `details`.
    func details(_ entries: String, applinks: String = "") -> String {
        "{\"applinks\": {\(applinks)\"details\": [\(entries)]}}"
    }

    /// An entry of one app with these components.
    func entry(
        _ components: String, app: String = Self.shop, more: String = ""
    ) -> String {
        "{\"appIDs\": [\"\(app)\"], \(more)\"components\": [\(components)]}"
    }

    /// A document of one app with these components.
    func components(_ list: String, applinks: String = "", more: String = "") -> String {
        details(entry(list, more: more), applinks: applinks)
    }
}
