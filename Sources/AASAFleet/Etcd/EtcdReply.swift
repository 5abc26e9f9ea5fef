import AppSiteAssociation
import OpenSSL

/// A key of the store with its value.
package struct EtcdEntry: Sendable, Equatable {
    package let key: String
    package let value: [UInt8]
    /// The revision of the store that changed it last.
    package let changed: Int64

    package init(key: String, value: [UInt8], changed: Int64) {
        self.key = key
        self.value = value
        self.changed = changed
    }
}

/// Entries that were read at one revision of the store.
package struct EtcdRange: Sendable, Equatable {
    package var store = EtcdStore()
    package var entries: [EtcdEntry] = []
    /// The range has more than the limit let through.
    package var hasMore = false

    package init() {}
}

/// Which cluster answered, and how far it had come.
package struct EtcdStore: Sendable, Equatable {
    package var cluster = ""
    package var revision: Int64 = 0

    package init() {}

    package init(cluster: String, revision: Int64) {
        self.cluster = cluster
        self.revision = revision
    }
}

/// What became of a transaction.
package struct EtcdOutcome: Sendable, Equatable {
    package var store = EtcdStore()
    package var succeeded = false
    /// What its reads found, in their order.
    package var reads: [[EtcdEntry]] = []

    package init() {}
}

/// Reads the gateway's JSON. Everything that is not as expected is a ``EtcdFailure/malformed(_:)``:
/// whatever a broken or hostile server sends, nothing is guessed.
package enum EtcdReplyReader {
    /// The largest reply that is read: 64 blobs of a mebibyte each would be 90 MB in Base64, but a
    /// batch is cut at 4 MiB (``RevisionFetcher``), and a page of 500 records has 0.5 MB.
    package static let bytesMaximum = 16 << 20

    private static let limits = JSONLimits(bytesMaximum: bytesMaximum, depthMaximum: 16)

    static func object(_ body: [UInt8]) throws(EtcdFailure) -> JSONValue {
        do {
            let root = try JSONReader.read(
                SourceText(name: "etcd's reply", bytes: body), limits: limits
            ).root
            guard root.members != nil else { throw EtcdFailure.malformed("no JSON object") }
            return root
        } catch let failure as EtcdFailure {
            throw failure
        } catch {
            throw .malformed("no JSON: \(error)")
        }
    }

    package static func range(_ body: [UInt8]) throws(EtcdFailure) -> EtcdRange {
        try range(object(body))
    }

    private static func range(_ value: JSONValue) throws(EtcdFailure) -> EtcdRange {
        var range = EtcdRange()
        range.store = try store(value)
        range.entries = try entries(value)
        range.hasMore = value["more"]?.bool ?? false
        return range
    }

    package static func outcome(_ body: [UInt8]) throws(EtcdFailure) -> EtcdOutcome {
        let value = try object(body)
        var outcome = EtcdOutcome()
        outcome.store = try store(value)
        outcome.succeeded = value["succeeded"]?.bool ?? false
        for response in value["responses"]?.array ?? [] {
            guard let read = response["response_range"] else { continue }
            outcome.reads.append(try entries(read))
        }
        return outcome
    }

    /// A lease's number and the seconds it has left; 0: it is gone.
    package static func lease(_ body: [UInt8]) throws(EtcdFailure) -> (id: Int64, seconds: Int64) {
        let value = try object(body)
        if let error = value["error"] { throw EtcdFailure(gateway: error) }
        // A renewal is a stream of one message.
        let lease = value["result"] ?? value
        guard let id = try number(lease["ID"]) else {
            throw .malformed("a lease without a number")
        }
        return (id, try number(lease["TTL"]) ?? 0)
    }

    package static func token(_ body: [UInt8]) throws(EtcdFailure) -> String {
        guard let token = try object(body)["token"]?.string, !token.isEmpty,
            token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .malformed("no token") }
        return token
    }

    static func store(_ value: JSONValue) throws(EtcdFailure) -> EtcdStore {
        guard let header = value["header"] else { throw .malformed("a reply without a header") }
        return EtcdStore(
            cluster: header["cluster_id"]?.string ?? "",
            revision: try number(header["revision"]) ?? 0)
    }

    static func entries(_ value: JSONValue) throws(EtcdFailure) -> [EtcdEntry] {
        var entries: [EtcdEntry] = []
        for item in value["kvs"]?.array ?? [] { entries.append(try entry(item)) }
        return entries
    }

    private static func entry(_ value: JSONValue) throws(EtcdFailure) -> EtcdEntry {
        guard let key = value["key"]?.string.flatMap(Base64.decode),
            let content = Base64.decode(value["value"]?.string ?? ""),
            let changed = try number(value["mod_revision"])
        else { throw .malformed("an entry without key, value or revision") }
        return EtcdEntry(
            key: String(decoding: key, as: UTF8.self), value: content, changed: changed)
    }

    /// Nil: it is not there, which stands for 0.
    static func number(_ value: JSONValue?) throws(EtcdFailure) -> Int64? {
        guard let value else { return nil }
        let digits: String? =
            if case .number(let digits) = value.kind { digits } else { value.string }
        guard let digits, let number = Int64(digits) else {
            throw .malformed("no 64-bit number: \(value.kindName)")
        }
        return number
    }
}
