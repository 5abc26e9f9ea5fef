/// Application identifiers: `PREFIX.bundle.id` (domain.md 2.4).
enum AppIdentifierRules {
    static let empty = LintRule("app-id-empty")
    static let blank = LintRule("app-id-blank")
    static let wildcard = LintRule("app-id-wildcard")
    static let placeholder = LintRule("app-id-placeholder")
    static let sample = LintRule("app-id-sample")
    static let numericPrefix = LintRule("app-id-store-number")
    static let prefixMissing = LintRule("app-id-prefix-missing")
    static let prefixLength = LintRule("app-id-prefix-length")
    static let prefixLetters = LintRule("app-id-prefix-letters")
    static let bundleMissing = LintRule("app-id-bundle-missing")
    static let bundleLetters = LintRule("app-id-bundle-letters")
    static let somethingElse = LintRule("app-id-something-else")

    static let clip = LintRule("app-clip-is-app")
    static let nearMiss = LintRule("app-id-near-miss")

    /// Identifiers of the whole document, each with its first place.
    /// - Parameter app: one that should be among them; nil: none in particular.
    static func checkTogether(_ file: AssociationFile, app: String?, _ context: inout LintContext) {
        let linked = file.applinks?.details.flatMap(\.appIDs) ?? []
        let others = [file.webcredentials, file.activitycontinuation].flatMap { $0?.apps ?? [] }
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
                clip, at: app.range, "\(app.value) is the app itself, and no App Clip is listed")
        }
        let all = full.union(clips.map(\.value))
        if let app, !all.contains(app),
            let near = AppIdentifier.nearMiss(of: app, among: all.sorted())
        {
            context.report(nearMiss, at: nil, "\(app) is not listed in any service: \(near)")
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
                rule, at: range, "\(prefix) is the example prefix of a guide and probably not yours"
            )
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
