package import AppSiteAssociation

/// The vocabulary of a scenario: keys, steps and outcomes. The reader and `--words` use this one
/// table, so that they agree.
package enum ScenarioVocabulary {
    /// One kind of step.
    package struct Verb: Sendable {
        let action: Scenario.Action
        package let meaning: String
        var keys: [SchemaMember] = []
        var needs: [SchemaNeed] = []
        /// The allowed values of `expect`.
        package let outcomes: [String]

        package var name: String { action.rawValue }
    }

    static let comment = SchemaMember("comment", .anything, "not read")

    package static let root = [
        SchemaMember("$schema", .string(), "not read"), comment,
        SchemaMember("app", .string(), "the application identifier"),
        SchemaMember(
            "domains", .list(of: .string()),
            "the entitlement's entries, such as webcredentials:example.com"),
        SchemaMember("era", .choice(Era.allCases.map(\.rawValue)), "the system; ios14 without it"),
        SchemaMember("accounts", .list(of: credential), "who can log in at the site"),
        SchemaMember("safari", .list(of: credential), "what the browser has saved"),
        SchemaMember("keychain", .list(of: credential), "what the app has kept"),
        SchemaMember("steps", .list(of: .anything), "what happens"),
    ]

    private static let rootNeeds: [SchemaNeed] = [["app"], ["domains"], ["steps"]]

    private static let credentialKeys = [
        site, account, SchemaMember("password", .string(), "the password"),
    ]

    private static let credentialNeeds: [SchemaNeed] = [["account"], ["password"]]

    private static let credential = SchemaNode.object(credentialKeys, needs: credentialNeeds)

    /// The user's action at a prompt.
    private static let answer = SchemaNode.either(
        .choice(["allows", "declines"]),
        .object([SchemaMember("picks", .string(), "the account")], needs: [["picks"]]))

    package static let user = [
        SchemaMember("allows", .boolean, "agrees to every prompt (false: declines)"),
        SchemaMember("declines", .boolean, "\"Not Now\" at every prompt"),
        SchemaMember("picks", .string(), "the account that is picked from the list"),
        SchemaMember(
            "answers", .list(of: answer),
            "one answer for each prompt: \"allows\", \"declines\" or {\"picks\": …}"),
        SchemaMember("types", credential, "typed into the app's own login form"),
    ]

    private static let account = SchemaMember("account", .string(), "the user's name")
    private static let anyAccount = SchemaMember("account", .string(), "only this account")
    private static let password = SchemaMember("password", .string(), "the new password")
    private static let site = SchemaMember(
        "site", .string(), "the host; the first that domains names without it")

    private static let saved = ["added", "updated", "cancelled", "not-associated", "no-app"]
    private static let standing = ["associated", "not-associated", "no-app"]

    package static let verbs = [
        Verb(
            action: .logIn,
            meaning: "the app's keychain, then the shared credentials, then the user types",
            keys: [anyAccount],
            outcomes: ["logged-in", "not-logged-in", "not-associated", "no-app"]
        ),
        Verb(
            action: .logOut, meaning: "the app forgets the account; the browser does not",
            keys: [anyAccount], outcomes: ["logged-out", "not-logged-in", "no-app"]),
        Verb(
            action: .createAccount, meaning: "registers, and saves it for the browser",
            keys: [account, password, site], needs: [["account"]], outcomes: saved),
        Verb(
            action: .changePassword, meaning: "at the site, and for the browser",
            keys: [account, password, site], needs: [["account"]],
            outcomes: saved + ["no-such-account"]),
        Verb(
            action: .deleteAccount, meaning: "at the site, and for the browser",
            keys: [account, site], needs: [["account"]],
            outcomes: ["deleted", "cancelled", "item-not-found", "not-associated", "no-app"]),
        Verb(
            action: .add, meaning: "only SecAddSharedWebCredential; without a password it deletes",
            keys: [account, password, site], needs: [["account"]],
            outcomes: saved + ["deleted", "item-not-found"]),
        Verb(
            action: .request, meaning: "only SecRequestSharedWebCredential",
            keys: [anyAccount, site],
            outcomes: ["found", "declined", "item-not-found", "not-associated", "no-app"]),
        Verb(
            action: .relaunch, meaning: "the app is started again, which asks no server",
            outcomes: standing),
        Verb(
            action: .updateApp, meaning: "a new version is installed: every domain is asked again",
            outcomes: standing),
        Verb(
            action: .deleteApp, meaning: "its associations end; the browser keeps what it saved",
            outcomes: ["no-app"]),
        Verb(
            action: .installApp, meaning: "installs it again: every domain is asked",
            outcomes: standing),
        Verb(
            action: .changeSite,
            meaning: "from now on the site answers so; the live one again without status, "
                + "document and file",
            keys: [
                SchemaMember("status", .integer, "the status; 200 without it"),
                SchemaMember("document", .table(of: .anything), "the document"),
                SchemaMember(
                    "file", .string(),
                    "a file beside the scenario with the document, for example a signed one"),
                SchemaMember("site", .string(), "only this host"),
            ], outcomes: standing),
        Verb(
            action: .wait, meaning: "time passes; what is due is asked",
            keys: [
                SchemaMember("minutes", .integer, "0 to a year"),
                SchemaMember("hours", .integer, "0 to a year"),
                SchemaMember("days", .integer, "0 to a year"),
            ], outcomes: standing),
    ]

    /// A scenario, except what depends on the kind of a step.
    static let format = DocumentFormat(
        code: "scenario", .object(root, needs: rootNeeds))

    /// A step of a kind.
    static func format(of verb: Verb) -> DocumentFormat {
        let common = [
            SchemaMember("do", .choice([verb.name]), "the step"),
            SchemaMember("user", .object(user), "what the user does at the prompts"),
            SchemaMember("expect", .choice(verb.outcomes), "the expected outcome"), comment,
        ]
        return DocumentFormat(
            code: "scenario", .object(common + verb.keys, needs: verb.needs))
    }

    static func verb(_ name: String?) -> Verb? { verbs.first { $0.name == name } }

    /// The complete vocabulary, for `--help`.
    package static var help: String {
        func isNeeded(_ key: SchemaMember, _ needs: [SchemaNeed]) -> Bool {
            needs.contains { $0.keys == [key.key] }
        }
        func lines(_ keys: [SchemaMember], _ needs: [SchemaNeed] = []) -> [String] {
            keys.filter { $0.text != "not read" }.map {
                "  " + $0.key.padded(to: 16) + $0.text + (isNeeded($0, needs) ? " (needed)" : "")
            }
        }
        var text = ["The scenario's keys:"] + lines(root, rootNeeds)
        text += ["", "A credential:"] + lines(credentialKeys, credentialNeeds)
        text += ["", "\"user\":"] + lines(user)
        text += ["", "\"steps\": each has \"do\", and may have \"user\" and \"expect\":"]
        for verb in verbs {
            let keys = verb.keys.map { isNeeded($0, verb.needs) ? $0.key : "[\($0.key)]" }
                .joined(separator: ", ")
            text.append(
                "  " + verb.name.padded(to: 16) + verb.meaning
                    + (keys.isEmpty ? "" : "; " + keys))
            text.append(
                "  " + "".padded(to: 16) + "expect: " + verb.outcomes.joined(separator: ", "))
        }
        return text.joined(separator: "\n")
    }
}
