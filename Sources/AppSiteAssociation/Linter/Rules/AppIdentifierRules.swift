/// Application identifiers: `PREFIX.bundle.id` (domain.md 2.4).
enum AppIdentifierRules {
    /// Identifiers of the whole document, each with its first place.
    /// - Parameter app: one that should be among them; nil: none in particular.
    static func checkTogether(_ file: AssociationFile, app: String?, _ context: inout LintContext) {
        let linked = file.applinks?.details.flatMap(\.appIDs) ?? []
        let others = file.appLists.filter { $0.service != .appclips }.flatMap(\.apps)
        let clips = file.list(of: .appclips)?.apps ?? []
        let full = Set((linked + others).map(\.value))
        func isClip(_ app: String) -> Bool {
            let parts = app.split(separator: ".")
            let isLikely = app.lowercased().contains("clip") || parts.count > 4
            return isLikely || !full.isEmpty && !full.contains(app)
        }
        if let app = clips.first, AppIdentifier.problem(in: app.value) == nil,
            !clips.contains(where: { isClip($0.value) })
        {
            context.report("app-clip-is-app", at: app.range, app.value)
        }
        let all = full.union(clips.map(\.value))
        if let app, !all.contains(app),
            let near = AppIdentifier.nearMiss(of: app, among: all.sorted())
        {
            context.report(
                "app-id-near-miss", at: nil, "\(app) is not listed in any service: \(near)")
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
                "app-id-near-miss", at: app.range, "\(app.value) may be misspelt: \(miss)",
                related: [("the other", first.range)])
        }
    }

    /// Prefixes in Apple's documentation and in guides; they have the form of real ones.
    private static let samples: Set<String> = [
        "ABCDE12345", "ABCD1234", "ABCDEF1234", "ABCDEFGHIJ", "A1B2C3D4E5", "1A2B3C4D5E",
        "ABC123DEF4", "ABCD123456", "123456789A", "ABCDEFGHI1", "XXXXXXXXXX", "AAAAAAAAAA",
        "APPIDPREFI",
    ]

    /// `YOURTEAMID`: the word in a prefix of the right length. Compared at each place, because
    /// `contains` of a string costs as much as all other checks of an identifier.
    private static func isMarked(_ prefix: String) -> Bool {
        let room = AppIdentifier.prefixCount - "TEAMID".utf8.count
        return prefix.utf8.count == AppIdentifier.prefixCount
            && (0...room).contains { prefix.utf8.dropFirst($0).starts(with: "TEAMID".utf8) }
    }

    static func check(_ identifier: String, at range: Range<Int>, _ context: inout LintContext) {
        let prefix = String(decoding: identifier.utf8.prefix { $0 != 0x2E }, as: UTF8.self)
        var problem = AppIdentifier.problem(in: identifier)
        if samples.contains(prefix) || isMarked(prefix) {
            // A well-formed prefix may be real, and what is wrong behind it is reported as well.
            let isMalformed = AppIdentifier.problem(in: prefix + ".app") != nil
            context.report(
                isMalformed ? "app-id-placeholder" : "app-id-sample", at: range,
                "\(prefix) is an example prefix from a guide, probably not yours")
            if isMalformed { problem = nil }
        } else if let stand = Placeholder.part(of: identifier) {
            context.report(
                problem == nil ? "app-id-sample" : "app-id-placeholder", at: range,
                "\"\(identifier)\": \"\(stand)\" comes from a template")
            problem = nil
        }
        if let problem {
            let source = context.source
            let blank = problem == .blank ? AppIdentifier.blank(in: identifier) : nil
            let name = blank.map { $0.isASCII ? "" : " (\($0.codePoint))" } ?? ""
            context.report(
                problem.code, at: range, "\"\(identifier)\": \(problem.message)\(name)",
                remedy: problem.remedy,
                fix: problem == .blank ? TextEdit.trimmed(range, in: source) : nil)
        }
    }
}
