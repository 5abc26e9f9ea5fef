/// Entitlements: errors of the entry parser, and the app in the host's document.
enum EntitlementRules {
    static let rules =
        EntitlementEntry.Problem.allCases.map(rule)
        + [root, domainsNotArray, notString, plistUnreadable, noDomains, appNotInDocument]
        + EntitlementListRules.rules

    private static let apple = "Apple, Associated Domains Entitlement"
    private static let good = file("applinks:www.example.com")

    private static func file(_ entry: String) -> LintExample { list("<string>\(entry)</string>") }

    private static func list(_ content: String, array: String = "array") -> LintExample {
        LintExample(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <dict>
              <key>com.apple.developer.associated-domains</key>
              <\(array)>\(content)</\(array)>
            </dict>
            </plist>

            """, file: "Shop.entitlements")
    }

    /// Exhaustive, so that a new problem cannot be forgotten here.
    private static func rule(_ problem: EntitlementEntry.Problem) -> LintRule {
        switch problem {
        case .blank:
            rule(problem, "applinks: www.example.com", "the blank becomes part of the name")
        case .buildVariable:
            rule(
                problem, "applinks:$(DOMAIN)",
                "Xcode fills the variable in; what it holds cannot be seen here")
        case .domainMissing:
            rule(problem, "applinks:", "an entry without a domain associates nothing")
        case .invalidDomain:
            rule(problem, "applinks:www..example.com", "the system cannot look such a name up")
        case .invalidPort:
            rule(
                problem, "webcredentials:www.example.com:https",
                "what follows the colon is read as a port")
        case .misplacedWildcard:
            rule(problem, "applinks:www.*.com", "only a whole first label may be a wildcard")
        case .notPunycode:
            rule(
                problem, "applinks:bücher.example", "domain names are compared in their ASCII form")
        case .path:
            rule(
                problem, "applinks:www.example.com/buy",
                "which paths open the app is the business of the document on the server")
        case .placeholder:
            rule(
                problem, "applinks:yourdomain.com",
                "it comes from a guide or a template; the site is not yours")
        case .port:
            rule(problem, "webcredentials:www.example.com:8443", "today's pages know no port")
        case .portOfLinks:
            rule(
                problem, "applinks:www.example.com:8443",
                "an Apple engineer: universal links work on the default port only (forum 707901)")
        case .query:
            rule(problem, "applinks:www.example.com?debug=1", "only mode= is known")
        case .scheme:
            rule(problem, "applinks:https://www.example.com", "the entry is a name, not a URL")
        case .serviceMissing:
            rule(problem, "www.example.com", "without its service the entry belongs to no feature")
        case .unknownMode:
            rule(
                problem, "applinks:www.example.com?mode=debug",
                "the mode is not known and the entry not used")
        case .unknownService:
            rule(problem, "applink:www.example.com", "services are compared letter by letter")
        case .upperCase:
            rule(problem, "applinks:WWW.example.com", "names are compared as written in places")
        case .wildcardAppClip:
            rule(problem, "appclips:*.example.com", "a clip is found by the exact host")
        }
    }

    private static func rule(
        _ problem: EntitlementEntry.Problem, _ bad: String, _ why: String
    ) -> LintRule {
        let note = why.prefix(1).uppercased() + why.dropFirst() + "."
        return LintRule(
            problem.rawValue, problem.severity, problem.message, why: note, fix: problem.remedy,
            .documented, apple, bad: file(bad), good: good)
    }

    static let root = LintRule(
        "entitlement-root", .error, "entitlements that are not a dictionary",
        why: "Xcode reads keys and values.", fix: "write <dict> around them", .documented, apple,
        bad: LintExample(
            "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><array/></plist>\n",
            file: "Shop.entitlements"), good: good)
    static let domainsNotArray = LintRule(
        "entitlement-domains-not-array", .error, "associated domains that are not an array",
        why: "The value of the key is a list of strings.", fix: "write <array> around them",
        .documented, apple, bad: list("applinks:www.example.com", array: "string"), good: good)
    static let notString = LintRule(
        "entitlement-not-string", .error, "an associated domain that is not a string",
        why: "Each entry is a string such as applinks:www.example.com.",
        fix: "write <string>service:domain</string>", .documented, apple, bad: list("<true/>"),
        good: good)
    static let noDomains = LintRule(
        "entitlement-no-domains", .note, "entitlements without associated domains",
        why: "The app is associated with no site; the document on the server is never asked for.",
        fix: "add the Associated Domains capability in Xcode", .documented, apple,
        bad: LintExample(
            "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict/></plist>\n",
            file: "Shop.entitlements"), good: good)
    static let plistUnreadable = LintRule(
        "plist-unreadable", .error, "a property list that cannot be read",
        why:
            "Only well-formed property lists are read here. The codes plist-… of the reader name "
            + "what is wrong: plist-binary, plist-truncated, plist-mismatched-tag and so on.",
        fix: "convert it (plutil -convert xml1) or mend the tags", .documented, "Apple, plist(5)",
        bad: LintExample(
            "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict>\n",
            file: "Shop.entitlements"), good: good)
    static let appNotInDocument = LintRule(
        "entitlement-app-not-listed", .error, "the host's document does not name the app",
        why:
            "The two must agree: the entitlement names the host and the service, the host's "
            + "document "
            + "names the app under that service. One without the other associates nothing.",
        fix: "add the app to the service in the host's document, or remove the entry", .documented,
        "Apple, Supporting associated domains",
        bad: LintExample(
            entitlements("webcredentials:www.example.com"), file: "Shop.entitlements",
            companions: [
                LintExample(
                    "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.news\"] } }\n",
                    file: "www.example.com/apple-app-site-association")
            ]),
        good: LintExample(
            entitlements("webcredentials:www.example.com"), file: "Shop.entitlements",
            companions: [
                LintExample(
                    "{ \"webcredentials\": { \"apps\": [\"9JA89QQLNQ.com.example.shop\"] } }\n",
                    file: "www.example.com/apple-app-site-association")
            ]))

    private static func entitlements(_ entry: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
          <key>application-identifier</key>
          <string>9JA89QQLNQ.com.example.shop</string>
          <key>com.apple.developer.associated-domains</key>
          <array><string>\(entry)</string></array>
        </dict>
        </plist>

        """
    }

    // MARK: - Checks

    static func check(_ context: inout LintContext) -> EntitlementFile? {
        do {
            let file = try EntitlementFile(reading: context.source, &context)
            if file.entries == nil, file.problems.isEmpty {
                context.report(
                    noDomains, at: nil, "there is no \(EntitlementFile.domainsKey) in this file")
            }
            EntitlementListRules.check(file, &context)
            return file
        } catch {
            // The parser's own code is more specific; the catalogue explains the family under one
            // name.
            let found = error.diagnostic
            context.report(
                plistUnreadable, at: found.range, "\(found.message) (\(found.code))",
                remedy: found.remedy)
            return nil
        }
    }

    /// For entries whose host's document is available, checks that it lists the app.
    ///
    /// - Parameters:
    ///   - app: the app's identifier, if the file does not contain it.
    ///   - documents: the apps in the available documents of the hosts; for a host with teams, in
    ///     every fragment.
    static func check(
        _ file: EntitlementFile, app: String?, documents: AppTable, _ context: inout LintContext
    ) {
        guard let app = app ?? file.applicationIdentifier, !app.contains("$") else { return }
        for item in file.entries ?? [] {
            let entry = item.entry
            let names = documents.documents(of: entry.domain)
            guard let first = names.first,
                EntitlementEntry.documentedServices.contains(entry.service),
                !documents.names(app, under: entry.service, of: entry.domain)
            else { continue }
            context.report(
                appNotInDocument, at: item.range,
                "\(first)\(names.count > 1 ? " (and \(names.count - 1) more)" : "") does not "
                    + "name \(app) under \(entry.service)"
                    + (AppIdentifier.nearMiss(of: app, among: documents.apps(of: entry.domain))
                        .map { ": \($0)" } ?? ""),
                places: names.prefix(LintLimits.relatedPlaces).map {
                    Diagnostic.Related(message: "looked here", file: $0)
                })
        }
    }
}
