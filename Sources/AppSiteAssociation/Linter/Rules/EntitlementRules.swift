/// Entitlements: errors of the entry parser, and the app in the host's document.
enum EntitlementRules {
    /// - Parameters:
    ///   - app: the app's identifier, if the file does not contain it.
    ///   - documents: the apps in the available documents of the hosts; for a host with teams, in
    ///     every fragment.
    static func check(app: String?, _ documents: AppTable, _ context: inout LintContext) {
        do {
            let root = try PropertyListReader.read(context.source)
            if ManagementRules.check(root, &context) { return }
            let file = EntitlementFile(root, &context)
            if let slip = EntitlementFile.misspeltDomainsKey(in: root) {
                context.report(
                    "entitlement-key-misspelt", at: slip.keyRange,
                    "\(slip.key) is not an entitlement")
            } else if file.entries == nil, file.problems.isEmpty {
                context.report(
                    "entitlement-no-domains", at: nil,
                    "this file has no \(EntitlementFile.domainsKey)")
            }
            EntitlementListRules.check(file, &context)
            if let app = app ?? file.applicationIdentifier {
                checkListed(app, file, documents, &context)
            }
        } catch {
            // The parser's own code is more specific; the catalogue explains the family under one
            // name.
            let found = error.diagnostic
            context.report(
                "plist-unreadable", at: found.range, "\(found.message) (\(found.code))",
                remedy: found.remedy)
        }
    }

    /// For entries whose host's document is available, checks that it lists the app.
    private static func checkListed(
        _ app: String, _ file: EntitlementFile, _ documents: AppTable, _ context: inout LintContext
    ) {
        if app.contains("$") { return }
        for item in file.entries ?? [] {
            let entry = item.entry
            let names = documents.documents(of: entry.domain)
            guard let first = names.first,
                AssociationFormat.services.contains(entry.service),
                !documents.names(app, under: entry.service, of: entry.domain)
            else { continue }
            context.report(
                "entitlement-app-not-listed", at: item.range,
                "\(first)\(names.count > 1 ? " (and \(names.count - 1) more)" : "") does not "
                    + "name \(app) under \(entry.service)"
                    + (AppIdentifier.nearMiss(of: app, among: documents.apps(of: entry.domain))
                        .map { ": \($0)" } ?? ""),
                places: names.prefix(LintLimits.relatedPlaces).map {
                    Diagnostic.Related(message: "checked this file", file: $0)
                })
        }
    }
}
