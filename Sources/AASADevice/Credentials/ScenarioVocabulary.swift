import AppSiteAssociation

/// The vocabulary of a scenario: keys, steps and outcomes. The reader and `--words` use this one
/// table, so that they agree.
package enum ScenarioVocabulary {
    package enum Kind: Sendable {
        case text
        case flag
        case number(ClosedRange<Double>)
        case oneOf([String])
        indirect case list(Kind)
        case credential
        case user
        case step
        /// The user's action at a prompt: a word, or `{"picks": …}`.
        case answer
        /// Any JSON object: a document that the site serves.
        case document
        case anything
    }

    package struct Key: Sendable {
        package let name: String
        let kind: Kind
        var isRequired = false
        package let meaning: String
    }

    /// One kind of step.
    package struct Verb: Sendable {
        package let name: String
        package let meaning: String
        let keys: [Key]
        /// The allowed values of `expect`.
        package let outcomes: [String]
    }

    static let comment = Key(name: "comment", kind: .anything, meaning: "not read")

    package static let root = [
        Key(name: "$schema", kind: .text, meaning: "not read"), comment,
        Key(name: "app", kind: .text, isRequired: true, meaning: "the application identifier"),
        Key(
            name: "domains", kind: .list(.text), isRequired: true,
            meaning: "the entitlement's entries, such as webcredentials:example.com"),
        Key(
            name: "era", kind: .oneOf(Era.allCases.map(\.rawValue)),
            meaning: "the system; ios14 without it"),
        Key(name: "accounts", kind: .list(.credential), meaning: "who can log in at the site"),
        Key(name: "safari", kind: .list(.credential), meaning: "what the browser has saved"),
        Key(name: "keychain", kind: .list(.credential), meaning: "what the app has kept"),
        Key(name: "steps", kind: .list(.step), isRequired: true, meaning: "what happens"),
    ]

    static let credential = [
        Key(
            name: "site", kind: .text, meaning: "the host; the first that domains names without it"),
        Key(name: "account", kind: .text, isRequired: true, meaning: "the user's name"),
        Key(name: "password", kind: .text, isRequired: true, meaning: "the password"),
    ]

    /// The allowed words in `answers`.
    static let answers = ["allows", "declines"]

    package static let user = [
        Key(name: "allows", kind: .flag, meaning: "agrees to every prompt (false: declines)"),
        Key(name: "declines", kind: .flag, meaning: "\"Not Now\" at every prompt"),
        Key(name: "picks", kind: .text, meaning: "the account that is picked from the list"),
        Key(
            name: "answers", kind: .list(.answer),
            meaning: "one answer for each prompt: \"allows\", \"declines\" or {\"picks\": …}"),
        Key(name: "types", kind: .credential, meaning: "typed into the app's own login form"),
    ]

    private static let account = Key(
        name: "account", kind: .text, isRequired: true, meaning: "the user's name")
    private static let anyAccount = Key(
        name: "account", kind: .text, meaning: "only this account")
    private static let password = Key(name: "password", kind: .text, meaning: "the new password")
    private static let site = Key(
        name: "site", kind: .text, meaning: "the host; the first that domains names without it")

    private static let saved = ["added", "updated", "cancelled", "not-associated", "no-app"]
    private static let standing = ["associated", "not-associated", "no-app"]

    package static let verbs = [
        Verb(
            name: "log-in",
            meaning: "the app's keychain, then the shared credentials, then the user types",
            keys: [anyAccount],
            outcomes: ["logged-in", "not-logged-in", "not-associated", "no-app"]
        ),
        Verb(
            name: "log-out", meaning: "the app forgets the account; the browser does not",
            keys: [anyAccount], outcomes: ["logged-out", "not-logged-in", "no-app"]),
        Verb(
            name: "create-account", meaning: "registers, and saves it for the browser",
            keys: [account, password, site], outcomes: saved),
        Verb(
            name: "change-password", meaning: "at the site, and for the browser",
            keys: [account, password, site], outcomes: saved + ["no-such-account"]),
        Verb(
            name: "delete-account", meaning: "at the site, and for the browser",
            keys: [account, site],
            outcomes: ["deleted", "cancelled", "item-not-found", "not-associated", "no-app"]),
        Verb(
            name: "add", meaning: "SecAddSharedWebCredential alone; without a password it deletes",
            keys: [account, password, site], outcomes: saved + ["deleted", "item-not-found"]),
        Verb(
            name: "request", meaning: "SecRequestSharedWebCredential alone",
            keys: [anyAccount, site],
            outcomes: ["found", "declined", "item-not-found", "not-associated", "no-app"]),
        Verb(
            name: "relaunch", meaning: "the app is started again, which asks nobody",
            keys: [], outcomes: standing),
        Verb(
            name: "update-app", meaning: "a new version is installed: every domain is asked again",
            keys: [], outcomes: standing),
        Verb(
            name: "delete-app", meaning: "its associations end; the browser keeps what it saved",
            keys: [], outcomes: ["no-app"]),
        Verb(
            name: "install-app", meaning: "installs it again: every domain is asked",
            keys: [], outcomes: standing),
        Verb(
            name: "change-site",
            meaning: "from now on the site answers so; the live one again without status, "
                + "document and file",
            keys: [
                Key(
                    name: "status", kind: .number(100...599), meaning: "the status; 200 without it"),
                Key(name: "document", kind: .document, meaning: "the document"),
                Key(
                    name: "file", kind: .text,
                    meaning:
                        "a file beside the scenario with the document, for example a signed one"),
                Key(name: "site", kind: .text, meaning: "only this host"),
            ], outcomes: standing),
        Verb(
            name: "wait", meaning: "time passes; what is due is asked",
            keys: [
                Key(name: "minutes", kind: .number(0...525_600), meaning: "0 to a year"),
                Key(name: "hours", kind: .number(0...8760), meaning: "0 to a year"),
                Key(name: "days", kind: .number(0...365), meaning: "0 to a year"),
            ], outcomes: standing),
    ]

    /// Keys that every step may have in addition to its own.
    static let everyStep = [
        Key(name: "do", kind: .oneOf(verbs.map(\.name)), isRequired: true, meaning: "the step"),
        Key(name: "user", kind: .user, meaning: "what the user does at the prompts"),
        Key(name: "expect", kind: .text, meaning: "the expected outcome"), comment,
    ]

    static func verb(_ name: String?) -> Verb? { verbs.first { $0.name == name } }

    /// The complete vocabulary, for `--help`.
    package static var help: String {
        func lines(_ keys: [Key]) -> [String] {
            keys.filter { $0.meaning != "not read" }.map {
                "  " + $0.name.padded(to: 16) + $0.meaning + ($0.isRequired ? " (needed)" : "")
            }
        }
        var text = ["The scenario's keys:"] + lines(root)
        text += ["", "A credential:"] + lines(credential)
        text += ["", "\"user\":"] + lines(user)
        text += ["", "\"steps\": each has \"do\", and may have \"user\" and \"expect\":"]
        for verb in verbs {
            let keys = verb.keys.map { $0.isRequired ? $0.name : "[\($0.name)]" }
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
