/// Application identifiers: `PREFIX.bundle.id` (domain.md 2.4).
enum AppIdentifierRules {
    static let rules = [
        empty, blank, wildcard, placeholder, sample, numericPrefix, prefixMissing, prefixLength,
        prefixLetters, bundleMissing, bundleLetters, somethingElse,
        clip, nearMiss,
    ]

    private static let apple = "Apple, Supporting associated domains"
    private static let good = LintExample.app("9JA89QQLNQ.com.example.shop")

    static let empty = LintRule(
        "app-id-empty", .warning, "an empty app identifier",
        why: "It names no app.", fix: "write PREFIX.bundle.id, or remove it", .documented, apple,
        bad: .app(""), good: good)
    static let blank = LintRule(
        "app-id-blank", .error, "white space inside an app identifier",
        why: "Identifiers are compared as text: one blank and the app is another one.",
        fix: "remove the blank", .reported, "Apple, Supporting associated domains",
        bad: .app("9JA89QQLNQ.com.example.shop "), good: good)
    static let wildcard = LintRule(
        "app-id-wildcard", .error, "a wildcard in an app identifier",
        why: "Wildcards work in provisioning profiles, not here: no documentation and no evidence "
            + "says that a device reads * in this file.",
        fix: "list each app", .reported, "Apple, Supporting associated domains",
        bad: .app("9JA89QQLNQ.com.example.*"),
        good: good)
    static let placeholder = LintRule(
        "app-id-placeholder", .error, "a placeholder instead of an app identifier",
        why: "The text comes from a guide or a template; no app has this identifier.",
        fix: "put in the App ID prefix (developer.apple.com > Identifiers) and the bundle ID",
        .observed,
        "60 of 3,293 crawled domains publish a prefix that cannot be one (crawl of 2020)",
        bad: .app("TEAMID.com.example.shop"), good: good)
    static let sample = LintRule(
        "app-id-sample", .warning, "an app identifier that looks like a guide's or a template's",
        why: "It has the form of a real one, so nothing else will notice; devices compare it as "
            + "text, and no app has it unless somebody chose that very name.",
        fix: "put in the App ID prefix (developer.apple.com > Identifiers) and the bundle ID; "
            + "where it is real, ignore this code in .aasa.json",
        .advice, apple, bad: .app("ABCDE12345.com.example.shop"), good: good)
    static let numericPrefix = LintRule(
        "app-id-store-number", .error, "an App Store number instead of the App ID prefix",
        why:
            "The digits of apps.apple.com/…/id123456789 are the app's number in the shop. The "
            + "prefix "
            + "is ten letters and digits, normally the Team ID.",
        fix: "use the App ID prefix (developer.apple.com > Identifiers)", .observed,
        "Apple, Supporting associated domains (seen at BBC, Getty, Giphy)",
        bad: .app("6479632616.com.example.shop"), good: good)
    static let prefixMissing = LintRule(
        "app-id-prefix-missing", .error, "an app identifier without its prefix",
        why: "Only the bundle ID is there; the part before the first full stop is then read as the "
            + "prefix.",
        fix: "put the App ID prefix and a full stop in front", .documented, apple,
        bad: .app("com.example.shop"), good: good)
    static let prefixLength = LintRule(
        "app-id-prefix-length", .error, "the prefix is not ten characters long",
        why: "App ID prefixes and Team IDs have ten characters; one was lost or added.",
        fix: "copy the App ID prefix again (developer.apple.com > Identifiers)", .documented, apple,
        bad: .app("9JA89QQLN.com.example.shop"), good: good)
    static let prefixLetters = LintRule(
        "app-id-prefix-letters", .error, "the prefix has other characters than A-Z and 0-9",
        why: "Prefixes are upper-case letters and digits, and identifiers are compared as text.",
        fix: "write the prefix as the developer account shows it", .observed,
        "Apple, Supporting associated domains",
        bad: .app("9ja89qqlnq.com.example.shop"), good: good)
    static let bundleMissing = LintRule(
        "app-id-bundle-missing", .error, "an app identifier without its bundle ID",
        why: "A prefix alone names no app.", fix: "add a full stop and the bundle ID", .documented,
        apple, bad: .app("9JA89QQLNQ"), good: good)
    static let bundleLetters = LintRule(
        "app-id-bundle-letters", .error, "the bundle ID has characters that bundle IDs cannot have",
        why: "Bundle IDs are made of A-Z, a-z, 0-9, hyphen and full stop, without empty parts.",
        fix: "copy the bundle ID from Xcode", .documented, "Apple, CFBundleIdentifier",
        bad: .app("9JA89QQLNQ.com.example_shop"), good: good)

    static let somethingElse = LintRule(
        "app-id-something-else", .error, "something else in place of an app identifier",
        why: "A Firebase app ID, a company with its team, an entry of the entitlements: no app of "
            + "Apple's has such an identifier.",
        fix: "write the App ID prefix, a full stop and the bundle ID", .observed, apple,
        bad: .app("1:100200300:web:0a1b2c3d"), good: good)

    static let clip = LintRule(
        "app-clip-is-app", .warning, "a full app in appclips, and no App Clip",
        why:
            "An App Clip has an identifier of its own: the app's, a full stop and a suffix, usually "
            + "Clip. Only that identifier makes the App Clip open.",
        fix: "add the App Clip's identifier, such as 9JA89QQLNQ.com.example.shop.Clip", .documented,
        "Apple, Associating your App Clip with your website",
        bad: LintExample(
            """
            {
              "webcredentials": { "apps": ["9JA89QQLNQ.com.example.shop"] },
              "appclips": { "apps": ["9JA89QQLNQ.com.example.shop"] }
            }

            """),
        good: LintExample(
            "{ \"appclips\": { \"apps\": [\"9JA89QQLNQ.com.example.shop.Clip\"] } }\n"))
    static let nearMiss = LintRule(
        "app-id-near-miss", .note, "two identifiers that may be meant for one app",
        why: "Identifiers are compared as text. Another prefix, another case or one character that "
            + "looks alike makes another app.",
        fix: "correct one of the two where both mean one app", .advice, apple,
        bad: LintExample(
            """
            {
              "webcredentials": { "apps": ["9JA89QQLNQ.com.example.Shop"] },
              "activitycontinuation": { "apps": ["9JA89QQLNQ.com.example.shop"] }
            }

            """), good: good)

    /// Identifiers of the whole document, each with its first place.
    /// - Parameter app: one that should be among them; nil: none in particular.
    static func checkTogether(_ file: AssociationFile, app: String?, _ context: inout LintContext) {
        let linked = file.applinks?.details.flatMap(\.appIDs) ?? []
        let others = file.appLists.filter { $0.service != .appclips }.flatMap(\.apps)
        let clips = file.appclips?.apps ?? []
        let full = Set((linked + others).map(\.value))
        func isClip(_ app: String) -> Bool {
            let parts = app.split(separator: ".")
            let isLikely = app.lowercased().contains("clip") || parts.count > 4
            return full.isEmpty ? isLikely : !full.contains(app)
        }
        if let app = clips.first, AppIdentifier.problem(in: app.value) == nil,
            !clips.contains(where: { isClip($0.value) })
        {
            context.report(
                clip, at: app.range, "\(app.value) is the app itself; no App Clip is listed")
        }
        let all = full.union(clips.map(\.value))
        if let app, !all.contains(app),
            let near = AppIdentifier.nearMiss(of: app, among: all.sorted())
        {
            context.report(nearMiss, at: nil, "\(app) stands in no service: \(near)")
        }
        var known: [String: Located<String>] = [:]
        for app in (linked + others + clips).prefix(LintLimits.findings)
        where AppIdentifier.problem(in: app.value) == nil {
            let alike = AppIdentifier.alike(app.value)
            guard let first = known[alike] else {
                known[alike] = app
                continue
            }
            guard first.value != app.value, Placeholder.syntax(app.value + first.value) == nil,
                let miss = AppIdentifier.nearMiss(of: app.value, among: [first.value])
            else { continue }
            context.report(
                nearMiss, at: app.range, "\(app.value): \(miss)",
                related: [("the other", first.range)])
        }
    }

    /// Prefixes in Apple's documentation and in guides; they have the form of real ones.
    private static let samples: Set<String> = [
        "ABCDE12345", "ABCD1234", "ABCDEF1234", "ABCDEFGHIJ", "A1B2C3D4E5", "1A2B3C4D5E",
        "ABC123DEF4", "ABCD123456", "123456789A", "ABCDEFGHI1", "TEAMIDHERE", "YOURTEAMID",
        "TEAMID1234", "TEAMID0000", "XXXXXXXXXX", "AAAAAAAAAA", "APPIDPREFI", "MYTEAMID00",
        "TEAMIDXXXX",
    ]

    static func check(_ identifier: String, at range: Range<Int>, _ context: inout LintContext) {
        let prefix = String(decoding: identifier.utf8.prefix { $0 != 0x2E }, as: UTF8.self)
        let problem = AppIdentifier.problem(in: identifier)
        // A well-formed identifier may be real: it is served, but reported.
        let rule = problem == nil ? sample : placeholder
        if samples.contains(prefix) {
            context.report(
                rule, at: range, "\(prefix) is the sample prefix of a guide, hardly a real one")
        } else if let stand = Placeholder.part(of: identifier) {
            context.report(
                rule, at: range, "\"\(identifier)\": \"\(stand)\" comes from a template")
        } else if let problem {
            let source = context.source
            context.report(
                Self.rule(problem), at: range, "\"\(identifier)\": \(problem.message)",
                remedy: problem.remedy,
                fix: problem == .blank ? TextEdit.trimmed(range, in: source) : nil)
        }
    }

    /// Exhaustive, so that a new problem cannot be forgotten here.
    private static func rule(_ problem: AppIdentifier.Problem) -> LintRule {
        switch problem {
        case .empty: empty
        case .blank: blank
        case .placeholder: placeholder
        case .wildcard: wildcard
        case .appStoreID: numericPrefix
        case .prefixMissing: prefixMissing
        case .prefixLength: prefixLength
        case .prefixCharacters: prefixLetters
        case .bundleIDMissing: bundleMissing
        case .companyName, .entitlementOrURL, .firebase: somethingElse
        case .bundleIDCharacters, .bundleIDEmptyPart: bundleLetters
        }
    }
}
