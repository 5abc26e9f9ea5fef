import AppSiteAssociation
import OpenSSL

/// A key with its value.
package struct EtcdEntry: Sendable, Equatable {
    package let key: String
    package let value: [UInt8]
    /// The store's revision of its last change.
    package let changed: Int64
}

/// Entries at one revision of the store.
package struct EtcdRange: Sendable, Equatable {
    package let store: EtcdStore
    package let entries: [EtcdEntry]
    /// Whether the range has more entries than the limit.
    package let hasMore: Bool
}

/// The cluster that responded, and its revision.
package struct EtcdStore: Sendable, Equatable {
    package var cluster: String
    package var revision: Int64
}

/// The result of a transaction.
package struct EtcdOutcome: Sendable, Equatable {
    package let store: EtcdStore
    package let succeeded: Bool
    /// The results of its reads, in order.
    package let reads: [[EtcdEntry]]
}

/// Parses the gateway's JSON. Everything unexpected is a ``EtcdFailure/malformed(_:)``: a broken or
/// hostile server cannot cause wrong guesses.
package enum EtcdReplyReader {
    /// The largest reply accepted: 64 blobs of 1 MiB each would be 90 MB in Base64, but a batch is
    /// limited to 4 MiB (``RevisionFetcher``), and a page of 200 records has some 0.2 MB.
    package static let bytesMaximum = 16 << 20

    private static let limits = JSONLimits(bytesMaximum: bytesMaximum, depthMaximum: 16)

    static func object(_ body: [UInt8]) throws(EtcdFailure) -> JSONValue {
        let root: JSONValue
        do {
            root = try JSONReader.read(
                SourceText(name: "etcd's reply", bytes: body), limits: limits
            ).root
        } catch {
            throw .malformed("it is not JSON: \(error)")
        }
        guard root.members != nil else { throw .malformed("it is not a JSON object") }
        return root
    }

    package static func range(_ body: [UInt8]) throws(EtcdFailure) -> EtcdRange {
        let value = try object(body)
        return EtcdRange(
            store: try store(value), entries: try entries(value),
            hasMore: value["more"]?.bool ?? false)
    }

    package static func outcome(_ body: [UInt8]) throws(EtcdFailure) -> EtcdOutcome {
        let value = try object(body)
        var reads: [[EtcdEntry]] = []
        for response in value["responses"]?.array ?? [] {
            guard let read = response["response_range"] else { continue }
            reads.append(try entries(read))
        }
        return EtcdOutcome(
            store: try store(value), succeeded: value["succeeded"]?.bool ?? false, reads: reads)
    }

    /// A lease's number and its remaining seconds; 0 if it has expired.
    package static func lease(_ body: [UInt8]) throws(EtcdFailure) -> (id: Int64, seconds: Int64) {
        let value = try object(body)
        if let error = value["error"] { throw EtcdFailure(gateway: error) }
        // The reply to a renewal is a stream of one message.
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
        let revision = try number(header["revision"]) ?? 0
        // A watch begins at the next one.
        guard (0..<Int64.max).contains(revision) else {
            throw .malformed("no revision: \(revision)")
        }
        return EtcdStore(cluster: header["cluster_id"]?.string ?? "", revision: revision)
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

    /// Nil if the field is missing, which means 0.
    static func number(_ value: JSONValue?) throws(EtcdFailure) -> Int64? {
        guard let value else { return nil }
        let digits: String? =
            if case .number(let digits) = value.kind { digits } else { value.string }
        guard let digits, let number = Int64(digits) else {
            throw .malformed("expected a 64-bit number, found \(value.kindName)")
        }
        return number
    }
}
