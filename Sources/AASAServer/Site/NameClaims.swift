import AppSiteAssociation

extension SiteSource {
    /// The site in which every name belongs to one host, and at most one host is the default.
    ///
    /// - Parameter kept: what is kept of the hosts that are served, by name.
    package func withoutConflicts(kept: [String: KeptHost] = [:]) -> SiteSource {
        var claims = NameClaims(site: self, kept: kept)
        claims.settle()
        return claims.site
    }
}

/// Decides which host answers for a name: two hosts may not claim one, since which of them answered
/// would be arbitrary.
///
/// The host that has served a name keeps it, and the newcomer gets the error: no other folder or
/// `host.json` may take a served name away. Of newcomers a folder's own name beats an alias, and of
/// two aliases the first host by name has it. A conflict affects only that alias.
private struct NameClaims {
    var site: SiteSource
    let kept: [String: KeptHost]
    /// Who has a name, and what gives it to the host: its folder, or its `host.json`.
    var owners: [String: (host: String, place: String)] = [:]

    mutating func settle() {
        for host in site.hosts where kept[host.name] != nil {
            owners[host.name] = (host.name, host.place)
        }
        for index in site.hosts.indices { claimAliases(of: index, served: true) }
        dropFolders()
        for index in site.hosts.indices { claimAliases(of: index, served: false) }
        settleDefault()
    }

    private mutating func claimAliases(of index: Int, served: Bool) {
        let host = site.hosts[index]
        let known = kept[host.name]?.facts.aliases ?? []
        for alias in host.inForce.aliases where known.contains(alias.value) == served {
            guard let owner = owners[alias.value] else {
                owners[alias.value] = (host.name, host.settingsPlace)
                continue
            }
            let isOwn = owner.host == host.name
            site.hosts[index].problems.names.append(
                conflict(alias, of: host, isOwn: isOwn, owner.place))
            if !isOwn {
                site.hosts[index].settings.aliases.removeAll { $0.value == alias.value }
            }
        }
    }

    /// A new folder with the name of a served alias: it may be empty still, and it takes the
    /// alias's answers away only when the alias is removed.
    private mutating func dropFolders() {
        for host in site.hosts where kept[host.name] == nil {
            guard let owner = owners[host.name] else {
                owners[host.name] = (host.name, host.place)
                continue
            }
            site.problems.add(
                "site-alias-conflict",
                "the folder is not served: its name is an alias of \(owner.host), which keeps answering for it",
                remedy: "remove the alias from \(owner.place), or remove the folder",
                at: host.place,
                related: [.init(message: "the alias is here", file: owner.place)])
        }
        site.hosts.removeAll { owners[$0.name]?.host != $0.name }
    }

    private func conflict(
        _ alias: Located<String>, of host: HostSource, isOwn: Bool, _ other: String
    ) -> Diagnostic {
        let message =
            "\"\(alias.value)\" "
            + (isOwn ? "is already a name of this host" : "already belongs to another host")
        let remedy =
            isOwn ? "remove it" : "remove it from one of the two: a name belongs to one host"
        let related = [Diagnostic.Related(message: "the other is here", file: other)]
        // What is kept has other places than what is on disk.
        guard let source = host.settingsSource, !host.kept.contains(.settings) else {
            return Diagnostic(
                code: "site-alias-conflict", severity: .error, message: message, remedy: remedy,
                file: host.settingsPlace, related: related)
        }
        return Diagnostic(
            code: "site-alias-conflict", severity: .error, message: message, remedy: remedy,
            source: source, range: alias.range, related: related)
    }

    private mutating func settleDefault() {
        let claimants = site.hosts.indices.filter { site.hosts[$0].inForce.isDefault }
        let served = claimants.first { kept[site.hosts[$0].name]?.facts.isDefault == true }
        guard let owner = served ?? claimants.first else { return }
        for index in claimants where index != owner {
            let host = site.hosts[index]
            site.hosts[index].settings.isDefault = false
            let other = site.hosts[owner].settingsPlace
            site.hosts[index].problems.names.add(
                "site-two-defaults", "\(host.name) and another host are both the default host",
                remedy: "keep \"default\": true in one of the two", at: host.settingsPlace,
                related: [.init(message: "the other is set here", file: other)])
        }
    }
}
