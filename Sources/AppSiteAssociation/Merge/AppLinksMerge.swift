/// Merges `applinks`, the only service whose parts affect each other.
enum AppLinksMerge {
    /// One fragment's `applinks`, with variables renamed if necessary.
    private struct Part {
        let owner: Int
        /// The entries; in the object form of `details` with the app as the key.
        let details: [JSONMember]
        let isDictionary: Bool
        /// Members of `applinks.defaults`.
        let defaults: [JSONMember]
    }

    static func node(
        _ fragments: [Fragment], _ generic: inout GenericMerge, _ diagnostics: inout [Diagnostic]
    ) -> OwnedNode {
        let names = VariableNames(fragments)
        diagnostics += names.diagnostics
        let parts = fragments.indices.map { index in
            part(fragments[index].file, index, names.renames[index])
        }.filter { !$0.details.isEmpty }
        let links = GenericMerge.Members(
            ofEach: fragments.map { $0.file.document.root["applinks"] })
        var members: [OwnedNode.Member] = []
        func add(_ key: String, _ node: OwnedNode) {
            members.append(OwnedNode.Member(key: key, node: node))
        }
        if !links["apps"].isEmpty {
            add("apps", generic.merge(links["apps"], path: "applinks.apps"))
        }

        // Defaults common to all parts can stay; others move into the details.
        let differ = parts.contains {
            !JSONValue(.object($0.defaults)).means(JSONValue(.object(parts[0].defaults)))
        }
        if let first = parts.first, !differ, !first.defaults.isEmpty {
            add(
                "defaults",
                .value(
                    JSONValue(.object(first.defaults)), owner: parts.count == 1 ? first.owner : nil,
                    source: first.owner))
        }
        if !names.merged.isEmpty {
            add("substitutionVariables", .object(names.merged))
        }
        if !links["details"].isEmpty {
            let pushesDefaults = differ && mayPush(parts, fragments, &diagnostics)
            add("details", details(parts, pushesDefaults: pushesDefaults))
        }
        for key in links.keys where AssociationFormat.applinks[key] == nil {
            add(key, generic.merge(links[key], path: "applinks.\(key)"))
        }
        return .object(members)
    }

    /// Whether the defaults may be added to each entry: a document many times larger than devices
    /// read is useless, and large defaults in many entries would exhaust memory.
    private static func mayPush(
        _ parts: [Part], _ fragments: [Fragment], _ diagnostics: inout [Diagnostic]
    ) -> Bool {
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
                return false
            }
        }
        return true
    }

    private static func part(
        _ file: AssociationFile, _ index: Int, _ renames: [ExactText: String]
    ) -> Part {
        let renaming = VariableRenaming(file.applinks, renames)
        let raw = file.document.root["applinks"].map(renaming.renamed)
        let list = raw?["details"]
        let entries = list?.members ?? (list?.array ?? []).map { JSONMember(key: "", value: $0) }
        return Part(
            owner: index, details: entries.filter { $0.value.members != nil },
            isDictionary: list?.members != nil, defaults: raw?["defaults"]?.members ?? [])
    }

    /// The entries of all parts. The object form of 2015 is kept if every part uses it; otherwise
    /// its entries become `{"appID": key, …}`, which every system since iOS 9 reads.
    private static func details(_ parts: [Part], pushesDefaults: Bool) -> OwnedNode {
        let keepsDictionary = !parts.isEmpty && parts.allSatisfy(\.isDictionary)
        var entries: [OwnedNode.Member] = []
        for part in parts {
            for entry in part.details {
                var members = entry.value.members ?? []
                if pushesDefaults { members = pushing(part.defaults, into: members) }
                if part.isDictionary, !keepsDictionary {
                    members.removeAll { AppLinksDetail.appKeys.contains($0.key) }
                    let app = JSONValue(.string(entry.key))
                    members.insert(JSONMember(key: "appID", value: app), at: 0)
                }
                let value = JSONValue(.object(members), range: entry.value.range)
                entries.append(
                    OwnedNode.Member(
                        key: entry.key,
                        node: .value(value, owner: part.owner, source: part.owner)))
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
