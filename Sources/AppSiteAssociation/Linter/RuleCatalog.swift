/// All rules of the linter by family, as printed by `aasa lint --rules` and `--explain`, and listed
/// in SARIF. Their texts are the files of the folder `Catalog`.
public enum RuleCatalog {
    /// The entries of all rules, read on first use.
    package static let table = CodeTable(.lintCatalog)

    /// All rules, in the order of the families.
    public static let all = table.entries

    /// The codes of what is not of the documented structure; a merge refuses their errors.
    static let shape = Set(
        table.families.first { $0.name == "shape" }?.entries.map(\.code) ?? [])

    /// The rule of a code; codes of the property list parser (`plist-…`) share one rule.
    public static func rule(_ code: String) -> CodeEntry? { table[code] }

    /// The codes nearest to a mistyped one, for "did you mean".
    public static func suggestion(for code: String) -> String? {
        Spelling.correction(of: code, among: all.map(\.code))
            ?? all.first { $0.code.contains(code) }?.code
    }
}
