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
        for app in TeamCheck.effectiveApps(of: file).map(\.value) {
            if let team = Self.team(of: app) {
                if known.insert(team).inserted { order.append(team) }
            } else if homelessKnown.insert(app).inserted {
                homeless.append(app)
            }
        }
        self.homeless = homeless
        let shares = members.map { Shares($0) }
        parts = order.enumerated().map { index, team in
            let isFirst = index == 0
            var own: [JSONMember] = []
            for (member, shares) in zip(members, shares) {
                if member.key == "applinks" {
                    own += Self.applinks(member, shares, team: team, isFirst: isFirst)
                } else if AssociationService(rawValue: member.key) != nil {
                    own += Self.list(member, shares, team: team, isFirst: isFirst)
                } else if isFirst {
                    own.append(member)
                }
            }
            return Part(team: team, root: JSONValue(.object(own)))
        }
    }

    /// What each team has of a service, found in one pass, however many teams there are.
    private struct Shares {
        /// Team → its apps, in each list `apps` of the service.
        var apps: [[String: [JSONValue]]] = []
        /// Team → its entries.
        var entries: [String: [JSONValue]] = [:]
        /// Team → its entries where `details` is an object.
        var members: [String: [JSONMember]] = [:]

        init(_ service: JSONMember) {
            guard let parts = service.value.members else { return }
            if service.key != "applinks" {
                for part in parts where part.key == "apps" {
                    guard let list = part.value.array else { continue }
                    apps.append(TeamSplit.byTeam(list))
                }
                return
            }
            switch parts.last(where: { $0.key == "details" })?.value.kind {
            case .array(let all):
                for entry in all {
                    for (team, own) in TeamSplit.divided(entry) {
                        entries[team, default: []].append(own)
                    }
                }
            case .object(let all):
                for member in all {
                    guard let team = TeamSplit.team(of: member.key) else { continue }
                    // No system reads other names under the key of an app, and a team may not
                    // have those of others.
                    let own = member.value.members?.filter {
                        !AppLinksDetail.appKeys.contains($0.key)
                    }
                    members[team, default: []].append(
                        JSONMember(
                            key: member.key,
                            value: own.map { JSONValue(.object($0)) } ?? member.value))
                }
            case .null, .bool, .number, .string, nil: break
            }
        }

        /// The entries with apps of the team, without other apps.
        func details(_ team: String) -> JSONValue {
            members.isEmpty
                ? JSONValue(.array(entries[team] ?? [])) : JSONValue(.object(members[team] ?? []))
        }
    }

    private static func byTeam(_ apps: [JSONValue]) -> [String: [JSONValue]] {
        var shares: [String: [JSONValue]] = [:]
        for app in apps {
            guard let team = app.string.flatMap(Self.team(of:)) else { continue }
            shares[team, default: []].append(app)
        }
        return shares
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
        _ service: JSONMember, _ shares: Shares, team: String, isFirst: Bool
    ) -> [JSONMember] {
        guard let members = service.value.members else { return isFirst ? [service] : [] }
        var isNamed = false
        var lists = shares.apps.makeIterator()
        let kept = members.compactMap { member -> JSONMember? in
            guard member.key == "apps", member.value.array != nil, let apps = lists.next() else {
                return isFirst ? member : nil
            }
            let own = apps[team] ?? []
            isNamed = isNamed || !own.isEmpty
            return JSONMember(key: "apps", value: JSONValue(.array(own)))
        }
        return isNamed ? [JSONMember(key: service.key, value: JSONValue(.object(kept)))] : []
    }

    private static func applinks(
        _ service: JSONMember, _ shares: Shares, team: String, isFirst: Bool
    ) -> [JSONMember] {
        guard let members = service.value.members else { return isFirst ? [service] : [] }
        let details = shares.details(team)
        if details.isNothing { return [] }
        let used = names(in: [details] + members.filter { $0.key == "defaults" }.map(\.value))
        let kept = members.compactMap { member -> JSONMember? in
            switch member.key {
            case "details": return JSONMember(key: "details", value: details)
            case "apps", "defaults": return member
            case "substitutionVariables":
                guard let variables = member.value.members else { return isFirst ? member : nil }
                let own = variables.filter { used.contains(ExactText($0.key)) }
                return own.isEmpty
                    ? nil : JSONMember(key: member.key, value: JSONValue(.object(own)))
            default: return isFirst ? member : nil
            }
        }
        return [JSONMember(key: service.key, value: JSONValue(.object(kept)))]
    }

    /// The entry of each team with apps in it, without the apps of others.
    private static func divided(_ entry: JSONValue) -> [(team: String, own: JSONValue)] {
        guard let members = entry.members else { return [] }
        var order: [String] = []
        var known: Set<String> = []
        func note(_ team: String?) {
            if let team, known.insert(team).inserted { order.append(team) }
        }
        /// Of each member the teams' shares; nil where it is everybody's.
        let shares = members.map { member -> [String: [JSONValue]]? in
            switch (member.key, member.value.kind) {
            case ("appIDs", .array(let apps)):
                for app in apps { note(app.string.flatMap(team(of:))) }
                return byTeam(apps)
            case ("appID", .string(let app)):
                note(team(of: app))
                return byTeam([member.value])
            default: return nil
            }
        }
        return order.map { team in
            let kept = zip(members, shares).compactMap { member, shares -> JSONMember? in
                guard let shares else { return member }
                guard let own = shares[team] else { return nil }
                return member.key == "appID"
                    ? member : JSONMember(key: member.key, value: JSONValue(.array(own)))
            }
            return (team, JSONValue(.object(kept)))
        }
    }

    /// The variables that occur in any string of these values.
    private static func names(in values: [JSONValue]) -> Set<ExactText> {
        var names: Set<ExactText> = []
        var left = values
        while let value = left.popLast() {
            switch value.kind {
            case .string(let text):
                names.formUnion(PatternPiece.names(in: text))
            case .array(let elements): left += elements
            case .object(let members):
                for member in members {
                    names.formUnion(PatternPiece.names(in: member.key))
                    left.append(member.value)
                }
            case .null, .bool, .number: break
            }
        }
        return names
    }
}
