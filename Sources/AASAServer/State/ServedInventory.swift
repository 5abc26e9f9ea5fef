/// Lists what a process serves, by name: enough to see whether another process serves less.
enum ServedInventory {
    /// One line each, as messages show it.
    static func items(_ snapshot: Snapshot, _ assignment: CertificateAssignment) -> Set<String> {
        var items = Set(assignment.hosts.flatMap(\.names).map { "a certificate for \($0)" })
        for host in snapshot.hosts {
            items.insert("the host \(host.name)")
            for alias in host.aliases { items.insert("the name \(alias) of \(host.name)") }
            if host.association.counts != .unavailable {
                items.insert("the document of \(host.name)")
            }
            if host.association.forIOS8?.status == 200 {
                items.insert("the signed form of \(host.name)")
            }
            for sibling in host.siblings {
                let name = String(sibling.name.dropFirst("/.well-known/".count))
                if SiblingCatalog.isChallenge(name) { continue }
                items.insert("\(sibling.name) of \(host.name)")
            }
        }
        return items
    }
}

extension KeptTree {
    /// What the process served that kept the tree (``ServedInventory``); nil: it did not say.
    package var inventory: Set<String>? {
        get { facts["served"]?["items"].map { Set($0) } }
        set { facts["served"] = newValue.map { ["items": $0.sorted()] } }
    }
}
