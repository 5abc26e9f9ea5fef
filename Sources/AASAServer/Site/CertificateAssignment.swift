package import OpenSSL

/// Which certificates serve which name. A host uses those of the folder that `host.json` names, or
/// of the folder with the host's own name. If it has none, or clients refuse all of them, any
/// folder whose certificate covers the name is used (a wildcard, one certificate for all names, or
/// certbot's `HOST-0001`). The same applies to aliases that the host's own certificate does not
/// cover.
package struct CertificateAssignment: Sendable {
    /// In the order of the hosts, followed by aliases with a certificate of their own.
    package private(set) var hosts: [TLSHost] = []
    /// Index into `hosts` of the host that answers unknown server names; nil: no host has one.
    package private(set) var defaultHost: Int?
    package private(set) var findings: [CertificateFinding] = []
    /// The pairs of each host, by name: these may sign for it.
    package private(set) var pairs: [String: [CertificatePair]] = [:]

    /// The certificate folders that serve a host or an alias.
    package private(set) var folders: Set<String> = []
    /// The folders of names that no certificate serves.
    private var missing: Set<String> = []

    /// Whether a problem of a folder (empty: of all) is one of a name. Certificates stay behind
    /// when their host is removed, and authorities' tools keep old ones: their expiry does no harm.
    func concerns(_ folder: String) -> Bool {
        folder.isEmpty || folders.contains(folder) || missing.contains(folder)
    }

    /// - Parameters:
    ///   - defaultHost: the name of the default host, if there is one.
    ///   - now: seconds since 1970.
    ///   - waitsForCertificates: a missing certificate is being ordered, and is not an error.
    package init(
        _ wanted: [HostSource], store: CertificatesInUse, path: String, defaultHost: String?,
        now: Int64, waitsForCertificates: Bool = false
    ) {
        for host in wanted {
            let folder = host.certificateFolder
            let settings = host.inForce
            guard let choice = Self.choice(host.name, own: folder, store, now) else {
                missing.insert(folder)
                // The store has reported already what is wrong with these files.
                if !store.problems.contains(where: { $0.folder == folder && $0.isError }) {
                    findings.append(Self.missing(host, path, isOrdered: waitsForCertificates))
                }
                // Its aliases may have a certificate that covers them.
                for alias in settings.aliases { add(alias.value, settings.form, store, now) }
                continue
            }
            let pairs = choice.pairs
            self.pairs[host.name] = pairs
            folders.insert(choice.folder)
            if let other = choice.insteadOfOwn {
                findings.append(
                    CertificateFinding(
                        folder: folder, place: other, isError: false,
                        cause:
                            "\(host.name) is served with \(pairs[0].chainName): \(other) is not valid now, or does not cover it",
                        remedy: "renew \(other), or remove it with its key"))
            }
            if host.name == defaultHost { self.defaultHost = hosts.count }
            let place = hosts.count
            var names = [host.name]
            for alias in settings.aliases.map(\.value) {
                if pairs.allSatisfy({ $0.leaf.covers(alias) }) {
                    names.append(alias)
                } else if !add(alias, settings.form, store, now) {
                    names.append(alias)
                    findings.append(
                        CertificateFinding(
                            folder: folder, place: pairs[0].chainName,
                            isError: !waitsForCertificates,
                            cause: "no certificate covers the alias \(alias) of \(host.name)",
                            remedy: "renew the certificate with \(alias) among its names"))
                }
            }
            hosts.insert(
                TLSHost(names: names, pairs: pairs, servesIOS8: settings.form.needsSignature),
                at: place)
        }
        if self.defaultHost == nil, !hosts.isEmpty { self.defaultHost = 0 }
    }

    private static func missing(
        _ host: HostSource, _ path: String, isOrdered: Bool
    ) -> CertificateFinding {
        let folder = host.certificateFolder
        return CertificateFinding(
            folder: folder, place: "\(path)/\(folder)", isError: !isOrdered,
            cause: "there is no certificate for \(host.name)" + (isOrdered ? " yet" : ""),
            remedy: isOrdered
                ? "wait: aasa is ordering it, and the log and the status page show the progress"
                : "put fullchain.pem and privkey.pem into \(path)/\(folder), or try aasa certs make --certs \(path) \(host.name)"
        )
    }

    /// Adds an alias with a certificate of its own.
    ///
    /// - Returns: whether there is one.
    @discardableResult private mutating func add(
        _ alias: String, _ form: AssociationForm, _ store: CertificatesInUse, _ now: Int64
    ) -> Bool {
        guard let choice = Self.choice(alias, own: alias, store, now) else {
            missing.insert(alias)
            return false
        }
        hosts.append(
            TLSHost(names: [alias], pairs: choice.pairs, servesIOS8: form.needsSignature))
        folders.insert(choice.folder)
        return true
    }

    /// The pairs that serve a name.
    private struct Choice {
        let folder: String
        let pairs: [CertificatePair]
        /// The chain in the name's own folder that clients would refuse.
        var insteadOfOwn: String?
    }

    private static func choice(
        _ name: String, own folder: String, _ store: CertificatesInUse, _ now: Int64
    ) -> Choice? {
        let own = store.pairs(in: folder)
        let good = own.filter { $0.leaf.covers(name) && $0.leaf.isValid(at: now) }
        // Without the others: nearly all clients are given the ECDSA pair, also where it has ended
        // and the RSA pair beside it has not.
        if !good.isEmpty { return Choice(folder: folder, pairs: good) }
        if var valid = covering(name, store, { $0.leaf.isValid(at: now) }) {
            valid.insteadOfOwn = own.first?.chainName
            return valid
        }
        if !own.isEmpty { return Choice(folder: folder, pairs: own) }
        return covering(name, store) { _ in true }
    }

    /// Those that cover the name and suit, of the first folder, by name, that has one.
    private static func covering(
        _ name: String, _ store: CertificatesInUse, _ suits: (CertificatePair) -> Bool
    ) -> Choice? {
        for folder in store.folders {
            let pairs = store.pairs(in: folder).filter { $0.leaf.covers(name) && suits($0) }
            if !pairs.isEmpty { return Choice(folder: folder, pairs: pairs) }
        }
        return nil
    }
}
