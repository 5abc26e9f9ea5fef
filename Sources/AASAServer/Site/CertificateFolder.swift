import HTTP
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
///   HOST/HOST.crt           HOST/HOST.key           one pair, as Caddy lays them out
///   HOST/fullchain.cer      HOST/HOST.key           one pair, as acme.sh lays them out
///   HOST.crt                HOST.key                one pair, as lego lays them out
///   HOST.pem                HOST-key.pem            one pair, as mkcert lays them out; or HOST.key
///   HOST.pem                                        chain and key in one file, as for HAProxy
///   local-ca/ca.pem         local-ca/privkey.pem    what `aasa certs make` signs with
/// ```
///
/// `-ecdsa` and `ecdsa/` are read as well, and `HOST_ecc` of acme.sh. The pair itself shows its key
/// type, not its name. A chain without a file for its key may hold the key.
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

    /// Ten times the hosts of the largest site (``SiteLimits/hostsMaximum``): certbot keeps folders
    /// of hosts that are gone.
    static let hostsMaximum = 10 * SiteLimits.hostsMaximum

    package init(path: String) {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        self.path = path
    }

    package func folder(of host: String) -> String { "\(path)/\(host)" }

    package var authorityFiles: Files {
        let folder = folder(of: CertificateFolder.authorityName)
        return Files(chain: folder + "/ca.pem", key: folder + "/privkey.pem")
    }

    /// The files that `aasa certs make` writes for a host.
    ///
    /// - Parameter suffix: `-rsa` for the second pair.
    package func files(of host: String, suffix: String = "") -> Files {
        let folder = folder(of: host)
        return Files(
            chain: "\(folder)/fullchain\(suffix).pem", key: "\(folder)/privkey\(suffix).pem")
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
        let flat = names.filter { $0.hasSuffix(".crt") || $0.hasSuffix(".pem") }
            .map { String($0.dropLast(4)) }.filter { wholeFlatFiles(of: $0) != nil }
        return flat.isEmpty ? folders : Array(Set(folders + flat)).sorted()
    }

    /// The existing pairs of files of a host: a pair counts if either file exists.
    package func candidates(of host: String) -> [Files] {
        let folder = folder(of: host)
        let all =
            ["", "-ecdsa", "-rsa"].map { files(of: host, suffix: $0) }
            + ["ecdsa", "rsa"].map { files(of: "\(host)/\($0)") }
            + [
                Files(chain: "\(folder)/tls.crt", key: "\(folder)/tls.key"),
                namedFiles(of: host),
                wholeFlatFiles(of: host) ?? flatFiles(of: host, Self.flatNames[0]),
            ]
        // A link counts even if its target cannot be reached: certbot's links lead into a folder
        // that only root can read.
        return all.filter { Reactor.Files.hasEntry($0.chain) || Reactor.Files.hasEntry($0.key) }
            .map { files in
                let isAlone = !Reactor.Files.hasEntry(files.key) && Self.holdsPair(files.chain)
                return isAlone ? Files(chain: files.chain, key: files.chain) : files
            }
    }

    /// Why nothing in a host's folder can be reached, or in that of this pair; nil: it can be, or
    /// there is nothing of that name.
    package func obstacle(of host: String, to pair: Files? = nil) -> FileError? {
        for case let place? in [folder(of: host), pair.map { Reactor.Files.folder(of: $0.chain) }] {
            do throws(FileError) { try Reactor.Files.checkFolder(place) } catch {
                if !error.isMissing || Reactor.Files.hasEntry(place) { return error }
            }
        }
        return nil
    }

    /// The fix for an ``obstacle(of:to:)``.
    package static func remedy(for obstacle: FileError) -> String {
        if obstacle.isDenied { return obstacle.remedyForReading }
        if obstacle.isMissing { return "restore the folder" }
        if obstacle.isLoop { return "replace the link with the folder, or with a link to it" }
        return "check the disk and the file system"
    }

    /// What follows a host's name in files beside the folders: for lego, mkcert, others, HAProxy.
    private static let flatNames = [
        (chain: ".crt", key: ".key"), (chain: ".pem", key: "-key.pem"),
        (chain: ".pem", key: ".key"), (chain: ".pem", key: ".pem"), (chain: ".crt", key: ".crt"),
    ]

    private func flatFiles(of host: String, _ names: (chain: String, key: String)) -> Files {
        Files(chain: "\(path)/\(host)\(names.chain)", key: "\(path)/\(host)\(names.key)")
    }

    /// The first pair of files beside the folders of which nothing is missing.
    private func wholeFlatFiles(of host: String) -> Files? {
        Self.flatNames.lazy.map { flatFiles(of: host, $0) }.first { files in
            guard Reactor.Files.hasEntry(files.chain) else { return false }
            // Certificates without a key are not a pair: such files contain authorities.
            return files.chain == files.key
                ? Self.holdsPair(files.chain) : Reactor.Files.exists(files.key)
        }
    }

    /// The pair in a host's folder that has the host's name, with the chain that is there: acme.sh
    /// writes the host's certificate without its issuers beside it (`HOST.cer`).
    private func namedFiles(of host: String) -> Files {
        let name = host.hasSuffix("_ecc") ? String(host.dropLast(4)) : host
        let stem = "\(folder(of: host))/\(name)"
        let full = "\(folder(of: host))/fullchain.cer"
        return Files(
            chain: Reactor.Files.hasEntry(full) ? full : stem + ".crt", key: stem + ".key")
    }

    /// Whether a file holds certificates and a private key (RFC 7468 sections 5 and 10, and the
    /// older forms of keys).
    private static func holdsPair(_ path: String) -> Bool {
        guard var bytes = try? Reactor.Files.read(path, limit: SiteLimits.certificateBytesMaximum)
        else { return false }
        defer { for index in bytes.indices { bytes[index] = 0 } }
        return bytes.withUnsafeBytes {
            $0.contains("-----BEGIN CERTIFICATE-----") && $0.contains("PRIVATE KEY-----")
        }
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
                "there is no certificate for \(host): put fullchain.pem and privkey.pem into \(folder(of: host)), or try `aasa certs make --certs \(path) \(host)`"
            )
        }
        for files in candidates {
            do {
                let pair = try CertificateFolder.load(files)
                let other = found.pairs.first { $0.leaf.isECDSA == pair.leaf.isECDSA }
                // The same certificate under two names is no error.
                if let other, other.identity != pair.identity {
                    found.failures.append(
                        "\(pair.chainName) and \(other.chainName) have the same kind of key (\(pair.key.type), \(other.key.type)): remove one of them"
                    )
                }
                if other == nil { found.pairs.append(pair) }
            } catch {
                found.failures.append("\(error)")
            }
        }
        found.pairs.sort { a, b in a.leaf.isECDSA && !b.leaf.isECDSA }
        return found
    }

    /// Reads one pair.
    ///
    /// - Throws: ``FileError`` or ``OpenSSLError``, each with place, cause and fix.
    package static func load(_ files: Files) throws -> CertificatePair {
        try KeptPair(reading: files).pair()
    }
}

extension Certificate {
    package var isECDSA: Bool { if case .ecdsa = summary.keyType { true } else { false } }
}
