/// All rules of the linter by family, as printed by `aasa lint --rules` and `--explain`, and listed
/// in SARIF. Their texts are the files of the folder `Catalog`.
public enum RuleCatalog {
    /// Related rules.
    public struct Family: Sendable {
        /// The family's name, for headings.
        public let name: String
        /// Its rules.
        public let rules: [LintRule]
    }

    /// The entries of all rules, read on first use.
    package static let table = CodeTable([
        PackageResources.json_txt, PackageResources.shape_txt, PackageResources.structure_txt,
        PackageResources.entries_txt, PackageResources.components_txt,
        PackageResources.patterns_txt, PackageResources.variables_txt, PackageResources.reach_txt,
        PackageResources.app_identifiers_txt, PackageResources.teams_txt,
        PackageResources.sizes_txt, PackageResources.entitlements_txt,
        PackageResources.assetlinks_txt, PackageResources.webauthn_txt,
        PackageResources.passkey_endpoints_txt, PackageResources.security_txt_txt,
        PackageResources.change_password_txt, PackageResources.limits_txt,
    ])

    /// All families, in print order.
    public static let families = table.families.map { file in
        Family(name: file.name, rules: file.entries.map { LintRule($0) })
    }

    /// All rules, in the order of the families.
    public static let all = families.flatMap(\.rules)

    /// The codes of what is not of the documented structure; a merge refuses their errors.
    static let shape = Set(families.first { $0.name == "shape" }?.rules.map(\.code) ?? [])

    /// The rule of a code; codes of the property list parser (`plist-…`) share one rule.
    public static func rule(_ code: String) -> LintRule? { table[code].map { LintRule($0) } }

    /// The codes nearest to a mistyped one, for "did you mean".
    public static func suggestion(for code: String) -> String? {
        Spelling.correction(of: code, among: all.map(\.code))
            ?? all.first { $0.code.contains(code) }?.code
    }
}
