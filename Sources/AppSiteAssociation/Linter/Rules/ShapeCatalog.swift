/// The catalogue's texts for structural errors that `AssociationFile` finds.
enum ShapeCatalog {
    static let rules = ShapeRule.allCases.map(rule)

    private static let good = LintExample.components("{ \"/\": \"/buy/*\" }")
    private static let details = "Apple, applinks.Details"
    private static let variables = "Apple, applinks.SubstitutionVariables"
    private static let component = "Apple, applinks.Details.Components"

    /// Exhaustive, so that a new shape rule cannot be forgotten here.
    private static func rule(_ shape: ShapeRule) -> LintRule {
        switch shape {
        case .appsMissing:
            return LintRule(
                shape, "a service without its list of apps",
                why:
                    "webcredentials, appclips and activitycontinuation associate exactly the "
                    + "apps of their "
                    + "apps array; without it they associate none.",
                fix: "remove the service, or list its apps in \"apps\"", .documented,
                "Apple, Supporting associated domains",
                bad: LintExample("{ \"webcredentials\": {} }\n"),
                good: LintExample(
                    "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n"))
        case .appsNotArray:
            return LintRule(
                shape, "apps is not an array",
                why:
                    "A single identifier needs the brackets as well; otherwise the list cannot "
                    + "be read.",
                fix: "put it in brackets: [\"PREFIX.bundle.id\"]", .documented,
                "Apple, Supporting associated domains",
                bad: LintExample(
                    "{ \"webcredentials\": { \"apps\": \"9JA89QQLNQ.com.example.shop\" } }\n"),
                good: LintExample(
                    "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n"))
        case .appNotString:
            return LintRule(
                shape, "an element of a list of apps is not a string",
                why:
                    "Devices are said to skip it and to read the rest; the app it stood for is not "
                    + "associated.",
                fix: "write the identifier as a string: \"PREFIX.bundle.id\"", .reported,
                "Apple, Supporting associated domains",
                bad: LintExample(
                    "{ \"appclips\": { \"apps\": [{ \"appID\": "
                        + "\"9JA89QQLNQ.com.example.shop.Clip\" }] } }\n"
                ),
                good: LintExample(
                    "{ \"appclips\": { \"apps\": [\"9JA89QQLNQ.com.example.shop.Clip\"] } }\n"))
        case .appIDsMissing:
            return LintRule(
                shape, "an entry that names no app",
                why: "Its rules belong to nobody and are never used.",
                fix: "add \"appIDs\": [\"PREFIX.bundle.id\"]", .documented, details,
                bad: LintExample(
                    "{ \"applinks\": { \"details\": [{ \"components\": [{ \"/\": \"/buy/*\" }] "
                        + "}] } }\n"
                ),
                good: good)
        case .appIDsNotArray:
            return LintRule(
                shape, "appIDs is not an array",
                why: "appIDs is a list; a single string there is not read as one.",
                fix: "put the identifier in brackets", .documented, details,
                bad: LintExample(
                    "{ \"applinks\": { \"details\": [{ \"appIDs\": "
                        + "\"9JA89QQLNQ.com.example.shop\" }] } }\n"
                ),
                good: good)
        case .detailsMissing:
            return LintRule(
                shape, "applinks without details",
                why: "details holds the apps and their rules; without it no link opens any app.",
                fix: "add \"details\": [ { \"appIDs\": […], \"components\": […] } ]", .documented,
                details,
                bad: LintExample("{ \"applinks\": { \"apps\": [] } }\n"), good: good)
        case .detailsWrongType:
            return LintRule(
                shape, "details is neither an array nor an object",
                why:
                    "Devices read an array of entries (or the oldest form, an object keyed by "
                    + "app).",
                fix: "write an array of entries", .documented, details,
                bad: LintExample("{ \"applinks\": { \"details\": \"none\" } }\n"), good: good)
        case .detailNotObject:
            return LintRule(
                shape, "an entry of details is not an object",
                why: "It is skipped.", fix: "write { \"appIDs\": […], \"components\": […] }",
                .reported,
                "Apple, applinks.Details",
                bad: LintExample(
                    "{ \"applinks\": { \"details\": [\"9JA89QQLNQ.com.example.shop\"] } }\n"),
                good: good)
        case .rootNotObject:
            return LintRule(
                shape, "the document is not a JSON object",
                why:
                    "Devices look services up by name in one outermost object; any other JSON "
                    + "has none.",
                fix: "wrap the content: { \"applinks\": { … } }", .documented,
                "Apple, Supporting associated domains",
                bad: LintExample("[ { \"applinks\": { \"details\": [] } } ]\n"),
                good: LintExample("{ \"applinks\": { \"details\": [] } }\n"))
        case .serviceNotObject:
            return LintRule(
                shape, "a service is not an object",
                why: "Each service is an object with a list inside; anything else is ignored.",
                fix: "write { \"apps\": [ … ] } (for applinks: { \"details\": [ … ] })",
                .documented,
                "Apple, Supporting associated domains",
                bad: LintExample("{ \"webcredentials\": [\"9JA89QQLNQ.com.example.shop\"] }\n"),
                good: LintExample(
                    "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n"))
        case .duplicateKey:
            return LintRule(
                shape, "the same key twice in one object",
                why:
                    "Which of the two a reader keeps is not defined (RFC 8259, section 4); one "
                    + "of them is lost "
                    + "silently, and devices, the CDN and your own tools may differ on which.",
                fix: "merge the two, or remove one", .documented, "RFC 8259 section 4",
                bad: .components("{ \"/\": \"/buy\", \"?\": \"a=1\", \"?\": \"b=2\" }"),
                good: .components("{ \"/\": \"/buy\", \"?\": { \"a\": \"1\", \"b\": \"2\" } }"))
        case .componentNotObject:
            return LintRule(
                shape, "an element of components is not an object",
                why:
                    "components holds objects such as { \"/\": \"/buy/*\" }; plain strings "
                    + "belong in paths.",
                fix: "write { \"/\": \"…\" }", .documented, component,
                bad: .components("\"/buy/*\""),
                good: good)
        case .defaultsNotObject:
            return LintRule(
                shape, "defaults is not an object",
                why: "defaults is a template for components, an object like them.",
                fix: "write { \"caseSensitive\": false } and the like", .documented,
                "Apple, applinks.Defaults",
                bad: .components("{ \"/\": \"/buy/*\" }", applinks: "\"defaults\": false"),
                good: .components(
                    "{ \"/\": \"/buy/*\" }", applinks: "\"defaults\": { \"caseSensitive\": false }")
            )
        case .pathNotString:
            return LintRule(
                shape, "an element of paths is not a string",
                why:
                    "paths holds strings; objects such as { \"/\": … } belong in components. The "
                    + "element is "
                    + "skipped.",
                fix: "rename the list to components, or write the path as a string", .documented,
                "Apple, archive: Support Universal Links", bad: .paths("{ \"/\": \"/buy/*\" }"),
                good: .paths("\"/buy/*\""))
        case .componentsNotArray:
            return LintRule(
                shape, "components is not an array",
                why:
                    "Only an array is read as a list of rules; with anything else the entry "
                    + "counts as having none, and devices are said to match every URL then.",
                fix: "put the rule in brackets", .documented, details,
                bad: .entry("\"components\": { \"/\": \"/buy/*\" }"),
                good: good)
        case .pathsNotArray:
            return LintRule(
                shape, "paths is not an array",
                why:
                    "Only an array is read as a list of rules; with anything else the entry "
                    + "counts as having none, and devices are said to match every URL then.",
                fix: "put the path in brackets", .documented, details,
                bad: .entry("\"paths\": \"/buy/*\""),
                good: .paths("\"/buy/*\""))
        case .appIDNotString:
            return LintRule(
                shape, "appID is not a string",
                why:
                    "appID is one string, read only where appIDs is no array. Anything else "
                    + "there names no app.",
                fix: "write \"appID\": \"PREFIX.bundle.id\"", .documented, details,
                bad: LintExample(
                    "{ \"applinks\": { \"details\": [{ \"appID\": null, \"paths\": [\"*\"] }] } }\n"
                ),
                good: good)
        case .commentNotString:
            return LintRule(
                shape, "a comment that is not a string",
                why: "Comments are ignored, so nothing breaks; it is not the documented form.",
                fix: "write the comment as a string", .documented, component,
                bad: .components("{ \"/\": \"/buy/*\", \"comment\": [\"shop\"] }"),
                good: .components("{ \"/\": \"/buy/*\", \"comment\": \"shop\" }"))
        case .flagNotBoolean:
            return LintRule(
                shape, "exclude, caseSensitive or percentEncoded is not true or false",
                why:
                    "Anything but true or false is not read, and the rule means something else: "
                    + "\"exclude\": \"true\" excludes nothing.",
                fix: "write true or false without quotes", .documented, component,
                bad: .components("{ \"/\": \"/buy/*\", \"exclude\": \"true\" }"),
                good: .components("{ \"/\": \"/buy/*\", \"caseSensitive\": false }"))
        case .patternNotString:
            return LintRule(
                shape, "a pattern that is not a string",
                why: "It is not read, so the rule matches whatever stands there in the URL.",
                fix: "write the pattern as a string", .documented, component,
                bad: .components("{ \"/\": 5 }"),
                good: good)
        case .queryWrongType:
            return LintRule(
                shape, "? is neither a string nor an object",
                why: "It is dropped: the rule matches with any query.",
                fix: "write a string, or an object of strings", .documented, component,
                bad: .components("{ \"/\": \"/buy\", \"?\": [\"item\"] }"),
                good: .components("{ \"/\": \"/buy\", \"?\": { \"item\": \"?*\" } }"))
        case .queryValueNotString:
            return LintRule(
                shape, "a query item whose value is not a string",
                why:
                    "One value that is no string (true, 5, null, a list) silently drops the "
                    + "whole ?: the rule then matches with any query.",
                fix: "write the value as a string", .appleTool, "Apple's swcutil, published output",
                bad: .components("{ \"/\": \"/buy\", \"?\": { \"item\": 5 } }"),
                good: .components("{ \"/\": \"/buy\", \"?\": { \"item\": \"5\" } }"))
        case .variableNotArray:
            return LintRule(
                shape, "a substitution variable that is not an array",
                why:
                    "A variable is a list of strings; anything else leaves it undefined, and "
                    + "rules that use it match nothing.",
                fix: "put the values in brackets", .documented, variables,
                bad: .components(
                    "{ \"/\": \"/$(section)/*\" }",
                    applinks: "\"substitutionVariables\": { \"section\": \"buy\" }"),
                good: .components(
                    "{ \"/\": \"/$(section)/*\" }",
                    applinks: "\"substitutionVariables\": { \"section\": [\"buy\"] }"))
        case .variableValueNotString:
            return LintRule(
                shape, "a value of a substitution variable that is not a string",
                why: "It is skipped; the other values count.", fix: "write the value as a string",
                .documented, variables,
                bad: .components(
                    "{ \"/\": \"/$(year)/*\" }",
                    applinks: "\"substitutionVariables\": { \"year\": [2026] }"),
                good: .components(
                    "{ \"/\": \"/$(year)/*\" }",
                    applinks: "\"substitutionVariables\": { \"year\": [\"2026\"] }"))
        case .variablesNotObject:
            return LintRule(
                shape, "substitutionVariables is not an object",
                why:
                    "It is an object of lists: { \"name\": [\"value\"] }. Anything else defines "
                    + "no variable.",
                fix: "write { \"name\": [\"value\"] }", .documented, variables,
                bad: .components(
                    "{ \"/\": \"/buy/*\" }", applinks: "\"substitutionVariables\": [\"buy\"]"),
                good: good)
        }
    }
}

extension LintRule {
    /// A rule that the model enforces: code and severity are the model's.
    fileprivate init(
        _ shape: ShapeRule, _ title: String, why explanation: String, fix remedy: String,
        _ standing: LintConfidence, _ source: String, bad: LintExample, good: LintExample
    ) {
        self.init(
            shape.rawValue, shape.severity, title, why: explanation, fix: remedy, standing, source,
            bad: bad, good: good)
    }
}
