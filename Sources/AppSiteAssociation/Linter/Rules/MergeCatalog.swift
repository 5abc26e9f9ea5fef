/// The catalogue's texts for conflicts that `Merge` finds between the fragments of one host.
enum MergeCatalog {
    static let rules = [
        foreignApp, teamTwice, conflict, variableConflict, variableRenamed, tooLarge,
    ]

    private static func fragment(
        _ text: String, team: String = "9JA89QQLNQ", folder: String = "teams",
        companions: [LintExample] = []
    ) -> LintExample {
        LintExample(text + "\n", file: "\(folder)/\(team).json", companions: companions)
    }
    private static func variables(_ content: String, team: String) -> String {
        """
        { "applinks": {
            "substitutionVariables": { \(content) },
            "details": [
              { "appIDs": ["\(team).com.example.app"], "components": [{ "/": "/$(part)/*" }] }
            ]
        } }
        """
    }
    private static let good = fragment(
        "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }")

    static let foreignApp = LintRule(
        "merge-foreign-app", .error, "a team's fragment names another team's app",
        why:
            "teams/PREFIX.json holds the apps of that prefix alone, so that every app has one "
            + "owner, and "
            + "no team's edit can take away another's apps.",
        fix: "move it to the fragment of its own team", .documented, "aasa, site folder",
        bad: fragment("{ \"webcredentials\": { \"apps\": [\"D3KQX62K1A.com.example.news\"] } }"),
        good: good)
    static let teamTwice = LintRule(
        "merge-team-twice", .error, "two fragments of one team",
        why: "A team has one fragment; which of two would win is anybody's guess.",
        fix: "put them together into one", .documented, "aasa, site folder",
        bad: fragment(
            "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }",
            companions: [
                fragment(
                    "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.news\"] } }",
                    folder: "more")
            ]), good: good)
    static let conflict = LintRule(
        "merge-conflict", .error, "two fragments give one member different values",
        why: "The merged document can hold only one of them.",
        fix: "agree on one value, or leave it out of one fragment", .documented,
        "aasa, site folder",
        bad: fragment(
            "{ \"authsrv\": { \"version\": 1 } }",
            companions: [fragment("{ \"authsrv\": { \"version\": 2 } }", team: "D3KQX62K1A")]),
        good: good)
    static let variableConflict = LintRule(
        "merge-variable-conflict", .error, "a variable of two teams that cannot be renamed",
        why:
            "Teams may use one name for different values; the merged document then carries one "
            + "of them "
            + "under another name. A name with $, ( or ) cannot be renamed, because no pattern can "
            + "use it.", fix: "give it a name without $, ( and )", .documented, "aasa, site folder",
        bad: fragment(
            variables("\"$part\": [\"buy\"]", team: "9JA89QQLNQ"),
            companions: [
                fragment(variables("\"$part\": [\"news\"]", team: "D3KQX62K1A"), team: "D3KQX62K1A")
            ]), good: good)
    static let variableRenamed = LintRule(
        "merge-variable-renamed", .note, "a variable gets another name in the merged document",
        why:
            "Two teams use one name for different values. Each keeps its own; nothing is lost "
            + "but bytes.",
        fix: "nothing needs to be done; another name saves the surprise", .documented,
        "aasa, site folder",
        bad: fragment(
            variables("\"part\": [\"buy\"]", team: "9JA89QQLNQ"),
            companions: [
                fragment(variables("\"part\": [\"news\"]", team: "D3KQX62K1A"), team: "D3KQX62K1A")
            ]), good: good)
    static let tooLarge = LintRule(
        "merge-too-large", .error, "the merged document is larger than what devices read",
        why: "Apple reads 131,072 bytes; beyond that every team loses its associations at once.",
        fix:
            "shorten the largest fragments: wildcards and variables say in one rule what lists "
            + "say in many",
        .documented, "Apple, Shared Web Credentials",
        bad: fragment(
            "{ \"webcredentials\": { \"apps\": ["
                + (0..<4_000).map { "\"9JA89QQLNQ.com.example.shop.number\($0)\"" }
                .joined(separator: ",") + "] } }"),
        good: good)
}
