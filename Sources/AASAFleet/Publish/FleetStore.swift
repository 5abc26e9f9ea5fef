import OpenSSL

/// Typed access to a fleet's data in etcd. Every blob is verified by its hash.
///
/// Blocking, one thread; the caller provides the access to etcd.
package struct FleetStore {
    package typealias Ask = (EtcdRequest) throws(EtcdFailure) -> [UInt8]

    package let keys: FleetKeys
    private let ask: Ask

    /// Maximum of bytes in a batch of blobs: 64 requests of 1 MiB each would be too much memory for
    /// a small machine.
    private static let batchBytesMaximum = 4 << 20
    /// Of the 128 operations allowed in a transaction.
    private static let batchMaximum = 64
    /// etcd's limit is 1.5 MiB per request, for all operations together.
    private static let uploadBytesMaximum = 1 << 20
    private static let pageEntries = 200

    package init(keys: FleetKeys, ask: @escaping Ask) {
        self.keys = keys
        self.ask = ask
    }

    /// Asks etcd, and reads its reply.
    func reply<Value>(
        to request: EtcdRequest, _ action: String,
        _ read: ([UInt8]) throws(EtcdFailure) -> Value
    ) throws(FleetError) -> Value {
        do throws(EtcdFailure) {
            return try read(ask(request))
        } catch {
            throw FleetError(error, doing: action)
        }
    }

    /// The state of a fleet and a channel at one revision of the store.
    package struct State: Sendable, Equatable {
        package var store = EtcdStore()
        package var head: FleetHead?
        package var headChanged: Int64 = 0
        package var pointer: ChannelPointer?
        package var pointerChanged: Int64 = 0
        /// Why the pointer cannot be read. Publishing and rolling back replace it.
        package var damage: FleetError?
    }

    package func state(channel: String) throws(FleetError) -> State {
        let action = "reading channel \(channel)"
        let reads: [EtcdOperation] = [.range(keys.head), .range(keys.channel(channel))]
        let outcome = try transaction(if: [], then: reads, action)
        guard outcome.reads.count == 2 else {
            throw FleetError(EtcdFailure.malformed("a transaction without answers"), doing: action)
        }
        var state = State()
        state.store = outcome.store
        if let entry = outcome.reads[0].first {
            state.headChanged = entry.changed
            state.head = try? FleetHead(decoding: entry.value, place: entry.key)
        }
        // What a damaged or missing one said, the revisions say as well.
        if state.head == nil { state.head = FleetHead(last: try lastRevision(), nonce: "") }
        if let entry = outcome.reads[1].first {
            state.pointerChanged = entry.changed
            do throws(FleetError) {
                state.pointer = try ChannelPointer(decoding: entry.value, place: entry.key)
            } catch {
                state.damage = error
            }
        }
        return state
    }

    package func transaction(
        if comparisons: [EtcdComparison], then operations: [EtcdOperation],
        otherwise: [EtcdOperation] = [], _ action: String
    ) throws(FleetError) -> EtcdOutcome {
        try reply(
            to: .transaction(if: comparisons, then: operations, otherwise: otherwise), action,
            EtcdReplyReader.outcome)
    }

    /// Everything below a prefix, sorted by key.
    package func entries(
        below prefix: String, keysOnly: Bool = false
    ) throws(FleetError) -> [EtcdEntry] {
        var found: [EtcdEntry] = []
        var start = prefix
        let action = "reading \(prefix)"
        while true {
            let page = try reply(
                to: .range(
                    start, end: EtcdRequest.end(ofPrefix: prefix), limit: Self.pageEntries,
                    keysOnly: keysOnly), action, EtcdReplyReader.range)
            found += page.entries
            guard page.hasMore, let last = page.entries.last else { return found }
            // The next possible key.
            start = last.key + "\0"
        }
    }

    // MARK: Revisions

    private func lastRevision() throws(FleetError) -> Int64 {
        try entries(below: keys.revisions, keysOnly: true).map { StoreCheck.number($0.key) }.max()
            ?? 0
    }

    /// The record of a revision.
    package func record(_ id: RevisionID) throws(FleetError) -> RevisionRecord {
        let place = "revision \(id.number)"
        guard let entry = try entry(keys.revision(id.number), "reading \(place)") else {
            throw .damaged(place, "it is not in the store")
        }
        return try RevisionRecord(decoding: entry.value, expecting: id, place: place)
    }

    /// The revision with a number, as stored now.
    package func record(
        number: Int64
    ) throws(FleetError) -> (record: RevisionRecord, id: RevisionID, changed: Int64) {
        let place = "revision \(number)"
        guard let entry = try entry(keys.revision(number), "reading \(place)") else {
            throw FleetError(
                place: place, cause: "this revision does not exist",
                remedy: "run aasa fleet history for a list")
        }
        let id = RevisionID(number: number, hash: hexadecimal(sha256(entry.value)))
        let record = try RevisionRecord(decoding: entry.value, expecting: id, place: place)
        return (record, id, entry.changed)
    }

    package func entry(_ key: String, _ action: String) throws(FleetError) -> EtcdEntry? {
        try reply(to: .range(key), action, EtcdReplyReader.range).entries.first
    }

    package func list(of record: RevisionRecord) throws(FleetError) -> FileList {
        let place = "revision \(record.number)"
        guard record.parts.count <= FileList.partsMaximum else {
            throw .damaged(place, "its list of files has \(record.parts.count) parts")
        }
        var parts: [[UInt8]] = []
        for hash in record.parts {
            let (found, problems) = try blobs([(hash, Self.uploadBytesMaximum)], place)
            guard let part = found[hash] else {
                throw .damaged(place, problems[hash] ?? "a part of its list is missing")
            }
            parts.append(part)
        }
        return try FileList(parts: parts, of: record, place: place)
    }

    // MARK: Blobs

    /// Reads blobs; missing or damaged ones are reported as problems.
    ///
    /// - Parameter wanted: hashes with the expected sizes.
    package func blobs(
        _ wanted: [(hash: String, size: Int)], _ place: String
    ) throws(FleetError) -> (found: [String: [UInt8]], problems: [String: String]) {
        var found: [String: [UInt8]] = [:]
        var problems: [String: String] = [:]
        for batch in Self.batches(wanted, bytesMaximum: Self.batchBytesMaximum) {
            let outcome = try transaction(
                if: [], then: batch.map { .range(keys.blob($0.hash)) }, "reading \(place)")
            guard outcome.reads.count == batch.count else {
                throw FleetError(
                    EtcdFailure.malformed("a transaction without answers"), doing: place)
            }
            for (blob, entries) in zip(batch, outcome.reads) {
                guard let bytes = entries.first?.value else {
                    problems[blob.hash] = "blob \(blob.hash.prefix(16)) is missing"
                    continue
                }
                let hash = hexadecimal(sha256(bytes))
                guard hash == blob.hash else {
                    problems[blob.hash] =
                        "blob \(blob.hash.prefix(16)) was changed: \(bytes.count) bytes with the hash \(hash.prefix(16))"
                    continue
                }
                found[blob.hash] = bytes
            }
        }
        return (found, problems)
    }

    /// Writes blobs under their hashes. Idempotent.
    package func upload(_ blobs: [(hash: String, bytes: [UInt8])]) throws(FleetError) {
        let sizes = blobs.map { (hash: $0.hash, size: $0.bytes.count) }
        var rest = blobs[...]
        for batch in Self.batches(sizes, bytesMaximum: Self.uploadBytesMaximum) {
            _ = try transaction(
                if: [],
                then: rest.prefix(batch.count).map { .put(keys.blob($0.hash), $0.bytes) },
                "storing files")
            rest = rest.dropFirst(batch.count)
        }
    }

    /// Groups, in order; one that exceeds the limit is a group of its own.
    static func batches(
        _ items: [(hash: String, size: Int)], bytesMaximum: Int
    ) -> [[(hash: String, size: Int)]] {
        var batches: [[(hash: String, size: Int)]] = []
        var bytes = 0
        for item in items {
            if let last = batches.last, last.count < batchMaximum, bytes + item.size <= bytesMaximum
            {
                batches[batches.count - 1].append(item)
                bytes += item.size
            } else {
                batches.append([item])
                bytes = item.size
            }
        }
        return batches
    }
}
