/// `applinks`: the URLs that open in each app, in all historical forms.
public struct AppLinks: Sendable {
    /// The three forms of `details`.
    public enum DetailsForm: Sendable, Hashable {
        /// `[{…}, …]`: order is the priority of the apps.
        case array
        /// `{"TEAM.bundle": {…}}`, the form of 2015. JSON objects have no order, so the apps have
        /// none.
        case dictionary
        /// `details` is missing, or neither an array nor an object of apps.
        case none
    }

    /// `apps`: once required and empty, now without meaning; nil when it is missing.
    public let appsMember: JSONMember?
    /// `defaults` for all details; empty when missing.
    public let defaults: LinkComponent
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

    init(_ member: JSONMember) {
        let members = member.value.members ?? []
        appsMember = members.last("apps")
        defaults = LinkComponent(defaultsIn: members)
        substitutionVariablesMember = members.last("substitutionVariables")
        substitutionVariables = SubstitutionVariable.list(substitutionVariablesMember?.value)
        detailsMember = members.last("details")
        unknownMembers = members.filter { AssociationFormat.applinks[$0.key] == nil }
        switch detailsMember?.value.kind {
        case .array(let values):
            detailsForm = .array
            details = values.enumerated().compactMap { index, value in
                AppLinksDetail(value, key: nil, index: index)
            }
        // One entry without brackets is no dictionary of apps.
        case .object(let entries)
        where !entries.contains { AssociationFormat.entry[$0.key] != nil }:
            detailsForm = .dictionary
            details = entries.enumerated().compactMap { index, entry in
                AppLinksDetail(
                    entry.value, key: Located(entry.key, range: entry.keyRange), index: index)
            }
        case .null, .bool, .number, .string, .object, nil:
            detailsForm = .none
            details = []
        }
    }
}

extension AppLinks {
    /// Every pattern of the document with its place.
    func forEachPattern(_ look: (Located<String>) -> Void) {
        func add(_ component: LinkComponent) {
            for member in component.patterns {
                if let text = member.value.text { look(text) }
                for item in member.value.members ?? [] { item.value.text.map(look) }
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

    /// The members that say whose entry it is.
    static let appKeys = ["appID", "appIDs"]

    /// Position within `details` as written, counted from 0; entries that are not objects count,
    /// too.
    public let index: Int
    /// The apps of this entry: `appIDs` if that is an array, otherwise `appID`, otherwise the key.
    public let appIDs: [Located<String>]
    /// The form of the app identifiers.
    public let appIDForm: AppIDForm
    /// The members as written.
    let members: [JSONMember]
    /// The rules of iOS 13 and later; nil if `components` is missing or not an array. If it is an
    /// array, even an empty one, ``paths`` is ignored.
    public let components: [LinkComponent]?
    /// The rules of iOS 9 to 12, with `NOT ` prefixes; nil if `paths` is missing or not an array.
    public let paths: [Located<String>]?
    /// The entry's object.
    public let range: Range<Int>

    /// `appID` as written, of any type.
    public var appIDMember: JSONMember? { members.last("appID") }
    /// `appIDs` as written, of any type.
    public var appIDsMember: JSONMember? { members.last("appIDs") }
    /// `components` as written, of any type.
    public var componentsMember: JSONMember? { members.last("components") }
    /// `paths` as written, of any type.
    public var pathsMember: JSONMember? { members.last("paths") }
    /// `defaults` of this entry; empty when missing.
    public var defaults: LinkComponent { LinkComponent(defaultsIn: members) }

    init?(_ value: JSONValue, key: Located<String>?, index: Int) {
        guard let members = value.members else { return nil }
        self.members = members
        self.index = index
        range = value.range
        if let key {
            (appIDs, appIDForm) = ([key], .key)
        } else if let list = members.last("appIDs")?.value.texts {
            (appIDs, appIDForm) = (list, .appIDs)
        } else if let single = members.last("appID")?.value.text {
            (appIDs, appIDForm) = ([single], .appID)
        } else {
            (appIDs, appIDForm) = ([], .none)
        }
        components = members.last("components")?.value.array.map(LinkComponent.list)
        paths = members.last("paths")?.value.texts
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
    static func list(_ value: JSONValue?) -> [SubstitutionVariable] {
        var list: [SubstitutionVariable] = []
        var places: [ExactText: Int] = [:]
        for entry in value?.members ?? [] {
            guard let values = entry.value.texts else { continue }
            let variable = SubstitutionVariable(
                name: Located(entry.key, range: entry.keyRange), values: values,
                range: entry.range)
            if let place = places[ExactText(entry.key)] {
                list[place] = variable
            } else {
                places[ExactText(entry.key)] = list.count
                list.append(variable)
            }
        }
        return list
    }
}
