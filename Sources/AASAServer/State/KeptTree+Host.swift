import OpenSSL

extension KeptTree {
    /// What is kept of each host.
    package var hosts: [String: KeptHost] {
        var hosts: [String: KeptHost] = [:]
        for folder in facts.keys where folder.hasPrefix("site/") {
            hosts[String(folder.dropFirst("site/".count))] = KeptHost()
        }
        for (path, bytes) in files {
            let parts = path.split(separator: "/", maxSplits: 2).map(String.init)
            if parts.count == 3, parts[0] == "site" { hosts[parts[1]]?.files[parts[2]] = bytes }
        }
        for name in hosts.keys { read(&hosts[name, default: KeptHost()], name) }
        return hosts
    }

    /// The hosts of ``SiteLoader/vanished``.
    var vanished: [String: Int64] {
        get { (facts["vanished"] ?? [:]).compactMapValues { $0.first.flatMap { Int64($0) } } }
        set { facts["vanished"] = newValue.isEmpty ? nil : newValue.mapValues { ["\($0)"] } }
    }

    private func read(_ kept: inout KeptHost, _ name: String) {
        let facts = facts["site/" + name] ?? [:]
        kept.lost = Set((facts["lost"] ?? []).compactMap { HostTree.Group(path: $0) })
        kept.isLost = facts["lostWithSite"] != nil
        kept.facts = KeptFacts(
            aliases: Set(facts["aliases"] ?? []), isDefault: facts["default"] != nil,
            defaultName: facts["defaultName"]?.first,
            form: facts["form"]?.first.flatMap(AssociationForm.init),
            signature: HostSignature(files["signed/" + name], facts["signature"] ?? []),
            merged: files["merged/" + name],
            since: facts["keptSince"]?.first.flatMap { Int64($0) })
    }

    package mutating func add(_ kept: KeptHost, of name: String) {
        for (path, bytes) in kept.files { files["site/\(name)/\(path)"] = bytes }
        let facts = kept.facts
        files["signed/" + name] = facts.signature?.der
        files["merged/" + name] = facts.merged
        self.facts["site/" + name] = [
            "lost": kept.lost.map(\.path).sorted(),
            "lostWithSite": kept.isLost ? ["true"] : [],
            "aliases": facts.aliases.sorted(),
            "default": facts.isDefault ? ["true"] : [],
            "defaultName": facts.defaultName.map { [$0] } ?? [],
            "form": facts.form.map { [$0.rawValue] } ?? [],
            "keptSince": facts.since.map { ["\($0)"] } ?? [],
            "signature": facts.signature.map { [$0.signer, "\($0.notBefore)", "\($0.notAfter)"] }
                ?? [],
        ].filter { !$0.value.isEmpty }
    }

    /// This, and what another process kept and this one does not: a host without a document here
    /// is that of the other one as a whole.
    ///
    /// - Parameter other: loses what is kept here as well.
    func adding(_ other: inout KeptTree) -> KeptTree {
        if other.facts.isEmpty { return self }
        let own = hosts
        var (both, rest) = (self, KeptTree())
        for (name, kept) in other.hosts where own[name]?.groups.contains(.document) != true {
            for path in (own[name] ?? KeptHost()).files.keys {
                both.files["site/\(name)/\(path)"] = nil
            }
            both.add(kept, of: name)
            rest.add(kept, of: name)
        }
        for name in other.certificateFolders where facts["certs/" + name] == nil {
            let pairs = other.pairs(of: name, in: "")
            both.add(pairs, of: name, in: "")
            rest.add(pairs, of: name, in: "")
        }
        other = rest
        return both
    }
}

extension HostSignature {
    /// Nil: there is none, or it cannot be read, and so not be served.
    ///
    /// - Parameter facts: the signer, and the first and last second of its life.
    init?(_ der: [UInt8]?, _ facts: [String]) {
        guard let der, facts.count == 3, let notBefore = Int64(facts[1]),
            let notAfter = Int64(facts[2]), let payload = CMSVerifier.payload(of: der)
        else { return nil }
        self.init(
            der: der, payload: payload, signer: facts[0], notBefore: notBefore, notAfter: notAfter)
    }
}
