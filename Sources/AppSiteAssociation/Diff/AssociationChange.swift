/// One difference of meaning between two association files.
public struct AssociationChange: Sendable, Hashable {
    /// What kind of change it is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case appAdded = "app-added"
        case appRemoved = "app-removed"
        /// There are more changes than are listed; the subject says how many.
        case changesOmitted = "changes-omitted"
        /// The order of the apps, which decides if several claim a URL.
        case appsReordered = "apps-reordered"
        /// Rules moved from `paths` to `components`, which systems before iOS 13 do not read, or
        /// back.
        case formChanged = "form-changed"
        /// An unknown member: compared as JSON.
        case memberAdded = "member-added"
        case memberChanged = "member-changed"
        case memberRemoved = "member-removed"
        case ruleAdded = "rule-added"
        case ruleChanged = "rule-changed"
        /// The rule is the same but at another position; the first matching rule decides.
        case ruleMoved = "rule-moved"
        case ruleRemoved = "rule-removed"
        /// A variable got, lost or changed its values, and unchanged rules use it.
        case variableChanged = "variable-changed"
    }

    /// One side of a change.
    public struct Side: Sendable, Hashable {
        /// The app, the rule (with all defaults, as JSON) or the value.
        public let text: String
        /// Position of a rule among the rules of its app, counted from 0.
        public private(set) var index: Int?
        /// Its bytes in the file of this side.
        public let range: Range<Int>
    }

    /// What kind of change this is.
    public let kind: Kind
    /// `applinks`, `webcredentials`, ….
    public let service: String
    /// The affected apps, if the change is about rules.
    public internal(set) var apps: [String] = []
    /// What the change is about: an app, a rule, a variable or member by name.
    public let subject: String
    /// Nil for what was added.
    public private(set) var before: Side?
    /// Nil for what was removed.
    public private(set) var after: Side?
}

extension AssociationChange: CustomStringConvertible {
    /// One line of text, such as `+ rule {"/":"/buy/*"} of ABCDE12345.com.example.app`.
    public var description: String {
        let whose = apps.isEmpty ? "" : " of " + apps.joined(separator: ", ")
        switch kind {
        case .appAdded: return "+ app \(subject)"
        case .appRemoved: return "- app \(subject)"
        case .changesOmitted: return "… and \(subject)"
        case .appsReordered:
            return "~ order of apps: \(after?.text ?? ""), was \(before?.text ?? "")"
        case .formChanged:
            return "~ rules\(whose) are written as \(after?.text ?? ""), were \(before?.text ?? "")"
        case .memberAdded: return "+ \(subject): \(after?.text ?? "")"
        case .memberChanged:
            return "~ \(subject): \(before?.text ?? "") -> \(after?.text ?? "")"
        case .memberRemoved: return "- \(subject): \(before?.text ?? "")"
        case .ruleAdded:
            let everything = after?.text == "{}" ? " (takes EVERY URL)" : ""
            return "+ rule \(after?.text ?? "")\(everything)\(whose)"
        case .ruleChanged:
            return "~ rule \(before?.text ?? "") -> \(after?.text ?? "")\(whose)"
        case .ruleMoved:
            let places = [before?.index, after?.index].map { $0.map { String($0 + 1) } ?? "?" }
            return "~ rule \(subject) moved from place \(places[0]) to \(places[1])\(whose)"
        case .ruleRemoved: return "- rule \(before?.text ?? "")\(whose)"
        case .variableChanged:
            return "~ variable \(subject): \(before?.text ?? "undefined") -> "
                + (after?.text ?? "undefined")
        }
    }
}

/// Compares two association files by their meaning, not by their bytes.
///
/// White space, the order of members, comments, the form of an app ID (`appID`, `appIDs`, a key of
/// `details`), defaults that moved between levels, and a renamed variable are no changes.
public enum AssociationDiff {
    /// Maximum of listed changes of rules; the rest are counted (`changes-omitted`). No person
    /// reads more, and a document of 4 MiB could cause a million.
    public static let changesMaximum = 10_000
    /// Maximum of bytes of rules as text: 10,000 usual rules have half of it. Ten thousand rules
    /// under one long pattern of `defaults` would be ten times as much.
    static let textBytesMaximum = 1 << 20

    /// The changes from one document to the other, in meaning.
    public static func diff(
        _ before: AssociationFile, _ after: AssociationFile
    ) -> [AssociationChange] {
        var changes: [AssociationChange] = []
        changes += AppLinksDiff(before, after).changes()
        for service in AssociationService.allCases where service != .applinks {
            let name = service.rawValue
            let old = before.list(of: service)
            let new = after.list(of: service)
            changes += DiffParts.apps(
                name, (old?.apps ?? []).unique(by: \.value),
                (new?.apps ?? []).unique(by: \.value))
            changes += DiffParts.members(
                name, old?.unknownMembers ?? [], new?.unknownMembers ?? [])
        }
        return changes + DiffParts.members(nil, before.unknownServices, after.unknownServices)
    }
}

/// Shared by all services.
enum DiffParts {
    static func apps(
        _ service: String, _ old: [Located<String>], _ new: [Located<String>]
    ) -> [AssociationChange] {
        let oldNames = Set(old.map(\.value))
        let newNames = Set(new.map(\.value))
        let removed = old.filter { !newNames.contains($0.value) }.map {
            AssociationChange(
                kind: .appRemoved, service: service, subject: $0.value,
                before: AssociationChange.Side(text: $0.value, range: $0.range))
        }
        let added = new.filter { !oldNames.contains($0.value) }.map {
            AssociationChange(
                kind: .appAdded, service: service, subject: $0.value,
                after: AssociationChange.Side(text: $0.value, range: $0.range))
        }
        return removed + added
    }

    /// - Parameter service: nil if each member is a service of its own.
    static func members(
        _ service: String?, _ old: [JSONMember], _ new: [JSONMember]
    ) -> [AssociationChange] {
        var changes: [AssociationChange] = []
        func side(_ member: JSONMember) -> AssociationChange.Side {
            let text = String(decoding: JSONWriter.minified(member.value), as: UTF8.self)
            return AssociationChange.Side(text: text, range: member.value.range)
        }
        func add(_ kind: AssociationChange.Kind, _ old: JSONMember?, _ new: JSONMember?) {
            let key = new?.key ?? old?.key ?? ""
            changes.append(
                AssociationChange(
                    kind: kind, service: service ?? key,
                    subject: (service.map { $0 + "." } ?? "") + key, before: old.map(side),
                    after: new.map(side)))
        }
        // The last of equal keys counts, as in a dictionary.
        let oldByKey = Dictionary(old.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        let newByKey = Dictionary(new.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        for member in old where oldByKey[member.key]?.range == member.range {
            let other = newByKey[member.key]
            if other == nil { add(.memberRemoved, member, nil) }
            if let other, !other.value.means(member.value) { add(.memberChanged, member, other) }
        }
        for member in new
        where oldByKey[member.key] == nil && newByKey[member.key]?.range == member.range {
            add(.memberAdded, nil, member)
        }
        return changes
    }
}
