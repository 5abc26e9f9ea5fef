import AppSiteAssociation
import Reactor

/// The engine's state in a store, with the revisions for compare-and-swap.
struct StoredState {
    let store: any CertificateStore
    private var revisions: [StoreKey: StoreRevision] = [:]
    /// Path → an unreadable stored value.
    private var unreadable: [String: StoredValue] = [:]

    init(store: any CertificateStore) { self.store = store }

    /// Reads everything. Unreadable values are reported and left in place. They are copied before
    /// they are overwritten: one may be the only copy of a key.
    ///
    /// - Parameter directories: the authorities whose accounts to read.
    mutating func read(
        directories: [String], tell: (String) -> Void
    ) throws(Problem) -> (records: [CertificateRecord], accounts: [AccountState]) {
        revisions = [:]
        unreadable = [:]
        var records: [CertificateRecord] = []
        for value in try store.records() {
            let path = "\(StoreKey.records)/\(Self.base(value.name))"
            guard let record = decoded(value, path, tell, CertificateRecord.init(_:name:)) else {
                continue
            }
            records.append(record)
            revisions[.record(record.id)] = value.revision
        }
        var accounts: [AccountState] = []
        for directory in directories {
            let key = StoreKey.account(directory)
            guard let value = try store.read(key) else { continue }
            revisions[key] = value.revision
            if let account = decoded(value, key.path, tell, AccountState.init(_:name:)) {
                accounts.append(account)
            }
        }
        revisions[.challenges] = try store.read(.challenges)?.revision
        return (records, accounts)
    }

    private static func base(_ name: String) -> Substring {
        name.lastIndex(of: "/").map { name[name.index(after: $0)...] } ?? name[...]
    }

    /// Nil for an unreadable value, which is reported and noted.
    private mutating func decoded<Value>(
        _ value: StoredValue, _ path: String, _ tell: (String) -> Void,
        _ decode: (JSONValue, _ name: String) throws -> Value
    ) -> Value? {
        do {
            let json = try JSONReader.read(SourceText(name: value.name, bytes: value.bytes)).root
            return try decode(json, value.name)
        } catch {
            unreadable[path] = value
            let fault = (error as? JSONError).map { "read: \($0.message)" } ?? "used: \(error)"
            tell("\(value.name) cannot be \(fault)")
            return nil
        }
    }

    /// - Throws: also if another writer was faster.
    mutating func write(_ key: StoreKey, _ bytes: [UInt8]) throws(Problem) {
        var revision = revisions[key]
        if let kept = unreadable[key.path] {
            let copy = StoreKey.unreadable(key.path)
            _ = try store.swap(copy, to: kept.bytes, from: store.read(copy)?.revision)
            revision = kept.revision
            unreadable[key.path] = nil
        }
        guard let new = try store.swap(key, to: bytes, from: revision) else {
            revisions[key] = try store.read(key)?.revision
            throw Problem(
                place: "\(key)", cause: "another process wrote it",
                remedy: "nothing to do: aasa reads it again")
        }
        revisions[key] = new
    }

    // MARK: Challenges

    mutating func write(_ challenges: [ChallengeAnswer]) throws(Problem) {
        try write(.challenges, JSONWriter.minified(.list(challenges.map(\.json))))
    }

    /// The challenges to answer now, from any machine's orders.
    static func challenges(in store: any CertificateStore) throws(Problem) -> [ChallengeAnswer] {
        guard let value = try store.read(.challenges),
            let json = StoreFiles.json(value.bytes, name: value.name)
        else { return [] }
        return (json.array ?? []).compactMap(ChallengeAnswer.init)
    }
}
