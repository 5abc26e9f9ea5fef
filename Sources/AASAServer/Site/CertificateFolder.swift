package import OpenSSL
package import Reactor

/// The layout of the certificate folder; only this type knows it.
///
/// ```
/// certs/
///   HOST/fullchain.pem      HOST/privkey.pem        one pair, as certbot lays them out
///   HOST/fullchain-rsa.pem  HOST/privkey-rsa.pem    a second one of the other key type
///   HOST/rsa/fullchain.pem  HOST/rsa/privkey.pem    the same, as two certbot lineages give it
///   HOST/tls.crt            HOST/tls.key            one pair, as a secret of Kubernetes is mounted
///   HOST.crt                HOST.key                one pair, as lego lays them out
///   local-ca/ca.pem         local-ca/privkey.pem    what `aasa certs make` signs with
/// ```
///
/// `-ecdsa` and `ecdsa/` are read as well. The pair itself tells its key type, not its name.
package struct CertificateFolder: Sendable {
    /// The files of one pair.
    package struct Files: Sendable, Hashable {
        package let chain: String
        package let key: String

        package init(chain: String, key: String) {
            self.chain = chain
            self.key = key
        }
    }

    /// What was found for a host.
    package struct Found: Sendable {
        /// At most one pair per key type, ECDSA first.
        package var pairs: [CertificatePair] = []
        /// What could not be read, or exists twice; a host without pairs has at least one failure.
        package var failures: [String] = []
    }

    /// The folder's path, as the user gave it.
    package let path: String

    /// The folder of the local authority; no host may have this name.
    package static let authorityName = "local-ca"

    /// A chain or key has a few kilobytes, a bundle of all public roots 220 KB.
    package static let bytesMaximum = SiteLimits.certificateBytesMaximum
    /// Ten times the hosts of the largest site (``SiteLimits/hostsMaximum``): certbot keeps folders
    /// of hosts that are gone.
    static let hostsMaximum = 10 * SiteLimits.hostsMaximum

    package init(path: String) {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        self.path = path
    }

    package func folder(of host: String) -> String { "\(path)/\(host)" }
    package var authorityFolder: String { folder(of: CertificateFolder.authorityName) }
    package var authorityCertificate: String { authorityFolder + "/ca.pem" }
    package var authorityKey: String { authorityFolder + "/privkey.pem" }

    /// The files that `aasa certs make` writes for a host.
    package func ecdsaFiles(of host: String) -> Files {
        files(folder(of: host), suffix: "")
    }

    package func rsaFiles(of host: String) -> Files {
        files(folder(of: host), suffix: "-rsa")
    }

    /// The hosts that have a folder or files, sorted. Empty if the folder does not exist.
    ///
    /// - Throws: ``FileError`` when the folder cannot be read.
    package func hosts() throws(FileError) -> [String] {
        let names = try Reactor.Files.names(
            in: path, limit: Self.hostsMaximum, where: { !$0.hasPrefix(".") })
        let folders = names.filter {
            $0 != CertificateFolder.authorityName && Reactor.Files.isFolder(folder(of: $0))
        }
        // lego writes its authority's certificate beside a pair: NAME.issuer.crt, without a key.
        let flat = names.filter { $0.hasSuffix(".crt") }.map { String($0.dropLast(4)) }
            .filter { Reactor.Files.exists(flatFiles(of: $0).key) }
        return flat.isEmpty ? folders : Array(Set(folders + flat)).sorted()
    }

    /// The existing pairs of files of a host: a pair counts if either file exists.
    package func candidates(of host: String) -> [Files] {
        let folder = folder(of: host)
        let all =
            ["", "-ecdsa", "-rsa"].map { files(folder, suffix: $0) }
            + ["ecdsa", "rsa"].map { files("\(folder)/\($0)", suffix: "") }
            + [Files(chain: "\(folder)/tls.crt", key: "\(folder)/tls.key"), flatFiles(of: host)]
        // A link counts even if its target cannot be reached: certbot's links lead into a folder
        // that only root can read.
        return all.filter { Reactor.Files.hasEntry($0.chain) || Reactor.Files.hasEntry($0.key) }
    }

    /// Why nothing in a host's folder can be reached; nil: it can be, or there is nothing of that
    /// name.
    package func obstacle(of host: String) -> FileError? {
        do throws(FileError) {
            try Reactor.Files.checkFolder(folder(of: host))
            return nil
        } catch {
            return Reactor.Files.hasEntry(folder(of: host)) ? error : nil
        }
    }

    /// The remedy for an ``obstacle(of:)``.
    package static func remedy(for obstacle: FileError) -> String {
        if obstacle.isDenied { return obstacle.remedyForReading }
        if obstacle.isMissing { return "put the folder back in its place" }
        if obstacle.isLoop { return "replace the link by the folder, or by a link to it" }
        return "see whether the disk and the file system are well"
    }

    /// The names of a pair's files within its host's folder, for records: `crt` and `key` for
    /// lego's, which lie beside it.
    func names(of files: Files, host: String) -> (chain: String, key: String) {
        if files == flatFiles(of: host) { return Self.flatNames }
        let prefix = folder(of: host).count + 1
        return (String(files.chain.dropFirst(prefix)), String(files.key.dropFirst(prefix)))
    }

    /// Reverses ``names(of:host:)``.
    func files(named names: (chain: String, key: String), host: String) -> Files {
        if names == Self.flatNames { return flatFiles(of: host) }
        let place = folder(of: host)
        return Files(chain: "\(place)/\(names.chain)", key: "\(place)/\(names.key)")
    }

    private static let flatNames = (chain: "crt", key: "key")

    private func flatFiles(of host: String) -> Files {
        Files(chain: "\(path)/\(host).crt", key: "\(path)/\(host).key")
    }

    /// Whether ACME renewals of this server manage the folder (the layout is `FolderStore`'s). They
    /// exchange the folder as a whole, so a missing pair was removed on purpose.
    func isRenewedHere(_ host: String) -> Bool {
        Reactor.Files.linkTarget(folder(of: host))?.hasPrefix(".acme/issued/") == true
    }

    /// Reads all pairs of a host.
    package func load(_ host: String) -> Found {
        var found = Found()
        let candidates = candidates(of: host)
        if candidates.isEmpty, let obstacle = obstacle(of: host) {
            found.failures.append("\(obstacle): \(Self.remedy(for: obstacle))")
        } else if candidates.isEmpty {
            found.failures.append(
                "there is no certificate for \(host): put fullchain.pem and privkey.pem into "
                    + "\(folder(of: host)), or try `aasa certs make --certs \(path) \(host)`")
        }
        for files in candidates {
            do {
                add(try CertificateFolder.load(files), to: &found)
            } catch {
                found.failures.append("\(error)")
            }
        }
        found.pairs.sort { a, b in a.leaf.isECDSA && !b.leaf.isECDSA }
        return found
    }

    /// Reads one pair.
    ///
    /// - Throws: ``FileError`` or ``OpenSSLError``, each with place, cause and remedy.
    package static func load(_ files: Files) throws -> CertificatePair {
        let chain = try Reactor.Files.read(files.chain, limit: Self.bytesMaximum)
        var key = try Reactor.Files.read(files.key, limit: Self.bytesMaximum)
        defer { for index in key.indices { key[index] = 0 } }
        return try CertificatePair.load(
            chainPEM: chain, keyPEM: key, chainName: files.chain, keyName: files.key)
    }

    private func add(_ pair: CertificatePair, to found: inout Found) {
        if let other = found.pairs.first(where: { $0.leaf.isECDSA == pair.leaf.isECDSA }) {
            // The same certificate under two names is no error.
            if other.identity == pair.identity { return }
            found.failures.append(
                "\(pair.chainName) and \(other.chainName) have the same kind of key "
                    + "(\(pair.key.type), \(other.key.type)): remove one of them")
            return
        }
        found.pairs.append(pair)
    }

    private func files(_ folder: String, suffix: String) -> Files {
        Files(chain: "\(folder)/fullchain\(suffix).pem", key: "\(folder)/privkey\(suffix).pem")
    }
}

extension Certificate {
    package var isECDSA: Bool { if case .ecdsa = summary.keyType { true } else { false } }
}
