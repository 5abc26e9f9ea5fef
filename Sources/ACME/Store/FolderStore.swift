import AppSiteAssociation
import OpenSSL
package import Reactor

/// A folder of certificates as the store; the state is in `.acme` below it.
///
/// ```
/// certs/
///   shop.example -> .acme/issued/shop.example/1795329000-4711     ours: one link, one step
///   blog.example/fullchain.pem, privkey.pem                       another tool's, untouched
///   .acme/accounts/DIRECTORY.json     keys of accounts            0600
///   .acme/certificates/HOST.json      orders under way, back-off  0600
///   .acme/challenges.json             what is answered now
///   .acme/unreadable/                what could not be read, before it is replaced
///   .acme/lease.json
/// ```
package final class FolderStore: CertificateStore {
    /// The path as given by the operator.
    package let path: String
    private let root: String
    private let holding: FolderLease

    /// - Parameter path: the folder of certificates.
    package init(path: String) {
        self.path = path
        root = "\(path)/.acme"
        holding = FolderLease(path: "\(root)/lease.json")
    }

    /// Creates what is missing of `.acme`, and checks that this user may write to the certificates
    /// folder, where each certificate gets a link.
    package func prepare() throws(Problem) {
        for folder in [path, root] {
            try StoreFiles.makeFolder(folder)
            try StoreFiles.checkWritable(folder)
        }
        for folder in Self.folders {
            try StoreFiles.makeFolder("\(root)/\(folder)")
        }
        try locked { () throws(Problem) in try removeUnfinished() }
    }

    /// Removes unfinished files of a killed process. Call with the lock of the store: everything is
    /// written under this lock, so no process is writing them.
    private func removeUnfinished() throws(Problem) {
        for folder in [path, root] + Self.folders.map({ "\(root)/\($0)" }) {
            // Others may write certificates in this folder; we only create links there.
            let suffix = folder == path ? "-link.tmp" : ".tmp"
            for name in try StoreFiles.names(in: folder)
            where name.hasPrefix(".aasa-") && name.hasSuffix(suffix) {
                try StoreFiles.remove("\(folder)/\(name)")
            }
        }
        for host in try StoreFiles.names(in: "\(root)/issued") {
            let used = Files.linkTarget("\(path)/\(host)")
            for version in try StoreFiles.names(in: "\(root)/issued/\(host)")
            where used != ".acme/issued/\(host)/\(version)" {
                let place = "\(root)/issued/\(host)/\(version)"
                // The manifest is written last.
                if !Files.exists("\(place)/\(Self.manifest)") { StoreFiles.removeFolder(place) }
            }
        }
    }

    private static let folders = ["accounts", "certificates", "issued", "unreadable"]

    /// As root: creates what is missing and gives it to the future user of the server. An existing
    /// certificates folder keeps its owner: ``prepare()`` later tells that user whether it is
    /// usable.
    package func prepare(for owner: Files.Owner) throws(Problem) {
        let isNew = !Files.exists(path)
        try prepare()
        try StoreFiles.attempt { () throws(FileError) in
            // Folders as in `issued/HOST/VERSION`; files with other hard links keep their owner.
            try Files.giveTree(
                root, to: owner, depth: 4, limit: StoreFiles.entriesMaximum,
                action: "changing its owner to the server's user")
            if isNew { try Files.give(path, to: owner) }
        }
    }

    private func file(_ key: StoreKey) -> String { "\(root)/\(key.path)" }

    private static func revision(_ bytes: [UInt8]) -> StoreRevision { hexadecimal(sha256(bytes)) }

    /// The kernel's lock ends with the process, so no stale lock can block.
    private func locked<Result>(
        _ body: () throws(Problem) -> Result
    ) throws(Problem) -> Result {
        try StoreFiles.locked(root, body)
    }

    package func read(_ key: StoreKey) throws(Problem) -> StoredValue? {
        guard let bytes = try StoreFiles.read(file(key)) else { return nil }
        return StoredValue(bytes: bytes, revision: Self.revision(bytes), name: file(key))
    }

    package func swap(
        _ key: StoreKey, to value: [UInt8], from revision: StoreRevision?
    ) throws(Problem) -> StoreRevision? {
        try locked { () throws(Problem) -> StoreRevision? in
            let current = try StoreFiles.read(file(key)).map(Self.revision)
            if current != revision { return nil }
            try StoreFiles.replace(file(key), with: value)
            return Self.revision(value)
        }
    }

    package func records() throws(Problem) -> [StoredValue] {
        let place = "\(root)/\(StoreKey.records)"
        var values: [StoredValue] = []
        for name in try StoreFiles.names(in: place) where name.hasSuffix(".json") {
            // An unreadable one is reported when it is written: it must not keep all other
            // certificates from being renewed.
            guard let bytes = (try? StoreFiles.read("\(place)/\(name)")) ?? nil else { continue }
            values.append(
                StoredValue(
                    bytes: bytes, revision: Self.revision(bytes), name: "\(place)/\(name)"))
        }
        return values
    }

    package func lease(now: MonotonicSeconds) throws(Problem) -> LeaseOutcome {
        try locked { () throws(Problem) -> LeaseOutcome in try holding.take(now: now) }
    }

    package func release() { try? locked { () throws(Problem) in holding.give() } }

    // MARK: Certificates

    private static let manifest = "issued.json"

    package func content(of folder: String) throws(Problem) -> FolderContent {
        let place = "\(path)/\(folder)"
        for suffix in [".crt", ".pem"] where Files.exists(place + suffix) {
            return .foreign("\(place)\(suffix) is not ours")
        }
        guard let status = try StoreFiles.status(place) else { return .empty }
        guard status.isLink, let target = Files.linkTarget(place),
            target.hasPrefix(".acme/issued/\(folder)/")
        else {
            let isEmpty =
                status.kind == .folder
                && ((try? StoreFiles.names(in: place)) ?? ["?"]).isEmpty
            return isEmpty ? .empty : .foreign("\(place) is not ours")
        }
        let noted = StoreFiles.json(
            try StoreFiles.read("\(place)/\(Self.manifest)"), name: place)
        var facts: [CertificateFacts?] = []
        for (isRSA, kind) in [(false, "ecdsa"), (true, "rsa")] {
            let files = Self.files(isRSA: isRSA)
            let name = "\(place)/\(files.chain)"
            guard let bytes = try StoreFiles.read(name) else {
                facts.append(nil)
                continue
            }
            guard let leaf = try? Certificate.load(pem: bytes, name: name).first,
                noted?[kind]?.string == leaf.summary.fingerprint
            else { return .foreign("\(name) was changed by another process") }
            // Without its key it serves no client: it is ordered again.
            let isWhole = try Self.holdsKey(of: leaf, "\(place)/\(files.key)")
            facts.append(isWhole ? CertificateFacts(leaf) : nil)
        }
        return .ours(ecdsa: facts[0], rsa: facts[1])
    }

    /// The names of a pair's files in its host's folder.
    static func files(isRSA: Bool) -> (chain: String, key: String) {
        let suffix = isRSA ? "-rsa" : ""
        return ("fullchain\(suffix).pem", "privkey\(suffix).pem")
    }

    private static func holdsKey(of leaf: Certificate, _ path: String) throws(Problem) -> Bool {
        guard var pem = try StoreFiles.read(path) else { return false }
        defer { for index in pem.indices { pem[index] = 0 } }
        return (try? PrivateKey.load(pem: pem, name: path))?.matches(leaf) ?? false
    }

    package func install(
        _ id: LineageID, chain: [UInt8], key: [UInt8], keepsOther: Bool
    ) throws(Problem) {
        try locked { () throws(Problem) in
            if let other = try holding.taker() {
                throw Problem(
                    place: "\(path)/\(id.folder)", cause: "\(other) is ordering certificates now",
                    remedy: "nothing to do: aasa reads the result")
            }
            try place(id, chain, key, keepsOther)
        }
    }

    /// Installs a pair that comes from another store, in which the lease is as well: that of this
    /// folder may be left from before, and no process will ever take it.
    package func installCopy(
        _ id: LineageID, chain: [UInt8], key: [UInt8], keepsOther: Bool
    ) throws(Problem) {
        try locked { () throws(Problem) in try place(id, chain, key, keepsOther) }
    }

    private func place(
        _ id: LineageID, _ chain: [UInt8], _ key: [UInt8], _ keepsOther: Bool
    ) throws(Problem) {
        if case .foreign(let why) = try content(of: id.folder) {
            throw Problem(
                place: id.folder, cause: why,
                remedy: "remove it if aasa should order the certificate")
        }
        let link = "\(path)/\(id.folder)"
        let versions = "\(root)/issued/\(id.folder)"
        try StoreFiles.makeFolder(versions)
        let version = "\(WallClock.seconds)-\(CurrentProcess.id)-\(hexadecimal(randomBytes(4)))"
        let new = "\(versions)/\(version)"
        try StoreFiles.makeFolder(new)
        var isDone = false
        defer { if !isDone { StoreFiles.removeFolder(new) } }
        var noted: [(String, JSONValue)] = []
        for (isRSA, kind) in [(false, "ecdsa"), (true, "rsa")] {
            let files = Self.files(isRSA: isRSA)
            let pair: (chain: [UInt8], key: [UInt8])
            if isRSA == id.isRSA {
                pair = (chain, key)
            } else if keepsOther, let chain = try StoreFiles.read("\(link)/\(files.chain)"),
                let key = try StoreFiles.read("\(link)/\(files.key)")
            {
                pair = (chain, key)
            } else {
                continue
            }
            guard let leaf = try? Certificate.load(pem: pair.chain, name: files.chain).first else {
                continue
            }
            try StoreFiles.replace("\(new)/\(files.key)", with: pair.key)
            try StoreFiles.replace("\(new)/\(files.chain)", with: pair.chain, mode: 0o644)
            noted.append((kind, .text(leaf.summary.fingerprint)))
        }
        try StoreFiles.replace(
            "\(new)/\(Self.manifest)", with: JSONWriter.minified(.object(noted)))
        Files.sync(folder: versions)
        // An empty folder that was created for the host by hand.
        Files.removeEmptyFolder(link)
        try StoreFiles.link(link, to: ".acme/issued/\(id.folder)/\(version)")
        isDone = true
        removeOld(versions, keeping: version)
    }

    /// The previous version stays, as a reader may still use it.
    private func removeOld(_ versions: String, keeping current: String) {
        let old = ((try? StoreFiles.names(in: versions)) ?? []).filter { $0 != current }
        for name in old.dropLast() { StoreFiles.removeFolder("\(versions)/\(name)") }
    }
}
