/// Adds apps to an association file and removes them, like a person with an editor.
///
/// A value: bytes in, bytes out. The result can always be parsed; merge and linter decide whether
/// it may be published. Every method needs a few passes over the document, however many entries it
/// changes.
public struct FragmentEditor: Sendable {
    var editor: JSONTextEditor

    /// Starts to edit the fragment in the document.
    public init(_ document: JSONDocument) {
        editor = JSONTextEditor(document)
    }

    /// The current document, parsed.
    public var document: JSONDocument { editor.document }
    /// The bytes of the current document.
    public var bytes: [UInt8] { editor.bytes }

    /// A new fragment, for a team without one.
    public static let empty = Array("{\n}\n".utf8)

    /// A fragment without apps or effect, for the only team of a host: without any fragment the
    /// host would have no document.
    public static let inert = Array("{\n  \"applinks\": {\n    \"details\": []\n  }\n}\n".utf8)

    /// Whether the document has no apps and no other content to serve.
    public var isInert: Bool {
        let file = AssociationFile(document: document)
        return TeamCheck.apps(of: file).isEmpty && file.unknownServices.isEmpty
            && file.applinks?.unknownMembers.isEmpty ?? true
    }

    /// The services that list the app, in Apple's order.
    public func services(of app: String) -> [AssociationService] {
        let file = AssociationFile(document: document)
        return AssociationService.allCases.filter { service in
            service == .applinks
                ? file.applinks?.details.contains { $0.names(app) } ?? false
                : file.list(of: service)?.apps.contains { $0.value == app } ?? false
        }
    }

    // MARK: Adding

    /// Adds an app to a service that is a plain list.
    /// - Throws: ``EditError`` if it is listed already or the document has another structure.
    public mutating func add(app: String, to service: AssociationService) throws(EditError) {
        let path: [JSONTextEditor.Step] = [.key(service.rawValue), .key("apps")]
        try requireObject(service.rawValue)
        if let apps = editor.value(at: path) {
            if let place = apps.array?.first(where: { $0.string == app }) {
                throw EditError(
                    "\(app) is listed under \(service.rawValue) already", at: place.range,
                    document)
            }
            try editor.append(JSONValue(.string(app)), toArrayAt: path)
            return
        }
        if editor.value(at: [.key(service.rawValue)]) != nil {
            try editor.append("apps", [.text(app)], toObjectAt: [.key(service.rawValue)])
        } else {
            try editor.append(service.rawValue, ["apps": [.text(app)]], toObjectAt: [])
        }
    }

    /// Adds an app beside another one: both then open the same URLs.
    /// - Throws: ``EditError`` if the other has no rules here, or the app has all of them.
    public mutating func addLinks(app: String, like other: String) throws(EditError) {
        let file = AssociationFile(document: document)
        let entries = (file.applinks?.details ?? []).filter { $0.names(other) }
        guard !entries.isEmpty else {
            throw EditError(
                "\(other) has no universal links in this file",
                remedy: "Name an app that has, or give --path.", document)
        }
        let layout = JSONLayout(document)
        var edits: [TextEdit] = []
        for detail in entries where !detail.names(app) {
            let path = Self.details + [.index(detail.index)]
            switch detail.appIDForm {
            case .appIDs:
                edits.append(
                    try editor.insertion(
                        of: [JSONValue(.string(app))], at: Int.max,
                        intoArrayAt: path + [.key("appIDs")], layout))
            case .appID where detail.components == nil:
                // Systems that read `paths` read only `appID`: a separate entry.
                let members = (editor.value(at: path)?.members ?? []).map { member in
                    member.key == "appID"
                        ? JSONMember(key: "appID", value: .text(app)) : member
                }
                // After its model: the order of entries decides.
                edits.append(
                    try editor.insertion(
                        of: [JSONValue(.object(members))], at: detail.index + 1,
                        intoArrayAt: Self.details, layout))
            case .appID:
                guard let member = detail.appIDMember else { continue }
                let both = JSONValue(.array([other, app].map { JSONValue(.string($0)) }))
                guard let entry = editor.value(at: path), let members = entry.members,
                    let place = members.lastIndex(where: { $0.key == "appID" }),
                    members.contains(where: { $0.key == "paths" })
                else {
                    edits.append(TextEdit(member.range, layout.render("appIDs", both, nil)))
                    continue
                }
                // It stays for the systems that read `paths`, and `appID` alone.
                edits.append(
                    layout.insertion(into: entry.range, members.map(\.range), at: place + 1) {
                        [layout.render("appIDs", both, $0)]
                    })
            case .key:
                guard let object = editor.value(at: Self.details), let old = object.members,
                    let rules = object[other]
                else { continue }
                edits.append(
                    layout.insertion(into: object.range, old.map(\.range), at: old.count) {
                        [layout.render(app, rules, $0)]
                    })
            case .none: continue
            }
        }
        guard !edits.isEmpty else {
            throw EditError(
                "\(app) already opens what \(other) opens", at: entries.first?.range,
                document)
        }
        try editor.apply(edits)
    }

    // MARK: Removing

    /// Removes an app from a service: from every entry that names it. An entry without another app
    /// is removed, and so is a service without content.
    /// - Throws: ``EditError`` if the service does not list it.
    public mutating func remove(app: String, from service: AssociationService) throws(EditError) {
        guard services(of: app).contains(service) else {
            throw EditError(
                "\(app) is not listed under \(service.rawValue)",
                document)
        }
        if service == .applinks { return try removeLinks(app) }
        if let list = editor.value(at: [.key(service.rawValue), .key("apps")]) {
            try editor.apply(Self.removals(of: app, from: list))
        }
        try removeIfEmpty(service.rawValue, "apps")
    }

    private static func removals(of app: String, from list: JSONValue) -> [TextEdit] {
        let elements = list.array ?? []
        let indices = elements.indices.filter { elements[$0].string == app }
        return JSONTextEditor.removals(of: Set(indices), from: list) ?? []
    }

    /// Removes a service with nothing but an empty list.
    private mutating func removeIfEmpty(_ service: String, _ list: String) throws(EditError) {
        let members = editor.value(at: [.key(service)])?.members ?? []
        if members.count == 1, members[0].key == list, members[0].value.isNothing {
            try editor.remove(at: [.key(service)])
        }
    }

    private mutating func removeLinks(_ app: String) throws(EditError) {
        let file = AssociationFile(document: document)
        let used = file.applinks?.usedVariables ?? []
        guard let details = editor.value(at: Self.details) else { return }
        var gone: Set<Int> = []
        var edits: [TextEdit] = []
        for detail in file.applinks?.details ?? [] where detail.names(app) {
            let others = detail.appIDs.contains { $0.value != app }
            guard detail.appIDForm == .appIDs, others else {
                gone.insert(detail.index)
                continue
            }
            guard let list = detail.appIDsMember?.value else { continue }
            edits += Self.removals(of: app, from: list)
            // Also for systems that read only `appID`.
            let entry = details.array.map { $0[detail.index] }
            let place = entry?.members?.lastIndex { $0.key == "appID" }
            if let entry, let place, detail.appIDMember?.value.string == app {
                edits += JSONTextEditor.removals(of: [place], from: entry) ?? []
            }
        }
        edits += JSONTextEditor.removals(of: gone, from: details) ?? []
        try editor.apply(edits)
        try removeVariables(usedBefore: used)
        try removeIfEmpty("applinks", "details")
    }

    /// Removes variables that only removed rules used.
    mutating func removeVariables(usedBefore used: Set<ExactText>) throws(EditError) {
        let path: [JSONTextEditor.Step] = [.key("applinks"), .key("substitutionVariables")]
        let unused = used.subtracting(
            AssociationFile(document: document).applinks?.usedVariables ?? [])
        guard !unused.isEmpty, let object = editor.value(at: path), let members = object.members
        else { return }
        let gone = Set(members.indices.filter { unused.contains(ExactText(members[$0].key)) })
        if gone.isEmpty { return }
        if gone.count == members.count { return try editor.remove(at: path) }
        try editor.apply(JSONTextEditor.removals(of: gone, from: object) ?? [])
    }

    // MARK: Renaming

    /// Renames an app everywhere in the document.
    /// - Throws: ``EditError`` if it does not occur, or the new identifier does.
    public mutating func rename(app: String, to new: String) throws(EditError) {
        let apps = TeamCheck.apps(of: AssociationFile(document: document))
        let places = apps.filter { $0.value == app }
        guard !places.isEmpty else {
            throw EditError(
                "\(app) is listed nowhere in this file", document)
        }
        if let known = apps.first(where: { $0.value == new }) {
            throw EditError(
                "\(new) is listed already", at: known.range, document)
        }
        var text: [UInt8] = []
        JSONWriter.append(string: new, to: &text)
        try editor.apply(places.map { TextEdit($0.range, text) })
    }

    static let details: [JSONTextEditor.Step] = [.key("applinks"), .key("details")]

    func requireObject(_ service: String) throws(EditError) {
        guard document.root.members != nil else {
            throw EditError("the file is not an object", at: document.root.range, document)
        }
        if let value = editor.value(at: [.key(service)]), value.members == nil {
            throw EditError("\"\(service)\" is not an object", at: value.range, document)
        }
    }
}

extension AppLinksDetail {
    /// Whether the entry belongs to this app.
    func names(_ app: String) -> Bool { appIDs.contains { $0.value == app } }
}
