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
        let apps = editor.value(at: path)?.array
        if let place = apps?.first(where: { $0.string == app }) {
            throw EditError(
                "\(app) is listed under \(service.rawValue) already", at: place.range, document)
        }
        try add([.text(app)], at: path)
    }

    /// Adds elements to a list; a missing list is added with them.
    mutating func add(
        _ elements: [JSONValue], at path: [JSONTextEditor.Step]
    ) throws(EditError) {
        if editor.value(at: path) == nil { return try editor.set(.list(elements), at: path) }
        try editor.insert(elements, intoArrayAt: path)
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
        guard let details = editor.value(at: Self.details) else { return }
        let layout = JSONLayout(document)
        var edits: [TextEdit] = []
        for detail in entries where !detail.names(app) {
            let entry = details.array?[detail.index]
            let members = entry?.members ?? []
            let place = members.lastIndex { $0.key == "appID" }
            switch (detail.appIDForm, place) {
            case (.appIDs, _):
                guard let list = detail.appIDsMember?.value else { continue }
                edits.append(layout.insertion(of: [.text(app)], into: list))
            case (.appID, let place?) where detail.components == nil:
                // Systems that read `paths` read only `appID`: a separate entry.
                var copy = members
                copy[place] = JSONMember(key: "appID", value: .text(app))
                // After its model: the order of entries decides.
                edits.append(
                    layout.insertion(
                        of: [JSONValue(.object(copy))], at: detail.index + 1, into: details))
            case (.appID, let place?):
                let both = JSONMember(key: "appIDs", value: [.text(other), .text(app)])
                if let entry, members.contains(where: { $0.key == "paths" }) {
                    // It stays for the systems that read `paths`, and `appID` alone.
                    edits.append(layout.insertion(of: [both], at: place + 1, into: entry))
                } else {
                    edits.append(TextEdit(members[place].range, layout.render(both, nil)))
                }
            case (.key, _):
                guard let rules = details[other] else { continue }
                edits.append(
                    layout.insertion(of: [JSONMember(key: app, value: rules)], into: details))
            case (.appID, nil), (.none, _): continue
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
