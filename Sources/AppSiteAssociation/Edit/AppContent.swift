/// Everything that a document contains about one app, to copy it for another app or document.
public struct AppContent: Sendable {
    let lists: [AssociationService]
    /// Entries of `details` without app identifiers, with the defaults that applied to them.
    let entries: [JSONValue]
    /// Definitions of the variables that the rules use.
    let variables: [JSONMember]
}

extension FragmentEditor {
    /// The content for an app.
    public func content(of app: String) -> AppContent {
        let file = AssociationFile(document: document)
        let lists = services(of: app).filter { $0 != .applinks }
        guard let links = file.applinks else {
            return AppContent(lists: lists, entries: [], variables: [])
        }
        let details = document.root["applinks"]?["details"]
        let shared = document.root["applinks"]?["defaults"]?.members ?? []
        let entries = links.details.filter { $0.names(app) }.compactMap { detail -> JSONValue? in
            let entry = details?.array?[detail.index] ?? details?.members?[detail.index].value
            guard let members = entry?.members else { return nil }
            let own = members.filter { !AppLinksDetail.appKeys.contains($0.key) }
            return JSONValue(.object(AppLinksMerge.pushing(shared, into: own)))
        }
        let names = links.usedVariables
        let variables = (links.substitutionVariablesMember?.value.members ?? []).filter {
            names.contains(ExactText($0.key))
        }
        return AppContent(lists: lists, entries: entries, variables: variables)
    }

    /// Says of an app what was said of another.
    /// - Throws: ``EditError`` when the app is listed already, or a variable has other values here;
    ///   nothing is changed then.
    public mutating func add(_ content: AppContent, as app: String) throws(EditError) {
        let apps = TeamCheck.apps(of: AssociationFile(document: document))
        if let known = apps.first(where: { $0.value == app }) {
            throw EditError("\(app) is listed already", at: known.range, document)
        }
        var copy = self
        for service in content.lists { try copy.add(app: app, to: service) }
        if !content.entries.isEmpty { try copy.addEntries(content, app) }
        self = copy
    }

    /// What holds for a rule without the member.
    static let builtIn = Dictionary(
        LinkComponent.patternKeys.map { ($0, JSONValue.text("*")) } + RuleFlags.builtIn.members,
        uniquingKeysWith: { first, _ in first })

    /// Systems that read `paths` read only `appID`; today's read either.
    private static func name(_ app: String, in entry: [JSONMember]) -> JSONMember {
        entry.contains { $0.key == "paths" }
            ? JSONMember(key: "appID", value: .text(app))
            : JSONMember(key: "appIDs", value: .list([.text(app)]))
    }

    private mutating func addEntries(
        _ content: AppContent, _ app: String
    ) throws(EditError) {
        try requireObject("applinks")
        // What this document says of all its rules was not said of these.
        let outer = editor.value(at: [.key("applinks"), .key("defaults")])?.members ?? []
        let shields = outer.compactMap { member -> JSONMember? in
            guard let value = Self.builtIn[member.key], !value.means(member.value) else {
                return nil
            }
            return JSONMember(key: member.key, value: value)
        }
        let entries = content.entries.map {
            AppLinksMerge.pushing(shields, into: $0.members ?? [])
        }
        try insert(entries, app)
        try addVariables(content.variables, usedBy: content.entries)
    }

    /// Puts entries behind those of other apps, in the form that `details` have here.
    private mutating func insert(
        _ entries: [[JSONMember]], _ app: String
    ) throws(EditError) {
        if let details = editor.value(at: Self.details), details.members != nil {
            guard entries.count == 1 else {
                throw EditError(
                    "\(app) has \(entries.count) entries, and \"details\" is an object here, with "
                        + "one for each app",
                    remedy: "Write \"details\" as an array of entries with \"appIDs\" first.",
                    at: details.range, document)
            }
            return try editor.set(JSONValue(.object(entries[0])), at: Self.details + [.key(app)])
        }
        try add(
            entries.map { JSONValue(.object([Self.name(app, in: $0)] + $0)) }, at: Self.details)
    }

    private mutating func addVariables(
        _ variables: [JSONMember], usedBy entries: [JSONValue]
    ) throws(EditError) {
        let path: [JSONTextEditor.Step] = [.key("applinks"), .key("substitutionVariables")]
        let used = JSONValue.list(entries).variableNames
        func table(_ members: [JSONMember]) -> [ExactText: JSONValue] {
            Dictionary(
                members.map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { $1 })
        }
        let (own, known) = (table(variables), table(editor.value(at: path)?.members ?? []))
        for name in used.sorted() {
            // A name that was built in, or matched nothing, would get the values that it has here.
            guard let other = known[name], own[name]?.means(other) != true else { continue }
            throw EditError(
                "the variable \"\(name.text)\" has other values here",
                remedy: "Rename it in one of the two files.", at: other.range, document)
        }
        let missing = variables.filter {
            used.contains(ExactText($0.key)) && known[ExactText($0.key)] == nil
        }
        guard !missing.isEmpty else { return }
        guard let object = editor.value(at: path), object.members != nil else {
            return try editor.set(JSONValue(.object(missing)), at: path)
        }
        try editor.apply([JSONLayout(document).insertion(of: missing, into: object)])
    }
}
