/// Entitlements: errors of the entry parser, and the app in the host's document.
enum EntitlementRules {
    /// - Parameters:
    ///   - app: the app's identifier, if the file does not contain it.
    ///   - documents: the available documents of the hosts; of a host with teams every fragment.
    static func check(
        app: String?, _ documents: [String: [AssociationFile]], _ context: inout LintContext
    ) {
        do {
            let root = try PropertyListReader.read(context.source)
            if ManagementRules.check(root, &context) { return }
            let file = EntitlementFile(root, &context)
            if let slip = EntitlementFile.misspeltDomainsKey(in: root) {
                context.report("entitlement-key-misspelt", at: slip.keyRange, slip.key)
            } else if file.entries == nil, file.problems.isEmpty {
                context.report("entitlement-no-domains", at: nil)
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
        _ app: String, _ file: EntitlementFile, _ documents: [String: [AssociationFile]],
        _ context: inout LintContext
    ) {
        if app.contains("$") { return }
        // A list may have one entry a thousand times, and a document a thousand apps.
        var known: [String: Bool] = [:]
        for item in file.entries ?? [] {
            let host = item.entry.domain.lowercased()
            guard let service = AssociationService(rawValue: item.entry.service),
                let files = documents[host], let first = files.first
            else { continue }
            let place = "\(service):\(host)"
            let isListed =
                known[place]
                ?? files.contains { $0.apps(of: service).contains { $0.value == app } }
            known[place] = isListed
            if isListed { continue }
            let more = files.count > 1 ? " (and \(files.count - 1) more)" : ""
            context.report(
                "entitlement-app-not-listed", at: item.range,
                "\(first.source.name)\(more) does not name \(app) under \(service)"
                    + nearMiss(of: app, in: files),
                places: files.prefix(LintLimits.relatedPlaces).map {
                    Diagnostic.Related(message: "checked this file", file: $0.source.name)
                })
        }
    }

    private static func nearMiss(of app: String, in files: [AssociationFile]) -> String {
        let apps = files.flatMap { file in
            AssociationService.allCases.flatMap { file.apps(of: $0) }
        }
        let known = Set(apps.map(\.value)).sorted()
        return AppIdentifier.nearMiss(of: app, among: known).map { ": \($0)" } ?? ""
    }
}

extension AssociationFile {
    /// The apps that the document names under a service.
    fileprivate func apps(of service: AssociationService) -> [Located<String>] {
        service == .applinks
            ? applinks?.details.flatMap(\.appIDs) ?? [] : list(of: service)?.apps ?? []
    }
}
