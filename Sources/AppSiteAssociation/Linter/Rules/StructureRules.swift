/// The top level of the document: its services, and whether their lists are valid.
enum StructureRules {
    static let fileName = LintRule("file-name-extension")
    static let noService = LintRule("no-service")
    static let unknownService = LintRule("unknown-service")
    static let misspeltService = LintRule("service-misspelt")
    static let misplacedKey = LintRule("key-misplaced")
    static let appListEmpty = LintRule("app-list-empty")
    static let appListedTwice = LintRule("app-listed-twice")
    static let applinksApps = LintRule("applinks-apps-used")
    static let misspeltApplinksKey = LintRule("applinks-key-misspelt")
    static let unknownApplinksKey = LintRule("applinks-key-unknown")
    static let numberRange = LintRule("number-out-of-range")

    static func check(_ document: JSONDocument, _ context: inout LintContext) {
        let name = document.source.name.split(separator: "/").last ?? ""
        if name.hasPrefix("apple-app-site-association.") {
            context.report(fileName, at: nil, "\(name) is not the name that devices ask for")
        }
        checkNumbers(document.root, &context)
        guard let services = document.root.members else { return }
        checkNames(services, document, &context)
        for service in Vocabulary.services + Vocabulary.furtherServices {
            guard let member = document.root.member(service) else { continue }
            guard let content = member.value.members else { continue }
            if service == "applinks" {
                checkApplinks(content, &context)
            } else {
                checkAppList(service, member, &context)
            }
        }
    }

    /// Numbers anywhere: readers parse the members that they ignore, too.
    private static func checkNumbers(_ value: JSONValue, _ context: inout LintContext) {
        switch value.kind {
        case .number(let text):
            if Double(text)?.isFinite == true { return }
            context.report(
                numberRange, at: value.range, "\(text) is beyond what a 64-bit number can hold")
        case .array(let values): for value in values { checkNumbers(value, &context) }
        case .object(let members): for member in members { checkNumbers(member.value, &context) }
        case .null, .bool, .string: break
        }
    }

    private static func checkNames(
        _ services: [JSONMember], _ document: JSONDocument, _ context: inout LintContext
    ) {
        var known = 0
        var misspelt = 0
        for member in services {
            if Vocabulary.serviceWords.contains(member.key) {
                known += 1
            } else if let meant = Vocabulary.serviceWords.correction(of: member.key) {
                misspelt += 1
                context.report(
                    misspeltService, at: member.keyRange,
                    "\"\(member.key)\" is not a service; \"\(meant)\" was probably meant",
                    remedy: "write \"\(meant)\"",
                    fix: TextEdit.renaming(member, to: meant, among: services))
            } else if let home = Vocabulary.home(of: member.key) {
                context.report(
                    misplacedKey, at: member.keyRange,
                    "\"\(member.key)\" at the top level is ignored; it belongs in \(home)")
            } else {
                // macOS reads it, for its sign-in extensions.
                if Vocabulary.furtherServices.contains(member.key) { known += 1 }
                context.report(
                    unknownService, at: member.keyRange,
                    "\"\(member.key)\" is not a service that Apple documents")
            }
        }
        if known == 0, misspelt == 0 {
            context.report(
                noService, at: document.root.range,
                "none of \(Vocabulary.services.joined(separator: ", ")) is in this document")
        }
    }

    private static func checkApplinks(_ members: [JSONMember], _ context: inout LintContext) {
        for member in members where !Vocabulary.applinks.contains(member.key) {
            if let meant = Vocabulary.applinksWords.correction(of: member.key) {
                context.report(
                    misspeltApplinksKey, at: member.keyRange,
                    "\"\(member.key)\" is ignored; \"\(meant)\" was probably meant",
                    remedy: "write \"\(meant)\"",
                    fix: TextEdit.renaming(member, to: meant, among: members))
            } else if let home = Vocabulary.home(of: member.key) {
                context.report(
                    misplacedKey, at: member.keyRange,
                    "\"\(member.key)\" directly in applinks is ignored; it belongs in \(home)")
            } else {
                context.report(
                    unknownApplinksKey, at: member.keyRange,
                    "\"\(member.key)\" in applinks is not a member that Apple documents")
            }
        }
        guard let apps = members.last(where: { $0.key == "apps" }) else { return }
        guard let list = apps.value.array, !list.isEmpty else { return }
        context.report(
            applinksApps, at: apps.value.range,
            "applinks.apps holds \(list.count == 1 ? "an app" : "\(list.count) apps"), "
                + "but devices ignore this list")
    }

    private static func checkAppList(
        _ service: String, _ member: JSONMember, _ context: inout LintContext
    ) {
        for inner in member.value.members ?? [] where inner.key != "apps" {
            if Vocabulary.appListWords.correction(of: inner.key) != nil {
                context.report(
                    misspeltApplinksKey, at: inner.keyRange,
                    "\"\(inner.key)\" in \(service) is ignored; \"apps\" was probably meant",
                    remedy: "write \"apps\"",
                    fix: TextEdit.renaming(inner, to: "apps", among: member.value.members ?? []))
            } else if Vocabulary.serviceWords.contains(inner.key) {
                context.report(
                    misplacedKey, at: inner.keyRange,
                    "\"\(inner.key)\" inside \(service) is ignored; it belongs at the top level")
            } else if Vocabulary.applinks.contains(inner.key) || Vocabulary.isEntryKey(inner.key) {
                context.report(
                    misplacedKey, at: inner.keyRange,
                    "\"\(inner.key)\" inside \(service) is ignored: \(service) is a list of apps, "
                        + "and rules for links stand in applinks.details",
                    remedy: "list the apps in \(service).apps; rules go into applinks.details")
            } else {
                context.report(
                    unknownApplinksKey, at: inner.keyRange,
                    "\"\(inner.key)\" in \(service) is not a member that Apple documents")
            }
        }
        guard let apps = member.value.member("apps"), let list = apps.value.array else { return }
        if list.isEmpty {
            context.report(
                appListEmpty, at: apps.value.range, "\(service).apps is empty")
        }
        checkApps(list, of: "\(service).apps", &context)
    }

    /// Elements of a list of identifiers: strings, unique and well formed.
    static func checkApps(_ list: [JSONValue], of name: String, _ context: inout LintContext) {
        var seen: [String: Range<Int>] = [:]
        if list.count > 1 { seen.reserveCapacity(min(list.count, 1 << 16)) }
        for value in list {
            guard let identifier = value.string else { continue }
            // Most lists hold one app.
            if list.count > 1 {
                if let first = seen[identifier] {
                    context.report(
                        appListedTwice, at: value.range,
                        "\(identifier) is listed twice in \(name)",
                        related: [("first here", first)])
                    // It was reported at its first place.
                    continue
                }
                seen[identifier] = value.range
            }
            AppIdentifierRules.check(identifier, at: value.range, &context)
        }
    }
}
