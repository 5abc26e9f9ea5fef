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
        let apps = TeamCheck.apps(of: file, isRead: true).map(\.value)
        let order = apps.compactMap(Self.team).unique(by: \.self)
        homeless = apps.filter { Self.team(of: $0) == nil }.unique(by: \.self)
        let services = members.map { ($0, Self.shares(of: $0, first: order.first)) }
        parts = order.map { team in
            let own = services.compactMap { member, shares -> JSONMember? in
                shares.map { $0[team] } ?? (team == order.first ? member : nil)
            }
            return Part(team: team, root: JSONValue(.object(own)))
        }
    }

    /// What each team has of a service, found in one pass, however many teams there are.
    /// - Parameter first: the team that gets what belongs to none.
    /// - Returns: nil if it cannot be divided.
    private static func shares(of service: JSONMember, first: String?) -> [String: JSONMember]? {
        guard AssociationService(rawValue: service.key) != nil,
            let members = service.value.members
        else { return nil }
        func parts(
            _ shares: [String: JSONValue], _ part: (String, JSONValue, JSONMember) -> JSONMember?
        ) -> [String: JSONMember] {
            Dictionary(
                uniqueKeysWithValues: shares.map { team, own in
                    let kept = members.compactMap { part(team, own, $0) }
                    return (team, JSONMember(key: service.key, value: JSONValue(.object(kept))))
                })
        }
        if service.key != "applinks" {
            let apps = byTeam(members.last("apps")?.value.array ?? [])
            return parts(apps.mapValues { .list($0) }) { team, own, member in
                member.key == "apps"
                    ? JSONMember(key: "apps", value: own) : team == first ? member : nil
            }
        }
        let defaults = members.filter { $0.key == "defaults" }.map(\.value)
        return parts(details(members.last("details")?.value)) { team, own, member in
            switch member.key {
            case "details": return JSONMember(key: "details", value: own)
            case "apps", "defaults": return member
            case "substitutionVariables":
                guard let variables = member.value.members else { break }
                let used = JSONValue.list([own] + defaults).variableNames
                let own = variables.filter { used.contains(ExactText($0.key)) }
                return own.isEmpty
                    ? nil : JSONMember(key: member.key, value: JSONValue(.object(own)))
            default: break
            }
            return team == first ? member : nil
        }
    }

    /// The entries of each team, without other apps.
    private static func details(_ value: JSONValue?) -> [String: JSONValue] {
        switch value?.kind {
        case .array(let all):
            var entries: [String: [JSONValue]] = [:]
            for (team, own) in all.flatMap(divided) { entries[team, default: []].append(own) }
            return entries.mapValues { .list($0) }
        case .object(let all):
            var members: [String: [JSONMember]] = [:]
            for member in all {
                guard let team = team(of: member.key) else { continue }
                // No system reads other names under the key of an app, and a team may not have
                // those of others.
                let own = member.value.members?.filter {
                    !AppLinksDetail.appKeys.contains($0.key)
                }
                members[team, default: []].append(
                    JSONMember(
                        key: member.key, value: own.map { JSONValue(.object($0)) } ?? member.value))
            }
            return members.mapValues { JSONValue(.object($0)) }
        case .null, .bool, .number, .string, nil: return [:]
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

    /// The entry of each team with apps in it, without the apps of others.
    private static func divided(_ entry: JSONValue) -> [(team: String, own: JSONValue)] {
        guard let members = entry.members else { return [] }
        /// Of each member the teams' shares; nil where it is everybody's.
        let shares = members.map { member -> [String: [JSONValue]]? in
            switch (member.key, member.value.kind) {
            case ("appIDs", .array(let apps)): byTeam(apps)
            case ("appID", .string): byTeam([member.value])
            default: nil
            }
        }
        return Set(shares.compactMap { $0?.keys }.joined()).map { team in
            let kept = zip(members, shares).compactMap { member, shares -> JSONMember? in
                guard let shares else { return member }
                guard let own = shares[team] else { return nil }
                return member.key == "appID"
                    ? member : JSONMember(key: member.key, value: JSONValue(.array(own)))
            }
            return (team, JSONValue(.object(kept)))
        }
    }
}
