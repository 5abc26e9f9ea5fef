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
        package var head: FleetHead?
        package var headChanged: Int64 = 0
        package var pointer: ChannelPointer?
        package var pointerChanged: Int64 = 0
        /// Why the pointer cannot be read. Publishing and rolling back replace it.
        package var damage: FleetError?
    }

    package func state(channel: String) throws(FleetError) -> State {
        let outcome = try read(
            [keys.head, keys.channel(channel)], "reading channel \(channel)")
        var state = State()
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

    /// Keys at one revision of the store.
    private func read(_ keys: [String], _ action: String) throws(FleetError) -> EtcdOutcome {
        let outcome = try transaction(if: [], then: keys.map { .range($0) }, action)
        guard outcome.reads.count == keys.count else {
            throw FleetError(.malformed("a transaction without answers"), doing: action)
        }
        return outcome
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
        try entries(below: keys.revisions, keysOnly: true).map { keys.revision(of: $0.key) }.max()
            ?? 0
    }

    package typealias StoredRevision = (id: RevisionID, record: Result<RevisionRecord, FleetError>)

    /// All revisions by number, as stored now.
    package func revisions() throws(FleetError) -> [StoredRevision] {
        try entries(below: keys.revisions).map(stored)
    }

    private func stored(_ entry: EtcdEntry) -> StoredRevision {
        let id = RevisionID(
            number: keys.revision(of: entry.key), hash: hexadecimal(sha256(entry.value)))
        return (
            id,
            Result { () throws(FleetError) in
                try RevisionRecord(
                    decoding: entry.value, expecting: id, place: "revision \(id.number)")
            }
        )
    }

    /// All channels by name, with their pointers.
    package func channels() throws(FleetError) -> [(
        name: String, pointer: Result<ChannelPointer, FleetError>
    )] {
        try entries(below: keys.channels).map { entry in
            (
                String(entry.key.dropFirst(keys.channels.count)),
                Result { () throws(FleetError) in
                    try ChannelPointer(decoding: entry.value, place: entry.key)
                }
            )
        }
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
    ) throws(FleetError) -> (record: RevisionRecord, id: RevisionID) {
        let place = "revision \(number)"
        guard let entry = try entry(keys.revision(number), "reading \(place)") else {
            throw FleetError(
                place: place, cause: "this revision does not exist",
                remedy: "run aasa fleet history for a list")
        }
        let stored = stored(entry)
        return (try stored.record.get(), stored.id)
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
            guard let part = try entry(keys.blob(hash), "reading \(place)") else {
                throw .damaged(place, "a part of its list is missing")
            }
            parts.append(part.value)
        }
        return try FileList(parts: parts, of: record, place: place)
    }

    // MARK: Blobs

    /// Reads files in batches, so that a large site is never completely in memory.
    ///
    /// - Parameter body: gets each file with its bytes, or with what is wrong with them.
    package func read(
        _ files: [RevisionFile], _ place: String,
        _ body: (RevisionFile, Result<[UInt8], FleetError>) throws(FleetError) -> Void
    ) throws(FleetError) {
        for batch in Self.batches(files, bytesMaximum: Self.batchBytesMaximum, size: \.size) {
            let outcome = try read(batch.map { keys.blob($0.hash) }, "reading \(place)")
            for (file, entries) in zip(batch, outcome.reads) {
                let cause = Self.fault(of: entries.first?.value, file)
                try body(
                    file,
                    cause.map { .failure(.damaged(file.path, $0)) }
                        ?? .success(entries[0].value))
            }
        }
    }

    private static func fault(of bytes: [UInt8]?, _ file: RevisionFile) -> String? {
        let blob = "blob \(file.hash.prefix(16))"
        guard let bytes else { return "\(blob) is missing" }
        let hash = hexadecimal(sha256(bytes))
        if hash != file.hash {
            return "\(blob) was changed: \(bytes.count) bytes with the hash \(hash.prefix(16))"
        }
        return bytes.count == file.size ? nil : "\(bytes.count) bytes instead of \(file.size)"
    }

    /// Writes blobs under their hashes. Idempotent.
    package func upload(_ blobs: [(hash: String, bytes: [UInt8])]) throws(FleetError) {
        for batch in Self.batches(blobs, bytesMaximum: Self.uploadBytesMaximum, size: \.bytes.count)
        {
            _ = try transaction(
                if: [], then: batch.map { .put(keys.blob($0.hash), $0.bytes) }, "storing files")
        }
    }

    /// Groups, in order; one that exceeds the limit is a group of its own.
    static func batches<Item>(
        _ items: [Item], bytesMaximum: Int, size: (Item) -> Int
    ) -> [[Item]] {
        var batches: [[Item]] = []
        var bytes = 0
        for item in items {
            bytes += size(item)
            if let last = batches.last, last.count < batchMaximum, bytes <= bytesMaximum {
                batches[batches.count - 1].append(item)
            } else {
                batches.append([item])
                bytes = size(item)
            }
        }
        return batches
    }
}
