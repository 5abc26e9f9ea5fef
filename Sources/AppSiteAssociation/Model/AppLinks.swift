/// `applinks`: the URLs that open in each app, in all historical forms.
public struct AppLinks: Sendable {
    /// The three forms of `details`.
    public enum DetailsForm: Sendable, Hashable {
        /// `[{…}, …]`: order is the priority of the apps.
        case array
        /// `{"TEAM.bundle": {…}}`, the form of 2015. JSON objects have no order, so the apps have
        /// none.
        case dictionary
        /// `details` is missing, or neither an array nor an object.
        case none
    }

    /// `apps`: once required and empty, now without meaning.
    public let apps: [Located<String>]
    /// The member `apps` itself; nil when it is missing.
    public let appsMember: JSONMember?
    /// `defaults` for all details; empty when missing.
    public let defaults: RuleDefaults
    /// The entries of `substitutionVariables`, in order.
    public let substitutionVariables: [SubstitutionVariable]
    /// The member `substitutionVariables` itself; nil when it is missing.
    public let substitutionVariablesMember: JSONMember?
    /// The entries of `details` that are objects, in order.
    public let details: [AppLinksDetail]
    /// The form of `details`.
    public let detailsForm: DetailsForm
    /// The member `details` itself; nil when it is missing.
    public let detailsMember: JSONMember?
    /// Members of `applinks` that Apple does not document.
    public let unknownMembers: [JSONMember]
    /// The key `applinks`, including quotes.
    public let keyRange: Range<Int>
    /// The value of `applinks`.
    public let range: Range<Int>

    init(_ member: JSONMember, _ shape: inout ShapeReader) {
        keyRange = member.keyRange
        range = member.value.range
        var apps: JSONMember?
        var defaults: JSONMember?
        var variables: JSONMember?
        var details: JSONMember?
        var unknown: [JSONMember] = []
        for inner in shape.object(member.value, .serviceNotObject, "applinks") ?? [] {
            switch inner.key {
            case "apps": apps = inner
            case "defaults": defaults = inner
            case "details": details = inner
            case "substitutionVariables": variables = inner
            default: unknown.append(inner)
            }
        }
        appsMember = apps
        self.apps = apps.map { shape.apps($0, in: "applinks") } ?? []
        self.defaults = defaults.map { LinkComponent(defaults: $0, &shape) } ?? .empty
        substitutionVariablesMember = variables
        substitutionVariables = variables.map { SubstitutionVariable.list($0, &shape) } ?? []
        detailsMember = details
        unknownMembers = unknown

        switch details?.value.kind {
        case .array(let values):
            detailsForm = .array
            var list: [AppLinksDetail] = []
            list.reserveCapacity(values.count)
            for (index, value) in values.enumerated() {
                guard let members = shape.object(value, .detailNotObject, "an entry of \"details\"")
                else { continue }
                list.append(AppLinksDetail(members, value, key: nil, index: index, &shape))
            }
            self.details = list
        case .object(let entries):
            detailsForm = .dictionary
            self.details = entries.enumerated().compactMap { index, entry in
                guard
                    let members = shape.object(
                        entry.value, .detailNotObject, "the entry of an app in \"details\"")
                else { return nil }
                let key = Located(entry.key, range: entry.keyRange)
                return AppLinksDetail(members, entry.value, key: key, index: index, &shape)
            }
        case .null, .bool, .number, .string:
            detailsForm = .none
            self.details = []
            if let details {
                shape.report(
                    .detailsWrongType, details.value.range,
                    "\"details\" is \(details.value.kindName); it has to be an array of objects",
                    "write \"details\": [{\"appIDs\": […], \"components\": […]}]")
            }
        case nil:
            detailsForm = .none
            self.details = []
            if member.value.members != nil {
                shape.report(
                    .detailsMissing, member.value.range, "applinks has no \"details\"",
                    "write \"details\": [{\"appIDs\": […], \"components\": […]}]")
            }
        }
    }
}

extension AppLinks {
    /// Every pattern of the document with its place.
    func forEachPattern(_ look: (Located<String>) -> Void) {
        func add(_ component: LinkComponent) {
            if let path = component.path { look(path) }
            if let fragment = component.fragment { look(fragment) }
            switch component.query?.value {
            case .pattern(let text): look(Located(text, range: component.query?.range ?? 0..<0))
            case .items(let items): for item in items { look(item.pattern) }
            case .dropped, nil: break
            }
        }
        add(defaults)
        for detail in details {
            add(detail.defaults)
            for component in detail.components ?? [] { add(component) }
            for path in detail.paths ?? [] { look(path) }
        }
    }

    /// The names of all variables that patterns use.
    var usedVariables: Set<ExactText> {
        var names: Set<ExactText> = []
        forEachPattern { names.formUnion(PatternPiece.names(in: $0.value)) }
        return names
    }
}

/// An entry of `details`: some apps and the rules of the URLs they open.
public struct AppLinksDetail: Sendable {
    /// The source of ``AppLinksDetail/appIDs``.
    public enum AppIDForm: Sendable, Hashable {
        /// `"appIDs": [ … ]`
        case appIDs
        /// `"appID": "…"`
        case appID
        /// The key of a `details` object.
        case key
        /// No usable app identifier.
        case none
    }

    /// Position within `details` as written, counted from 0; entries that are not objects count,
    /// too.
    public let index: Int
    /// The apps of this entry: `appIDs` if that is an array, otherwise `appID`, otherwise the key.
    public let appIDs: [Located<String>]
    /// The form of the app identifiers.
    public let appIDForm: AppIDForm
    /// The entry as written. Rarely used members are looked up there: an entry takes 72 bytes
    /// instead of 480, and a document with a million empty ones fits into memory.
    private let members: [JSONMember]
    /// `defaults` of this entry; one element, or none.
    private let written: [RuleDefaults]
    /// The rules of iOS 13 and later; nil if `components` is missing or not an array. If it is an
    /// array, even an empty one, ``paths`` is ignored.
    public let components: [LinkComponent]?
    /// The rules of iOS 9 to 12, with `NOT ` prefixes; nil if `paths` is missing or not an array.
    public let paths: [Located<String>]?
    /// The entry's object.
    public let range: Range<Int>

    /// `appID` as written, of any type.
    public var appIDMember: JSONMember? { member("appID") }
    /// `appIDs` as written, of any type.
    public var appIDsMember: JSONMember? { member("appIDs") }
    /// `components` as written, of any type.
    public var componentsMember: JSONMember? { member("components") }
    /// `paths` as written, of any type.
    public var pathsMember: JSONMember? { member("paths") }
    /// `defaults` of this entry; empty when missing.
    public var defaults: RuleDefaults { written.first ?? .empty }
    /// Members that Apple does not document; devices ignore them.
    public var unknownMembers: [JSONMember] {
        members.filter { !Vocabulary.isEntryKey($0.key) }
    }

    /// The last of equal keys counts, as in a dictionary.
    private func member(_ key: String) -> JSONMember? { members.last { $0.key == key } }

    init(
        _ members: [JSONMember], _ value: JSONValue, key: Located<String>?, index: Int,
        _ shape: inout ShapeReader
    ) {
        self.index = index
        range = value.range
        var appID: JSONMember?
        var appIDs: JSONMember?
        var defaults: JSONMember?
        var components: JSONMember?
        var paths: JSONMember?
        for member in members {
            switch member.key {
            case "appID": appID = member
            case "appIDs": appIDs = member
            case "components": components = member
            case "defaults": defaults = member
            case "paths": paths = member
            default: break
            }
        }
        self.members = members
        written = defaults.map { [LinkComponent(defaults: $0, &shape)] } ?? []

        let single = appID.flatMap { shape.string($0, .appIDNotString) }
        if let key {
            self.appIDs = [key]
            appIDForm = .key
        } else if let appIDs, let list = shape.strings(appIDs, .appIDsNotArray, .appNotString) {
            self.appIDs = list
            appIDForm = .appIDs
        } else if let single {
            self.appIDs = [single]
            appIDForm = .appID
        } else {
            self.appIDs = []
            appIDForm = .none
            if appID == nil, appIDs == nil {
                shape.report(
                    .appIDsMissing, value.range, "this entry of \"details\" names no app",
                    "add \"appIDs\" with the identifiers of the apps, or remove the entry")
            }
        }

        self.components = components.flatMap { member in
            guard let values = shape.array(member, .componentsNotArray) else { return nil }
            return LinkComponent.list(values, &shape)
        }
        self.paths = paths.flatMap { shape.strings($0, .pathsNotArray, .pathNotString) }
    }
}

/// An entry of `substitutionVariables`: a name and the values of `$(name)`.
public struct SubstitutionVariable: Sendable {
    /// The name, without `$(` and `)`.
    public let name: Located<String>
    /// The values, in order.
    public let values: [Located<String>]
    /// The whole member, from the key to the end of the value.
    public let range: Range<Int>

    /// The variables with an array; the last of equal names counts, as in a dictionary.
    static func list(_ member: JSONMember, _ shape: inout ShapeReader) -> [SubstitutionVariable] {
        guard
            let entries = shape.object(
                member.value, .variablesNotObject, "\"substitutionVariables\"")
        else { return [] }
        var list: [SubstitutionVariable] = []
        var places: Set<NumberedName> = []
        for entry in entries {
            guard
                let values = shape.strings(entry, .variableNotArray, .variableValueNotString)
            else { continue }
            let variable = SubstitutionVariable(
                name: Located(entry.key, range: entry.keyRange), values: values,
                range: entry.range)
            let (isNew, first) = places.insert(NumberedName(ExactText(entry.key), list.count))
            if isNew { list.append(variable) } else { list[first.number] = variable }
        }
        return list
    }
}
