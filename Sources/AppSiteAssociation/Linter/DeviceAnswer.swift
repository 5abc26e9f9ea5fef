/// What a device does with a document that has a finding of severity error.
///
/// An error is what keeps a device from using the document, or makes the document do what no author
/// can have meant. What does nothing is a warning or a note, and keeps no host from being served.
public enum DeviceAnswer: String, Sendable, CaseIterable {
    case refuses = "refuses the whole document: nothing in it counts"
    case keepsOne = "keeps one of the two values, and which one is not documented"
    case skipsService = "skips the service: it associates no app"
    case knowsNoApp = "finds no such app: the one that is meant is not associated"
    case takesEverything = "takes every URL for a match"
    case dropsCondition = "ignores the value: the rule does more than it says, or the opposite"
    case neverMatches = "never applies the rule: what it should open or exclude, it does not"
    case ignoresPlace = "ignores it, as it is read under another name or at another place"
    case neverSees = "never sees it: the document is not published, the last good one is"
    case skipsEntry = "skips the entry: the app is not associated with the domain"
    case crashes = "starts no app that has it: the app crashes at launch"
    case isNotApples = "does not read this file; its own readers drop the faulty part or the file"

    /// The answer for a rule whose findings are errors; nil for others.
    public static func of(_ rule: LintRule) -> DeviceAnswer? {
        rule.severity == .error ? of(rule.code) : nil
    }

    /// The answer for a code; nil for codes that are no errors of documents.
    public static func of(_ code: String) -> DeviceAnswer? {
        table.first { row in
            row.codes.contains { $0.hasSuffix("*") ? code.hasPrefix($0.dropLast()) : code == $0 }
        }?.answer
    }

    /// A `*` at the end stands for any ending; the first row with the code counts.
    static let table: [(answer: DeviceAnswer, codes: [String])] = [
        (.refuses, ["json-*", "root-not-object", "size-over-limit", "signed-size-over-limit"]),
        (.keepsOne, ["duplicate-key"]),
        (
            .skipsService,
            [
                "service-not-object", "service-misspelt", "details-wrong-type", "apps-not-array",
                "no-service", "applinks-key-misspelt",
            ]
        ),
        (
            .knowsNoApp,
            [
                "app-id-*", "app-ids-missing", "app-ids-not-array", "app-not-string",
                "detail-not-object",
            ]
        ),
        (
            .takesEverything,
            [
                "components-not-array", "paths-not-array", "entry-rules-missing",
                "component-without-pattern",
            ]
        ),
        (
            .dropsCondition,
            [
                "component-key-misspelt", "pattern-not-string", "query-wrong-type",
                "query-value-not-string", "flag-not-boolean", "defaults-not-object",
            ]
        ),
        (
            .neverMatches,
            [
                "path-not-prefix", "component-with-not", "path-not-string", "component-not-object",
                "rule-unreachable", "variable-*", "variables-not-object",
            ]
        ),
        (.ignoresPlace, ["key-misplaced", "entry-key-misspelt"]),
        (.neverSees, ["merge-*"]),
        (.crashes, ["entitlement-too-many-domains"]),
        (.skipsEntry, ["entitlement-*", "plist-unreadable"]),
        (
            .isNotApples,
            ["assetlinks-*", "webauthn-*", "passkey-*", "security-*", "change-password-*"]
        ),
    ]
}
