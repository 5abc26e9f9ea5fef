/// Adds apps to an association file and takes them away, as a person with an editor would.
///
/// A value: bytes in, bytes out. The result is always a document that reads; whether it may be
/// published is for merge and linter to say before anything is written.
public struct FragmentEditor: Sendable {
    /// The services an app can be listed under.
    public enum Service: String, Sendable, Hashable, CaseIterable {
        case activitycontinuation
        case appclips
        case applinks
        case webcredentials
    }

    private var editor: JSONTextEditor

    public init(_ document: JSONDocument) {
        editor = JSONTextEditor(document)
    }

    public var document: JSONDocument { editor.document }
    public var bytes: [UInt8] { editor.bytes }

    /// A fragment to begin with, when a team has none.
    public static let empty = Array("{\n}\n".utf8)

    /// The services that list the app, in alphabetical order.
    public func services(of app: String) -> [Service] {
        Service.allCases.filter { service in
            switch service {
            case .applinks:
                AssociationFile(document: document).applinks?.details.contains {
                    $0.appIDs.contains { $0.value == app }
                } ?? false
            case .activitycontinuation, .appclips, .webcredentials:
                editor.value(at: [.key(service.rawValue), .key("apps")])?.array?
                    .contains { $0.string == app } ?? false
            }
        }
    }

    // MARK: Adding

    /// Lists an app under a service that is nothing but a list.
    /// - Throws: ``EditError`` when it is listed already or the document has another shape.
    public mutating func add(app: String, to service: AppList.Service) throws(EditError) {
        let path: [JSONTextEditor.Step] = [.key(service.rawValue), .key("apps")]
        try requireObject(service.rawValue)
        if let apps = editor.value(at: path) {
            if let place = apps.array?.first(where: { $0.string == app }) {
                throw EditError(
                    .argument, "\(app) is listed under \(service.rawValue) already", at: place,
                    document)
            }
            try editor.append(JSONValue(.string(app)), toArrayAt: path)
            return
        }
        let apps = JSONValue(.array([JSONValue(.string(app))]))
        if editor.value(at: [.key(service.rawValue)]) != nil {
            try editor.append("apps", apps, toObjectAt: [.key(service.rawValue)])
        } else {
            let list = JSONValue(.object([JSONMember(key: "apps", value: apps)]))
            try editor.append(service.rawValue, list, toObjectAt: [])
        }
    }

    /// Gives an app universal links: an entry of its own behind the others, with one component per
    /// pattern.
    ///
    /// - Parameter patterns: path patterns, `NOT ` before those to exclude; the first that matches
    ///   decides.
    public mutating func addLinks(app: String, patterns: [String]) throws(EditError) {
        let components = patterns.map { pattern in
            let excludes = pattern.hasPrefix("NOT ")
            let path = excludes ? String(pattern.dropFirst(4)) : pattern
            let members = [JSONMember(key: "/", value: JSONValue(.string(path)))]
            let exclude = JSONMember(key: "exclude", value: JSONValue(.bool(true)))
            return JSONValue(.object(members + (excludes ? [exclude] : [])))
        }
        let entry = JSONValue(
            .object([
                JSONMember(key: "appIDs", value: JSONValue(.array([JSONValue(.string(app))]))),
                JSONMember(key: "components", value: JSONValue(.array(components))),
            ]))
        try requireObject("applinks")
        switch editor.value(at: [.key("applinks"), .key("details")])?.kind {
        case .array: try editor.append(entry, toArrayAt: [.key("applinks"), .key("details")])
        case .object:
            let rules = JSONValue(
                .object([
                    JSONMember(
                        key: "paths",
                        value: JSONValue(.array(patterns.map { JSONValue(.string($0)) })))
                ]))
            guard editor.value(at: Self.details + [.key(app)]) == nil else {
                throw EditError(
                    .argument, "\(app) has universal links already",
                    at: editor.value(at: Self.details + [.key(app)]), document)
            }
            try editor.append(app, rules, toObjectAt: Self.details)
        case .null, .bool, .number, .string:
            throw EditError(
                .shape, "\"details\" is neither an array nor an object",
                at: editor.value(at: Self.details), document)
        case nil:
            let details = JSONValue(.array([entry]))
            if editor.value(at: [.key("applinks")]) == nil {
                let links = JSONValue(.object([JSONMember(key: "details", value: details)]))
                try editor.append("applinks", links, toObjectAt: [])
            } else {
                try editor.append("details", details, toObjectAt: [.key("applinks")])
            }
        }
    }

    /// Puts an app beside another one: both then open the same URLs.
    public mutating func addLinks(app: String, like other: String) throws(EditError) {
        let file = AssociationFile(document: document)
        let entries = (file.applinks?.details ?? []).filter { detail in
            detail.appIDs.contains { $0.value == other }
        }
        guard !entries.isEmpty else {
            throw EditError(
                .missing, "\(other) has no universal links in this file",
                remedy: "name an app that has, or give --path", at: nil, document)
        }
        // From the last to the first: what is in front keeps its index.
        for detail in entries.reversed() {
            if detail.appIDs.contains(where: { $0.value == app }) { continue }
            let path = Self.details + [.index(detail.index)]
            switch detail.appIDForm {
            case .appIDs:
                try editor.append(
                    JSONValue(.string(app)), toArrayAt: path + [.key("appIDs")])
            case .appID:
                // `appIDs` takes precedence over `appID`, which stays for older systems.
                let both = [other, app].map { JSONValue(.string($0)) }
                try editor.append("appIDs", JSONValue(.array(both)), toObjectAt: path)
            case .key:
                if let rules = editor.value(at: Self.details + [.key(other)]) {
                    try editor.append(app, rules, toObjectAt: Self.details)
                }
            case .none: continue
            }
        }
    }

    // MARK: Removing

    /// Takes an app out of a service: out of every entry that names it, and the entry with it when
    /// it names no other app, and the service when nothing is left in it.
    /// - Throws: ``EditError`` when the service does not list it.
    public mutating func remove(app: String, from service: Service) throws(EditError) {
        guard services(of: app).contains(service) else {
            throw EditError(
                .missing, "\(app) is not listed under \(service.rawValue)", at: nil, document)
        }
        switch service {
        case .applinks: try removeLinks(app)
        case .activitycontinuation, .appclips, .webcredentials:
            let path: [JSONTextEditor.Step] = [.key(service.rawValue), .key("apps")]
            let apps = editor.value(at: path)?.array ?? []
            for index in apps.indices.reversed() where apps[index].string == app {
                try editor.remove(at: path + [.index(index)])
            }
            try removeIfEmpty(service.rawValue, "apps")
        }
    }

    /// A service that has nothing left but its empty list says nothing.
    private mutating func removeIfEmpty(_ service: String, _ list: String) throws(EditError) {
        let members = editor.value(at: [.key(service)])?.members ?? []
        let isEmpty =
            switch members.first?.value.kind {
            case .array(let values): values.isEmpty
            case .object(let members): members.isEmpty
            case .null, .bool, .number, .string, nil: false
            }
        if members.count == 1, members.first?.key == list, isEmpty {
            try editor.remove(at: [.key(service)])
        }
    }

    private mutating func removeLinks(_ app: String) throws(EditError) {
        let file = AssociationFile(document: document)
        for detail in (file.applinks?.details ?? []).reversed()
        where detail.appIDs.contains(where: { $0.value == app }) {
            let path = Self.details + [.index(detail.index)]
            switch detail.appIDForm {
            case .key: try editor.remove(at: Self.details + [.key(app)])
            case .appID: try editor.remove(at: path)
            case .appIDs:
                let rest = detail.appIDs.filter { $0.value != app }
                if rest.isEmpty {
                    try editor.remove(at: path)
                    continue
                }
                let elements = editor.value(at: path + [.key("appIDs")])?.array ?? []
                for index in elements.indices.reversed() where elements[index].string == app {
                    try editor.remove(at: path + [.key("appIDs"), .index(index)])
                }
                // A system that reads only `appID` must not keep the app either.
                if detail.appIDMember?.value.string == app {
                    try editor.remove(at: path + [.key("appID")])
                }
            case .none: continue
            }
        }
        try removeIfEmpty("applinks", "details")
    }

    private static let details: [JSONTextEditor.Step] = [.key("applinks"), .key("details")]

    private func requireObject(_ service: String) throws(EditError) {
        guard document.root.members != nil else {
            throw EditError(.shape, "the file is no object", at: document.root, document)
        }
        if let value = editor.value(at: [.key(service)]), value.members == nil {
            throw EditError(.shape, "\"\(service)\" is no object", at: value, document)
        }
    }
}
