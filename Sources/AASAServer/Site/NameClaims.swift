import AppSiteAssociation

extension SiteSource {
    /// The site in which every name belongs to one host, and at most one host is the default.
    ///
    /// - Parameter previous: states of the last build, by host name.
    package func withoutConflicts(previous: [String: HostState] = [:]) -> SiteSource {
        var claims = NameClaims(site: self, previous: previous)
        claims.settle()
        return claims.site
    }
}

/// Who answers for which name: two hosts may not claim one, since which of them answered would be
/// arbitrary.
///
/// Who has served a name keeps it, and the newcomer gets the error: nobody else's folder or
/// `host.json` may take a served name away. Of newcomers a folder's own name beats an alias, and of
/// two aliases the first host by name has it. A conflict costs that alias alone.
private struct NameClaims {
    private(set) var site: SiteSource
    private let previous: [String: HostState]
    /// The settings in force of every host, by its name, before anything is taken out.
    private let claimed: [String: HostSettings]
    private var owners: [String: Owner] = [:]

    private struct Owner {
        let host: String
        /// What gives the host the name: its folder, or its `host.json`.
        let place: String
    }

    init(site: SiteSource, previous: [String: HostState]) {
        self.site = site
        self.previous = previous
        claimed = Dictionary(
            site.hosts.map {
                ($0.name, HostBuilder.settings(of: $0, previous: previous[$0.name]))
            }, uniquingKeysWith: { first, _ in first })
    }

    mutating func settle() {
        for host in site.hosts where previous[host.name] != nil { claimName(of: host) }
        for index in site.hosts.indices { claimAliases(of: index, served: true) }
        dropFolders()
        for index in site.hosts.indices { claimAliases(of: index, served: false) }
        settleDefault()
    }

    private mutating func claimName(of host: HostSource) {
        owners[host.name] = Owner(host: host.name, place: host.place)
    }

    private mutating func claimAliases(of index: Int, served: Bool) {
        let host = site.hosts[index]
        let known = Set(previous[host.name]?.settings.aliases.map(\.name) ?? [])
        for alias in claimed[host.name]?.aliases ?? [] where known.contains(alias.name) == served {
            guard let owner = owners[alias.name] else {
                owners[alias.name] = Owner(host: host.name, place: host.settingsPlace)
                continue
            }
            site.hosts[index].problems.names.append(conflict(alias, of: host, with: owner))
            if owner.host != host.name { site.hosts[index].refused.aliases.insert(alias.name) }
        }
    }

    /// A new folder with the name of a served alias: it may be empty still, and it takes the
    /// alias's answers away only when the alias is taken out.
    private mutating func dropFolders() {
        for host in site.hosts where previous[host.name] == nil {
            guard let owner = owners[host.name] else {
                claimName(of: host)
                continue
            }
            site.problems.append(
                Diagnostic(
                    code: "site-alias-conflict", severity: .error,
                    message: "the folder is not served: its name is an alias of \(owner.host), "
                        + "which goes on to answer for it",
                    remedy: "take the alias out of \(owner.place), or remove the folder",
                    file: host.place,
                    related: [.init(message: "the alias is here", file: owner.place)]))
        }
        site.hosts.removeAll { owners[$0.name]?.host != $0.name }
    }

    private func conflict(
        _ alias: HostSettings.Alias, of host: HostSource, with owner: Owner
    ) -> Diagnostic {
        let isOwn = owner.host == host.name
        let message =
            isOwn
            ? "\"\(alias.name)\" is a name of this host already"
            : "\"\(alias.name)\" belongs to another host already"
        let remedy =
            isOwn ? "take it out" : "a name belongs to one host: take it out of one of the two"
        let related = [Diagnostic.Related(message: "the other is here", file: owner.place)]
        guard let source = host.settingsSource, host.settings.aliases.contains(alias) else {
            return Diagnostic(
                code: "site-alias-conflict", severity: .error, message: message, remedy: remedy,
                file: host.settingsPlace, related: related)
        }
        return Diagnostic(
            code: "site-alias-conflict", severity: .error, message: message, remedy: remedy,
            source: source, range: alias.range, related: related)
    }

    private mutating func settleDefault() {
        let claimants = site.hosts.indices.filter {
            claimed[site.hosts[$0].name]?.isDefault == true
        }
        let served = claimants.first {
            previous[site.hosts[$0].name]?.settings.isDefault == true
        }
        guard let owner = served ?? claimants.first else { return }
        for index in claimants where index != owner {
            let host = site.hosts[index]
            site.hosts[index].refused.isDefault = true
            site.hosts[index].problems.names.append(
                Diagnostic(
                    code: "site-two-defaults", severity: .error,
                    message: "\(host.name) is the default host, and so is another",
                    remedy: "leave \"default\": true in one of the two",
                    file: host.settingsPlace,
                    related: [
                        .init(
                            message: "the other is set here",
                            file: site.hosts[owner].settingsPlace)
                    ]))
        }
    }
}
