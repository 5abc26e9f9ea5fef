/// All rules of the linter by family, as printed by `aasa lint --rules` and `--explain`, and listed
/// in SARIF.
public enum RuleCatalog {
    /// Related rules.
    public struct Family: Sendable {
        /// The family's name, for headings.
        public let name: String
        /// Its rules.
        public let rules: [LintRule]
    }

    /// All families, in print order.
    public static let families = [
        Family(name: "JSON", rules: JSONCatalog.rules),
        Family(name: "shape", rules: ShapeCatalog.rules),
        Family(name: "structure", rules: StructureRules.rules),
        Family(name: "entries", rules: EntryRules.rules),
        Family(name: "components", rules: ComponentRules.rules + PathRules.rules),
        Family(name: "patterns", rules: PatternRules.rules + QueryRules.rules),
        Family(name: "variables", rules: VariableRules.rules),
        Family(name: "reach", rules: ReachRules.rules),
        Family(name: "app identifiers", rules: AppIdentifierRules.rules),
        Family(name: "teams", rules: TeamRules.rules + MergeCatalog.rules),
        Family(name: "sizes", rules: SizeRules.rules),
        Family(name: "entitlements", rules: EntitlementRules.rules),
        Family(name: "assetlinks.json", rules: AssetLinksRules.rules),
        Family(name: "webauthn", rules: WebAuthnRules.rules),
        Family(name: "passkey-endpoints", rules: PasskeyEndpointRules.rules),
        Family(name: "security.txt", rules: SecurityTextRules.rules),
        Family(name: "change-password", rules: ChangePasswordRules.rules),
        Family(name: "limits", rules: LimitRules.rules),
    ]

    /// All rules, in the order of the families.
    public static let all = families.flatMap(\.rules)

    /// The codes of what is not of the documented structure; a merge refuses their errors.
    static let shape = Set(ShapeCatalog.rules.map(\.code))

    private static let byCode = Dictionary(
        all.map { ($0.code, $0) }, uniquingKeysWith: { a, _ in a })

    /// The rule of a code; codes of the property list parser (`plist-…`) share one rule.
    public static func rule(_ code: String) -> LintRule? { byCode[code] }

    /// The codes nearest to a mistyped one, for "did you mean".
    public static func suggestion(for code: String) -> String? {
        Spelling.correction(of: code, among: all.map(\.code))
            ?? all.first { $0.code.contains(code) }?.code
    }
}
