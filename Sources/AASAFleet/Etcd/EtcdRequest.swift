import AppSiteAssociation
import OpenSSL

/// One request to etcd's JSON gateway, ready to send: a value, no I/O.
///
/// Keys and values are Base64, 64-bit numbers are strings (etcd's gRPC gateway).
package struct EtcdRequest: Sendable, Equatable {
    /// `/v3/kv/range`
    package let path: String
    package let body: [UInt8]

    private init(_ path: String, _ members: [(String, JSONValue)]) {
        self.path = path
        body = JSONWriter.minified(.object(members))
    }

    /// The end of the range of all keys with a prefix.
    package static func end(ofPrefix prefix: String) -> String {
        // Prefixes of a fleet end with `/`; the next ASCII character is `0`.
        String(prefix.dropLast()) + "0"
    }

    /// Reads a key, or a range up to `end`. Linearizable: the cluster's majority confirms it.
    package static func range(
        _ key: String, end: String? = nil, limit: Int = 0, keysOnly: Bool = false
    ) -> EtcdRequest {
        var members = EtcdOperation.rangeMembers(key, end: end)
        if limit > 0 { members.append(("limit", .text("\(limit)"))) }
        if keysOnly { members.append(("keys_only", .flag(true))) }
        return EtcdRequest("/v3/kv/range", members)
    }

    /// Atomic: `then` if every comparison holds, else `otherwise`. At most 128 of each (etcd's
    /// `--max-txn-ops`).
    package static func transaction(
        if comparisons: [EtcdComparison], then operations: [EtcdOperation],
        otherwise: [EtcdOperation] = []
    ) -> EtcdRequest {
        EtcdRequest(
            "/v3/kv/txn",
            [
                ("compare", .list(comparisons.map(\.json))),
                ("success", .list(operations.map(\.json))),
                ("failure", .list(otherwise.map(\.json))),
            ])
    }

    package static func put(_ key: String, _ value: [UInt8], lease: Int64? = nil) -> EtcdRequest {
        EtcdRequest("/v3/kv/put", EtcdOperation.putMembers(key, value, lease))
    }

    /// A lease that expires after this many seconds, with all its keys.
    package static func grantLease(seconds: Int) -> EtcdRequest {
        EtcdRequest("/v3/lease/grant", [("TTL", .text("\(seconds)"))])
    }

    package static func keepLease(_ lease: Int64) -> EtcdRequest {
        EtcdRequest("/v3/lease/keepalive", [("ID", .text("\(lease)"))])
    }

    package static func revokeLease(_ lease: Int64) -> EtcdRequest {
        EtcdRequest("/v3/lease/revoke", [("ID", .text("\(lease)"))])
    }

    package static func authenticate(user: String, password: String) -> EtcdRequest {
        EtcdRequest(
            "/v3/auth/authenticate", [("name", .text(user)), ("password", .text(password))])
    }

    /// Watches a key while the stream is open.
    ///
    /// - Parameter revision: the first revision.
    package static func watch(_ key: String, from revision: Int64) -> EtcdRequest {
        let members =
            EtcdOperation.rangeMembers(key, end: nil) + [
                ("start_revision", .text("\(revision)")), ("progress_notify", .flag(true)),
            ]
        return EtcdRequest("/v3/watch", [("create_request", .object(members))])
    }
}

/// A condition of a transaction.
package enum EtcdComparison: Sendable, Equatable {
    /// The revision of the key's last change; 0 if it must not exist.
    case unchanged(String, since: Int64)
    case exists(String)

    var json: JSONValue {
        switch self {
        case .unchanged(let key, let revision):
            .object([
                ("key", .text(Base64.encode(Array(key.utf8)))), ("target", .text("MOD")),
                ("result", .text("EQUAL")), ("mod_revision", .text("\(revision)")),
            ])
        case .exists(let key):
            .object([
                ("key", .text(Base64.encode(Array(key.utf8)))), ("target", .text("VERSION")),
                ("result", .text("GREATER")), ("version", .text("0")),
            ])
        }
    }
}

/// One step of a transaction.
package enum EtcdOperation: Sendable, Equatable {
    case put(String, [UInt8], lease: Int64? = nil)
    case range(String)
    case delete(String)

    var json: JSONValue {
        switch self {
        case .put(let key, let value, let lease):
            .object([("request_put", .object(Self.putMembers(key, value, lease)))])
        case .range(let key):
            .object([("request_range", .object(Self.rangeMembers(key, end: nil)))])
        case .delete(let key):
            .object([("request_delete_range", .object(Self.rangeMembers(key, end: nil)))])
        }
    }

    static func putMembers(
        _ key: String, _ value: [UInt8], _ lease: Int64?
    ) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("key", .text(Base64.encode(Array(key.utf8)))), ("value", .text(Base64.encode(value))),
        ]
        if let lease { members.append(("lease", .text("\(lease)"))) }
        return members
    }

    static func rangeMembers(_ key: String, end: String?) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [("key", .text(Base64.encode(Array(key.utf8))))]
        if let end { members.append(("range_end", .text(Base64.encode(Array(end.utf8))))) }
        return members
    }
}
