import AASAClient
package import ACME
import OpenSSL
package import Reactor

/// The certificates of a fleet: one machine orders, every machine answers challenges and loads the
/// issued certificates.
///
/// ```
/// /aasa/NAME/acme/lease                    who orders now; ends with its lease
/// /aasa/NAME/acme/accounts/DIRECTORY.json  and certificates/, challenges.json: as in a
///                                          folder (``ACME/FolderStore``)
/// /aasa/NAME/acme/issued/HOST              chain and key, and HOST+rsa
/// ```
///
/// Every value is encrypted with the fleet's key and bound to its name, so that etcd, its backups
/// and its administrators have no account or certificate key. Every write is one transaction that
/// compares the revisions of the key and of the lease's key: a machine that was paused while its
/// lease expired cannot write.
///
/// Issued certificates are copied to this machine's certificates folder, from which the server
/// loads them with or without etcd.
///
/// They are no part of a revision, although ``KeyRing`` seals both: a rollback would return expired
/// certificates, and each renewal would be a revision of every channel and compete with people who
/// publish. Challenges and the lease must change within seconds anyway.
///
/// `@unchecked Sendable`: all mutable state is protected by `lock`.
package final class EtcdCertificateStore: CertificateStore, @unchecked Sendable {
    /// This machine's state besides the store.
    private struct Memory {
        /// The lease, and the revision at which its key was written.
        var lease: (id: Int64, written: Int64)?
        /// Key of an issued certificate → this machine's copy.
        var issued: [String: IssuedCopy] = [:]
        /// Key → what was wrong with its value at the last look.
        var unusable: [String: Problem] = [:]
        /// Values that an old key had sealed are sealed with the current one.
        var isSealedAnew = false

        /// Puts what is wrong below a prefix in the place of what was. What has gone is forgotten.
        ///
        /// - Returns: one of them.
        mutating func note(_ faults: [String: Problem], below prefix: String) -> Problem? {
            unusable = unusable.filter { !$0.key.hasPrefix(prefix) }.merging(faults) { $1 }
            return faults.min { $0.key < $1.key }?.value
        }
    }

    /// Maximum of time that an unreachable member may cost a renewal.
    private static let patience: Duration = .seconds(10)

    private let settings: AgentSettings
    private var root: String { settings.keys.root + "acme/" }
    private let keyRing: KeyRing
    private let local: FolderStore
    private let send: FleetStore.Ask
    private let stop: Wakeup
    private let lock = Lock(())
    private var memory = Memory()

    /// - Parameter local: the folder from which the server loads certificates.
    package convenience init(
        _ settings: AgentSettings, keyRing: KeyRing, local: FolderStore
    ) throws(FleetError) {
        do {
            let stop = try Wakeup()
            let client = try EtcdClient(settings.access, seed: settings.seed, stop: stop)
            self.init(settings, keyRing: keyRing, local: local, stop: stop) {
                request throws(EtcdFailure) in
                try client.ask(request, within: Self.patience)
            }
        } catch {
            throw FleetError(place: "fleet", cause: "\(error)", remedy: "reinstall OpenSSL")
        }
    }

    /// - Parameter send: asks etcd until it responds or a time limit passes.
    init(
        _ settings: AgentSettings, keyRing: KeyRing, local: FolderStore, stop: Wakeup,
        send: @escaping FleetStore.Ask
    ) {
        self.settings = settings
        self.keyRing = keyRing
        self.local = local
        self.stop = stop
        self.send = send
    }

    package func prepare() throws(Problem) { try local.prepare() }

    package func prepare(for owner: Files.Owner) throws(Problem) {
        try local.prepare(for: owner)
    }

    /// 1,000 machines: 50 reads/s.
    package var lookSeconds: Int64 { 20 }

    /// Ends all current and future waits for etcd.
    package func end() { stop.signal() }

    package var unusable: [Problem] {
        lock.withLock { _ in memory.unusable.sorted { $0.key < $1.key }.map(\.value) }
    }

    // MARK: etcd

    private var store: FleetStore { FleetStore(keys: settings.keys, ask: send) }

    /// Converts a fleet error to a store problem.
    private func told<Result>(
        _ body: () throws(FleetError) -> Result
    ) throws(Problem) -> Result {
        do throws(FleetError) {
            return try body()
        } catch {
            throw error.problem
        }
    }

    private func entry(_ key: String) throws(Problem) -> EtcdEntry? {
        try told { () throws(FleetError) in try store.entry(key, "reading \(key)") }
    }

    private func entries(
        below prefix: String, keysOnly: Bool
    ) throws(Problem) -> [EtcdEntry] {
        try told { () throws(FleetError) in
            try store.entries(below: prefix, keysOnly: keysOnly)
        }
    }

    /// Performs `operation` if all comparisons hold; otherwise reads `key`.
    private func transaction(
        _ key: String, if comparisons: [EtcdComparison], then operation: EtcdOperation
    ) throws(Problem) -> EtcdOutcome {
        try told { () throws(FleetError) in
            try store.transaction(
                if: comparisons, then: [operation], otherwise: [.range(key)], "writing \(key)")
        }
    }

    private func open(_ entry: EtcdEntry) throws(Problem) -> [UInt8] {
        try told { () throws(FleetError) in try keyRing.open(entry.value, name: entry.key) }
    }

    private func stored(_ entry: EtcdEntry) throws(Problem) -> StoredValue {
        StoredValue(
            bytes: try open(entry), revision: "\(entry.changed)", name: entry.key)
    }

    /// Changes a key if its revision is `revision` and the lease is still ours.
    ///
    /// - Returns: the new revision; nil otherwise.
    private func write(
        _ key: String, _ value: [UInt8]?, from revision: Int64?
    ) throws(Problem) -> Int64? {
        guard let lease = memory.lease else { return nil }
        var comparisons: [EtcdComparison] = [.unchanged(root + "lease", since: lease.written)]
        if let revision { comparisons.append(.unchanged(key, since: revision)) }
        let operation = try told { () throws(FleetError) -> EtcdOperation in
            guard let value else { return .delete(key) }
            return .put(key, try keyRing.seal(value, name: key))
        }
        let outcome = try transaction(key, if: comparisons, then: operation)
        if outcome.succeeded { return outcome.store.revision }
        // A transaction that was repeated after a lost response finds its own write.
        guard let value, let there = outcome.reads.first?.first, try open(there) == value,
            try entry(root + "lease")?.changed == lease.written
        else { return nil }
        return there.changed
    }

    // MARK: CertificateStore

    package func read(_ key: StoreKey) throws(Problem) -> StoredValue? {
        try lock.withLock { _ throws(Problem) in
            guard let entry = try entry(root + key.path) else { return nil }
            return try stored(entry)
        }
    }

    package func swap(
        _ key: StoreKey, to value: [UInt8], from revision: StoreRevision?
    ) throws(Problem) -> StoreRevision? {
        try lock.withLock { _ throws(Problem) in
            let old = revision.flatMap { Int64($0) } ?? 0
            return try write(root + key.path, value, from: old).map { "\($0)" }
        }
    }

    package func records() throws(Problem) -> [StoredValue] {
        try lock.withLock { _ throws(Problem) in
            let prefix = "\(root)\(StoreKey.records)/"
            var values: [StoredValue] = []
            var faults: [String: Problem] = [:]
            for entry in try entries(below: prefix, keysOnly: false) {
                do throws(Problem) {
                    values.append(try stored(entry))
                } catch {
                    faults[entry.key] = error
                }
            }
            let problem = memory.note(faults, below: prefix)
            // One value that cannot be opened keeps no other from being used, and is never written
            // over: no machine has its revision. A machine with another key opens none.
            if values.isEmpty, let problem { throw problem }
            return values
        }
    }

    package func lease(now: MonotonicSeconds) throws(Problem) -> LeaseOutcome {
        try lock.withLock { _ throws(Problem) -> LeaseOutcome in
            let outcome = try takeLease()
            // With one key there is nothing to seal anew, and every machine has the lease once.
            if case .ours = outcome, keyRing.hasOlder, !memory.isSealedAnew {
                try sealAnew()
                memory.isSealedAnew = true
            }
            return outcome
        }
    }

    /// Seals with the current key what an older one has sealed: an account is written once, and the
    /// older key is removed some day. Once per process, because a new key requires a restart.
    private func sealAnew() throws(Problem) {
        for entry in try entries(below: root, keysOnly: false) where entry.key != root + "lease" {
            // Whoever needs an entry that no key decrypts reports it.
            guard !keyRing.isCurrent(entry.value, name: entry.key), let value = try? open(entry)
            else { continue }
            _ = try write(entry.key, value, from: entry.changed)
        }
    }

    private func takeLease() throws(Problem) -> LeaseOutcome {
        let key = root + "lease"
        if let held = memory.lease {
            let kept = try? send(.keepLease(held.id))
            let left = try? kept.map(EtcdReplyReader.lease)
            if let left, left.seconds > 0, try entry(key)?.changed == held.written {
                return .ours(isNew: false)
            }
            memory.lease = nil
        }
        // Check first, without our own lease: most machines of a fleet find it taken.
        if let other = try entry(key) { return .taken(Self.holder(other)) }
        let granted = try told { () throws(FleetError) in
            try store.reply(
                to: .grantLease(seconds: Int(LeaseTerms.seconds)), "taking the lease",
                EtcdReplyReader.lease)
        }
        let name = "\(settings.machine) \(CurrentProcess.id) \(granted.id)"
        let outcome = try transaction(
            key, if: [.unchanged(key, since: 0)],
            then: .put(key, Array(name.utf8), lease: granted.id))
        if outcome.succeeded {
            memory.lease = (granted.id, outcome.store.revision)
            return .ours(isNew: true)
        }
        guard let other = outcome.reads.first?.first else { return .taken("another machine") }
        // The response to our transaction was lost, and it was repeated.
        if Self.holder(other) == name {
            memory.lease = (granted.id, other.changed)
            return .ours(isNew: true)
        }
        _ = try? send(.revokeLease(granted.id))
        return .taken(Self.holder(other))
    }

    private static func holder(_ entry: EtcdEntry) -> String {
        PeerText.printable(String(decoding: entry.value, as: UTF8.self))
    }

    package func release() {
        lock.withLock { _ in
            guard let held = memory.lease else { return }
            memory.lease = nil
            // Even if all waits were ended: no other machine can order until the lease expires.
            EtcdClient.revoke(held.id, settings.access, seed: settings.seed)
        }
    }

    // MARK: Certificates

    private func issuedKey(_ id: LineageID) -> String {
        "\(root)issued/\(id.folder)\(id.isRSA ? "+rsa" : "")"
    }

    package func content(of folder: String) throws(Problem) -> FolderContent {
        let there = try local.content(of: folder)
        if case .foreign = there { return there }
        return lock.withLock { _ in
            let pairs = [false, true].map {
                memory.issued[issuedKey(LineageID(folder: folder, isRSA: $0))]?.facts
            }
            return pairs.allSatisfy { $0 == nil }
                ? .empty : .ours(ecdsa: pairs[0] ?? nil, rsa: pairs[1] ?? nil)
        }
    }

    package func install(
        _ id: LineageID, chain: [UInt8], key: [UInt8], keepsOther: Bool
    ) throws(Problem) {
        var pair = IssuedPair(chain: chain, key: key, keepsOther: keepsOther)
        defer { pair.wipe() }
        try lock.withLock { _ throws(Problem) in
            let there = issuedKey(id)
            if case .foreign(let why) = try local.content(of: id.folder) {
                throw Problem(
                    place: id.folder, cause: why,
                    remedy: "remove it if aasa should order the certificate")
            }
            guard let revision = try write(there, pair.encoded, from: nil) else {
                throw Problem(
                    place: there, cause: "another machine is ordering now",
                    remedy: "nothing to do: this machine loads the certificate")
            }
            if !keepsOther {
                let other = issuedKey(id.other)
                _ = try write(other, nil, from: nil)
                memory.issued[other] = nil
            }
            // It is issued, and in the store: the next look copies it here.
            do throws(Problem) { try place(id, pair, at: revision) } catch {
                memory.unusable[there] = error
            }
        }
    }

    /// Copies certificates issued, or lost here, since the last call to this machine's folder.
    package func bring() throws(Problem) -> Bool {
        try lock.withLock { _ throws(Problem) in
            let prefix = "\(root)issued/"
            var isNew = false
            var faults: [String: Problem] = [:]
            var seen: Set<String> = []
            for entry in try entries(below: prefix, keysOnly: true) {
                seen.insert(entry.key)
                guard let id = LineageID(issuedKey: entry.key, below: prefix),
                    memory.issued[entry.key]?.isOutdated(
                        revision: entry.changed, traces: local.traces(of: id),
                        other: memory.issued[issuedKey(id.other)]) ?? true,
                    let whole = try self.entry(entry.key)
                else { continue }
                do throws(Problem) {
                    if try bring(id, whole) { isNew = true }
                } catch {
                    faults[entry.key] = error
                }
            }
            for key in memory.issued.keys where !seen.contains(key) { memory.issued[key] = nil }
            let problem = memory.note(faults, below: prefix)
            // One pair that cannot be opened keeps no other from being served here, and no machine
            // from ordering; who can open none at all lacks the key.
            if memory.issued.isEmpty, let problem { throw problem }
            return isNew
        }
    }

    private func bring(_ id: LineageID, _ entry: EtcdEntry) throws(Problem) -> Bool {
        var pair = try IssuedPair(decoding: open(entry), place: entry.key)
        defer { pair.wipe() }
        return try place(id, pair, at: entry.changed)
    }

    /// - Returns: whether it was new.
    @discardableResult
    private func place(
        _ id: LineageID, _ pair: IssuedPair, at revision: Int64
    ) throws(Problem) -> Bool {
        // The fleet has it, whatever this disk does with its copy: it is not ordered again.
        memory.issued[issuedKey(id)] = IssuedCopy(
            revision: revision, facts: pair.facts, keepsOther: pair.keepsOther, traces: [])
        var isNew = false
        if case .foreign = try local.content(of: id.folder) {
            // Managed by others on this machine.
        } else if !local.holds(id, chain: pair.chain, key: pair.key) {
            try local.installCopy(
                id, chain: pair.chain, key: pair.key, keepsOther: pair.keepsOther)
            isNew = true
        }
        memory.issued[issuedKey(id)]?.traces = local.traces(of: id)
        return isNew
    }
}
