/// The top level of the document: its services, and whether their lists are valid.
enum StructureRules {
    static func check(_ file: AssociationFile, _ context: inout LintContext) {
        let name = file.source.name.split(separator: "/").last ?? ""
        if name.hasPrefix("apple-app-site-association.") {
            context.report("file-name-extension", at: nil, String(name))
        }
        // Readers parse the members that they ignore, too.
        file.document.root.forEachValue { value in
            guard case .number(let text) = value.kind, Double(text)?.isFinite != true else {
                return
            }
            context.report("number-out-of-range", at: value.range, text)
        }
        for service in AssociationFormat.root.members.map(\.key) where service != "applinks" {
            guard let apps = file.document.root[service]?["apps"] else { continue }
            checkApps(apps, of: "\(service).apps", &context)
        }
        if let apps = file.applinks?.appsMember?.value, let list = apps.array, !list.isEmpty {
            context.report(
                "applinks-apps-used", at: apps.range,
                "applinks.apps holds \(list.count == 1 ? "an app" : "\(list.count) apps"), "
                    + "but devices ignore this list")
        }
    }

    /// A list of identifiers: not empty, and its strings are unique and well formed.
    static func checkApps(_ list: JSONValue, of name: String, _ context: inout LintContext) {
        if list.array?.isEmpty == true {
            context.report(
                "app-list-empty", at: list.range,
                "\(name) is empty" + (name == "appIDs" ? ": the entry is for no app" : ""))
        }
        var seen: [String: Range<Int>] = [:]
        for app in list.texts ?? [] {
            let isRepeat = context.reportRepeat(
                "app-listed-twice", of: app.value, at: app.range, in: &seen,
                "\(app.value) is listed twice in \(name)")
            // What is wrong with it was reported at its first place.
            if !isRepeat { AppIdentifierRules.check(app.value, at: app.range, &context) }
        }
    }
}
