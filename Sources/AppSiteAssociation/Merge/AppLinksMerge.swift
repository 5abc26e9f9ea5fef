/// Merges `applinks`, the only service whose parts affect each other.
enum AppLinksMerge {
    /// One fragment's `applinks`, with variables renamed if necessary.
    private struct Part {
        let owner: Int
        let details: [Entry]
        let isDictionary: Bool
        /// Members of `applinks.defaults`.
        let defaults: [JSONMember]
    }

    private struct Entry {
        /// The app, in the object form of `details`.
        let key: String?
        let members: [JSONMember]
        let range: Range<Int>
    }

    static func node(
        _ fragments: [Fragment], _ generic: inout GenericMerge, _ diagnostics: inout [Diagnostic]
    ) -> OwnedNode {
        let names = VariableNames(fragments)
        diagnostics += names.diagnostics
        let parts = fragments.enumerated().compactMap { index, fragment in
            fragment.file.applinks.map { part($0, index, fragment, names.renames[index]) }
        }
        let withDetails = parts.filter { !$0.details.isEmpty }

        let links = fragments.map {
            GenericMerge.members(of: $0.file.document.root["applinks"])
        }
        func values(_ key: String) -> [GenericMerge.Value] {
            GenericMerge.values(of: key, in: links)
        }
        var members: [OwnedNode.Member] = []
        func add(_ key: String, _ node: OwnedNode) {
            members.append(OwnedNode.Member(key: key, node: node))
        }
        let apps = values("apps")
        if !apps.isEmpty { add("apps", generic.merge(apps, path: "applinks.apps")) }

        // Defaults common to all parts can stay; others move into the details.
        let common = withDetails.first.flatMap { first in
            withDetails.allSatisfy { means($0.defaults, first.defaults) } ? first.defaults : nil
        }
        if let common, !common.isEmpty {
            let owner = withDetails.count == 1 ? withDetails.first?.owner : nil
            add(
                "defaults",
                .value(
                    JSONValue(.object(common)), owner: owner,
                    source: withDetails.first?.owner ?? 0))
        }
        if !names.merged.isEmpty {
            add("substitutionVariables", .object(names.merged))
        }
        if values("details").count > 0 {
            let growth = common == nil ? pushedBytes(withDetails, fragments, &diagnostics) : 0
            add("details", details(withDetails, pushesDefaults: growth > 0))
        }
        let unknown = fragments.flatMap { $0.file.applinks?.unknownMembers ?? [] }
        for key in unknown.map(\.key).unique(by: \.self) {
            add(key, generic.merge(values(key), path: "applinks.\(key)"))
        }
        return .object(members)
    }

    /// The maximum of bytes that defaults add to each entry; 0 if there are none, or if they are
    /// too many to add: a document many times larger than devices read is useless, and large
    /// defaults in many entries would exhaust memory.
    private static func pushedBytes(
        _ parts: [Part], _ fragments: [Fragment], _ diagnostics: inout [Diagnostic]
    ) -> Int {
        var total = 0
        for part in parts where !part.defaults.isEmpty {
            let size = JSONWriter.minified(JSONValue(.object(part.defaults))).count
            let bytes = size * part.details.count
            if bytes > 8 * AssociationFile.bytesMaximum {
                let fragment = fragments[part.owner]
                diagnostics.append(
                    Diagnostic(
                        code: "merge-too-large", severity: .error,
                        message: "the defaults of team \(fragment.team) differ from those of other "
                            + "teams, and in each of its \(part.details.count) entries they would "
                            + "take \(bytes) bytes; Apple reads at most "
                            + "\(AssociationFile.bytesMaximum)",
                        remedy: "shorten applinks.defaults, or write fewer entries",
                        file: fragment.file.source.name))
                return 0
            }
            total += bytes
        }
        return total
    }

    private static func means(_ left: [JSONMember], _ right: [JSONMember]) -> Bool {
        JSONValue(.object(left)).means(JSONValue(.object(right)))
    }

    private static func part(
        _ applinks: AppLinks, _ index: Int, _ fragment: Fragment, _ renames: [ExactText: String]
    ) -> Part {
        let rewrite = VariableRenaming(renames)
        let raw = fragment.file.document.root["applinks"]
        let details: [Entry]
        switch raw?["details"]?.kind {
        case .array(let values):
            details = values.compactMap { value in
                value.members.map {
                    Entry(key: nil, members: rewrite.detail($0), range: value.range)
                }
            }
        case .object(let entries):
            details = entries.compactMap { entry in
                entry.value.members.map {
                    Entry(key: entry.key, members: rewrite.detail($0), range: entry.value.range)
                }
            }
        case .null, .bool, .number, .string, nil: details = []
        }
        return Part(
            owner: index, details: details, isDictionary: applinks.detailsForm == .dictionary,
            defaults: rewrite.component(raw?["defaults"]?.members ?? []))
    }

    /// The entries of all parts. The object form of 2015 is kept if every part uses it; otherwise
    /// its entries become `{"appID": key, …}`, which every system since iOS 9 reads.
    private static func details(_ parts: [Part], pushesDefaults: Bool) -> OwnedNode {
        let keepsDictionary = !parts.isEmpty && parts.allSatisfy(\.isDictionary)
        var entries: [OwnedNode.Member] = []
        for part in parts {
            for entry in part.details {
                var members = entry.members
                if pushesDefaults { members = pushing(part.defaults, into: members) }
                if let key = entry.key, !keepsDictionary {
                    members.removeAll { AppLinksDetail.appKeys.contains($0.key) }
                    members.insert(JSONMember(key: "appID", value: JSONValue(.string(key))), at: 0)
                }
                entries.append(
                    OwnedNode.Member(
                        key: entry.key ?? "",
                        node: .value(
                            JSONValue(.object(members), range: entry.range), owner: part.owner,
                            source: part.owner)))
            }
        }
        return keepsDictionary ? .object(entries) : .array(entries.map(\.node))
    }

    /// Adds members that the detail's own defaults do not set, in the order of precedence that
    /// Apple documents.
    static func pushing(
        _ defaults: [JSONMember], into members: [JSONMember]
    ) -> [JSONMember] {
        guard !defaults.isEmpty else { return members }
        var members = members
        let place = members.lastIndex { $0.key == "defaults" }
        var own = place.flatMap { members[$0].value.members } ?? []
        for member in defaults where !own.contains(where: { $0.key == member.key }) {
            own.append(member)
        }
        let value = JSONMember(key: "defaults", value: JSONValue(.object(own)))
        if let place { members[place] = value } else { members.append(value) }
        return members
    }
}
