/// Lists what a process serves, by name: enough to see whether another process serves less.
package struct ServedInventory: Sendable, Equatable {
    /// One line each, as messages show it.
    package private(set) var items: Set<String> = []

    init(items: Set<String>) { self.items = items }

    package init(_ snapshot: Snapshot, _ assignment: CertificateAssignment) {
        for host in snapshot.hosts { add(host) }
        for host in assignment.hosts {
            for name in host.names { items.insert("a certificate for \(name)") }
        }
    }

    private mutating func add(_ host: ServedHost) {
        items.insert("the host \(host.name)")
        for alias in host.aliases { items.insert("the name \(alias) of \(host.name)") }
        switch host.association {
        case .document, .signed: items.insert("the document of \(host.name)")
        case .auto(_, let signed):
            items.insert("the document of \(host.name)")
            if signed.status == 200 { items.insert("the signed form of \(host.name)") }
        case .unavailable: break
        }
        for sibling in host.siblings {
            let name = String(sibling.name.dropFirst("/.well-known/".count))
            if !SiblingCatalog.isChallenge(name) { items.insert("\(sibling.name) of \(host.name)") }
        }
    }

    /// What the other process has and this one does not, sorted.
    package func missing(of other: ServedInventory) -> [String] {
        other.items.subtracting(items).sorted()
    }
}

extension KeptTree {
    /// What the process served that kept the tree; nil: it did not say.
    package var inventory: ServedInventory? {
        get { facts["served"]?["items"].map { ServedInventory(items: Set($0)) } }
        set { facts["served"] = newValue.map { ["items": $0.items.sorted()] } }
    }
}
