package import OpenSSL
package import Reactor

/// Makes what is missing in a certificate folder: the local authority, and per host an ECDSA and an
/// RSA certificate signed by it. Safe to run again: good certificates stay, ending ones are
/// renewed, and those of another authority are never touched.
package struct LocalAuthorityFolder: Sendable {
    /// What was done about one pair of files.
    package struct Step: Sendable, Hashable {
        package enum Action: String, Sendable, Hashable {
            case made, renewed, kept
            /// Signed by another authority: unchanged.
            case foreign
        }
        /// The certificate's file.
        package let file: String
        package let action: Action
        /// Why, or until when.
        package let note: String
    }

    /// Certificates are renewed when less than a third of their life is left.
    static func needsRenewal(_ summary: CertificateSummary, at now: Int64) -> Bool {
        now < summary.notBefore
            || (summary.notAfter - now) * 3 < summary.notAfter - summary.notBefore
    }

    package let folder: CertificateFolder
    /// The owner of the hosts' files; nil: this user. The authority's own key stays with the user
    /// who makes it.
    private let owner: Files.Owner?
    private let keyMode: UInt32

    /// - Parameter owner: the user of the service that reads the hosts' files. Nil: if root makes
    ///   them for another user, the folder's owner; `root:aasa` with mode 750 means that the group
    ///   reads.
    package init(folder: CertificateFolder, owner: Files.Owner? = nil) {
        let isForFolder = owner == nil && CurrentProcess.user == 0
        let found = isForFolder ? Files.owner(of: folder.path) : nil
        self.folder = folder
        self.owner = owner ?? found.flatMap { $0.user != 0 || $0.group != 0 ? $0 : nil }
        keyMode = found.map { $0.user == 0 && $0.group != 0 } == true ? 0o640 : 0o600
    }

    /// Makes or keeps the authority and the certificates of the hosts.
    ///
    /// - Parameters:
    ///   - hosts: names; each becomes a folder. `*.` names are allowed as further names only.
    ///   - names: the names beside the host's own that its certificates get (aliases).
    ///   - now: seconds since 1970.
    /// - Throws: ``FileError``, ``OpenSSLError``.
    package func make(
        hosts: [String], names: [String: [String]] = [:], now: Int64
    ) throws -> [Step] {
        for host in hosts { try LocalAuthorityFolder.check(host) }
        try Files.makeFolder(folder.path)
        var steps: [Step] = []
        let authority = try authority(now: now, &steps)
        for host in hosts {
            let place = folder.folder(of: host)
            let isNew = !Files.exists(place)
            try Files.makeFolder(place)
            if isNew, let owner {
                try Files.give(place, to: owner)
                try Files.setMode(place, 0o750)
            }
            let wanted = [host] + (names[host] ?? []).filter { $0 != host }
            for (files, key) in [
                (folder.files(of: host), CertificateTemplate.Key.ecdsaP256),
                (folder.files(of: host, suffix: "-rsa"), .rsa(bits: 2048)),
            ] {
                steps.append(try renew(files, wanted, key, authority, now))
            }
        }
        return steps
    }

    /// Whether a host can have this name.
    package static func check(_ host: String) throws(OpenSSLError) {
        if let problem = HostName.problem(of: host) {
            throw OpenSSLError(cause: problem.message, remedy: problem.remedy)
        }
        if host == CertificateFolder.authorityName {
            throw OpenSSLError(
                cause: "\(host) is the folder of the authority", remedy: "Name another host.")
        }
    }

    private func authority(now: Int64, _ steps: inout [Step]) throws -> LocalAuthority {
        let files = folder.authorityFiles
        let old = try existing(files)
        if let old, !LocalAuthorityFolder.needsRenewal(old.leaf.summary, at: now) {
            steps.append(step(files, .kept, old))
            return LocalAuthority(pair: old)
        }
        try Files.makeFolder(folder.folder(of: CertificateFolder.authorityName))
        let authority = try LocalAuthority.make(now: now)
        try write(authority.pair, files, keyMode: 0o600, owner: nil)
        steps.append(step(files, old == nil ? .made : .renewed, authority.pair))
        return authority
    }

    /// - Throws: if a file of the pair cannot be read. It may be the operator's only copy, so it is
    ///   never replaced.
    private func existing(_ files: CertificateFolder.Files) throws -> CertificatePair? {
        guard Files.exists(files.chain) || Files.exists(files.key) else { return nil }
        return try CertificateFolder.load(files)
    }

    private func renew(
        _ files: CertificateFolder.Files, _ names: [String], _ key: CertificateTemplate.Key,
        _ authority: LocalAuthority, _ now: Int64
    ) throws -> Step {
        var names = names
        let old = try existing(files)
        if let old {
            let isOurs = old.leaf.summary.issuer.utf8.starts(with: "CN=aasa local CA".utf8)
            if !isOurs { return step(files, .foreign, old) }
            let isGood =
                old.leaf.isIssued(by: authority.pair.leaf)
                && !LocalAuthorityFolder.needsRenewal(old.leaf.summary, at: now)
                && names.allSatisfy { old.leaf.covers($0) }
            if isGood { return step(files, .kept, old) }
            // Aliases of an earlier call: hosts are served under them.
            names += old.leaf.summary.names.filter { !names.contains($0) }
        }
        let pair = try authority.issue(names: names, key: key, now: now)
        try write(pair, files, keyMode: keyMode, owner: owner)
        return step(files, old == nil ? .made : .renewed, pair)
    }

    /// Replaces both or, where the disk is full, neither. The key comes first: a server that
    /// reloads in between finds an old certificate with a new key, refuses the pair and tries
    /// again.
    private func write(
        _ pair: CertificatePair, _ files: CertificateFolder.Files, keyMode: UInt32,
        owner: Files.Owner?
    ) throws {
        var key = pair.key.unencryptedPEM()
        defer { for index in key.indices { key[index] = 0 } }
        try Files.replace([
            Files.Replacement(
                path: files.key, bytes: key, mode: keyMode, owner: owner),
            Files.Replacement(
                path: files.chain, bytes: pair.chain.flatMap(\.pem), mode: 0o644, owner: owner),
        ])
    }

    private func step(
        _ files: CertificateFolder.Files, _ action: Step.Action, _ pair: CertificatePair
    ) -> Step {
        let end = "until \(DateText.day(pair.leaf.summary.notAfter))"
        let note =
            action == .foreign ? "issued by \(pair.leaf.summary.issuer), unchanged; \(end)" : end
        return Step(file: files.chain, action: action, note: note)
    }
}
