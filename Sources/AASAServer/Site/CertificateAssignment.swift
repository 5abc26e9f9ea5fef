package import OpenSSL
import Reactor

/// Which certificates serve which name. A host uses those of the folder that `host.json` names, or
/// of the folder with the host's own name. If it has none, or clients refuse all of them, any
/// folder whose certificate covers the name is used (a wildcard, one certificate for all names, or
/// certbot's `HOST-0001`). The same applies to aliases that the host's own certificate does not
/// cover.
package struct CertificateAssignment: Sendable {
    /// In the order of the hosts, each followed by its aliases with a certificate of their own.
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
            let servesIOS8 = settings.form.needsSignature
            let choice = take(host.name, own: folder, store, now)
            // The store may have reported already what is wrong with these files.
            if choice == nil,
                !store.problems.contains(where: { $0.folder == folder && $0.isError })
            {
                findings.append(Self.missing(host, path, isOrdered: waitsForCertificates))
            }
            let place = hosts.count
            var names = [host.name]
            for alias in settings.aliases.map(\.value) {
                if let choice, choice.allSatisfy({ $0.leaf.covers(alias) }) {
                    names.append(alias)
                } else if let own = take(alias, own: alias, store, now) {
                    hosts.append(TLSHost(names: [alias], pairs: own, servesIOS8: servesIOS8))
                } else if let choice {
                    names.append(alias)
                    findings.append(
                        CertificateFinding(
                            folder: folder, isError: !waitsForCertificates,
                            problem: Problem(
                                place: choice[0].chainName,
                                cause: "no certificate covers the alias \(alias) of \(host.name)",
                                remedy: "renew the certificate with \(alias) among its names")))
                }
            }
            guard let choice else { continue }
            pairs[host.name] = choice
            if host.name == defaultHost { self.defaultHost = place }
            hosts.insert(TLSHost(names: names, pairs: choice, servesIOS8: servesIOS8), at: place)
        }
        if self.defaultHost == nil, !hosts.isEmpty { self.defaultHost = 0 }
    }

    private static func missing(
        _ host: HostSource, _ path: String, isOrdered: Bool
    ) -> CertificateFinding {
        let folder = host.certificateFolder
        return CertificateFinding(
            folder: folder, isError: !isOrdered,
            problem: Problem(
                place: "\(path)/\(folder)",
                cause: "there is no certificate for \(host.name)" + (isOrdered ? " yet" : ""),
                remedy: isOrdered
                    ? "wait: aasa is ordering it, and the log and the status page show the progress"
                    : "put fullchain.pem and privkey.pem into \(path)/\(folder), or try aasa certs make --certs \(path) \(host.name)"
            ))
    }

    /// The pairs that serve a name.
    private mutating func take(
        _ name: String, own folder: String, _ store: CertificatesInUse, _ now: Int64
    ) -> [CertificatePair]? {
        /// Without the others: nearly all clients are given the ECDSA pair, also where it has ended
        /// and the RSA pair beside it has not.
        func covering(_ folder: String, isValid: Bool = true) -> [CertificatePair] {
            store.pairs(in: folder).filter {
                $0.leaf.covers(name) && (!isValid || $0.leaf.isValid(at: now))
            }
        }
        /// Of the other folders, by name.
        func first(isValid: Bool) -> String? {
            store.folders.first { !covering($0, isValid: isValid).isEmpty }
        }
        let isInUse = store.slots[folder] != nil
        let taken =
            !covering(folder).isEmpty
            ? folder : first(isValid: true) ?? (isInUse ? folder : first(isValid: false))
        guard let taken else {
            missing.insert(folder)
            return nil
        }
        folders.insert(taken)
        let valid = covering(taken)
        if !valid.isEmpty { return valid }
        return isInUse ? store.pairs(in: taken) : covering(taken, isValid: false)
    }
}
