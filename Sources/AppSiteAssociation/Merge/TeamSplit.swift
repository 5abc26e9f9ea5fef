/// Splits one document into the fragments of several teams: the inverse of ``Merge``.
///
/// Each team gets the parts with its apps: entries of `details` with only its own apps, its share
/// of each list, the variables of its rules, and a copy of the members above the entries
/// (`defaults`). Members that belong to no team go to the first one. The order of the teams is that
/// of their first apps in the document.
///
/// The caller must check whether merging restores the document (``AssociationDiff/diff(_:_:)``): if
/// entries of several teams alternate, and the same URL opens apps of both, no order of teams is
/// equivalent.
public struct TeamSplit: Sendable {
    /// A team, and its part of the document.
    public struct Part: Sendable {
        /// The application identifier prefix.
        public let team: String
        /// The content of the team's fragment.
        public let root: JSONValue
    }

    /// In the order of the teams' first apps in the document.
    public let parts: [Part]
    /// App IDs that belong to no team, as written: no fragment can contain them.
    public let homeless: [String]

    /// Splits a document by the prefixes of its apps.
    public init(_ file: AssociationFile) {
        let members = file.document.root.members ?? []
        var order: [String] = []
        var known: Set<String> = []
        var homeless: [String] = []
        var homelessKnown: Set<String> = []
        for app in TeamCheck.apps(of: file).map(\.value) {
            if let team = Self.team(of: app) {
                if known.insert(team).inserted { order.append(team) }
            } else if homelessKnown.insert(app).inserted {
                homeless.append(app)
            }
        }
        self.homeless = homeless
        parts = order.enumerated().map { index, team in
            let isFirst = index == 0
            var own: [JSONMember] = []
            for member in members {
                if member.key == "applinks" {
                    own += Self.applinks(member, team: team, isFirst: isFirst)
                } else if AppList.Service(rawValue: member.key) != nil {
                    own += Self.list(member, team: team, isFirst: isFirst)
                } else if isFirst {
                    own.append(member)
                }
            }
            return Part(team: team, root: JSONValue(.object(own)))
        }
    }

    static func team(of app: String) -> String? {
        let prefix = String(app.prefix { $0 != "." })
        guard AppIdentifier.isPrefix(prefix), app.utf8.count > prefix.utf8.count + 1 else {
            return nil
        }
        return prefix
    }

    // MARK: Services

    private static func list(
        _ service: JSONMember, team: String, isFirst: Bool
    ) -> [JSONMember] {
        guard let members = service.value.members else { return isFirst ? [service] : [] }
        var isNamed = false
        let kept = members.compactMap { member -> JSONMember? in
            guard member.key == "apps", let apps = member.value.array else {
                return isFirst ? member : nil
            }
            let own = apps.filter { $0.string.map { Self.team(of: $0) == team } ?? false }
            isNamed = isNamed || !own.isEmpty
            return JSONMember(key: "apps", value: JSONValue(.array(own)))
        }
        return isNamed ? [JSONMember(key: service.key, value: JSONValue(.object(kept)))] : []
    }

    private static func applinks(
        _ service: JSONMember, team: String, isFirst: Bool
    ) -> [JSONMember] {
        guard let members = service.value.members else { return isFirst ? [service] : [] }
        let details = members.last { $0.key == "details" }.map { self.details($0.value, team) }
        guard let details, !isEmpty(details) else { return [] }
        let used = names(in: [details] + members.filter { $0.key == "defaults" }.map(\.value))
        let kept = members.compactMap { member -> JSONMember? in
            switch member.key {
            case "details": return JSONMember(key: "details", value: details)
            case "apps", "defaults": return member
            case "substitutionVariables":
                guard let variables = member.value.members else { return isFirst ? member : nil }
                let own = variables.filter { used.contains($0.key) }
                return own.isEmpty
                    ? nil : JSONMember(key: member.key, value: JSONValue(.object(own)))
            default: return isFirst ? member : nil
            }
        }
        return [JSONMember(key: service.key, value: JSONValue(.object(kept)))]
    }

    private static func isEmpty(_ value: JSONValue) -> Bool {
        (value.array?.isEmpty ?? true) && (value.members?.isEmpty ?? true)
    }

    /// The entries with apps of the team, without other apps.
    private static func details(_ value: JSONValue, _ team: String) -> JSONValue {
        switch value.kind {
        case .array(let entries):
            return JSONValue(.array(entries.compactMap { entry($0, team) }))
        case .object(let entries):
            return JSONValue(.object(entries.filter { self.team(of: $0.key) == team }))
        case .null, .bool, .number, .string: return JSONValue(.array([]))
        }
    }

    private static func entry(_ entry: JSONValue, _ team: String) -> JSONValue? {
        guard let members = entry.members else { return nil }
        var isNamed = false
        let kept = members.compactMap { member -> JSONMember? in
            switch (member.key, member.value.kind) {
            case ("appIDs", .array(let apps)):
                let own = apps.filter { $0.string.map { self.team(of: $0) == team } ?? false }
                if own.isEmpty { return nil }
                isNamed = true
                return JSONMember(key: member.key, value: JSONValue(.array(own)))
            case ("appID", .string(let app)):
                guard self.team(of: app) == team else { return nil }
                isNamed = true
                return member
            default: return member
            }
        }
        return isNamed ? JSONValue(.object(kept)) : nil
    }

    /// The variables that occur in any string of these values.
    private static func names(in values: [JSONValue]) -> Set<String> {
        var names: Set<String> = []
        var left = values
        while let value = left.popLast() {
            switch value.kind {
            case .string(let text):
                names.formUnion(VariableReference.all(in: Array(text.utf8)).map(\.name))
            case .array(let elements): left += elements
            case .object(let members):
                for member in members {
                    names.formUnion(VariableReference.all(in: Array(member.key.utf8)).map(\.name))
                    left.append(member.value)
                }
            case .null, .bool, .number: break
            }
        }
        return names
    }
}
