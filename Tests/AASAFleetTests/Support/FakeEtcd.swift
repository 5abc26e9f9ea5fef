import AASAFleet
import AppSiteAssociation
import OpenSSL

/// etcd in memory, behind the same requests: keys with revisions, transactions, leases. Tests may
/// look at every request before it is done, and spoil what is stored.
final class FakeEtcd {
    struct Stored {
        var value: [UInt8]
        var changed: Int64
        var version: Int64
        var lease: Int64?
    }

    private(set) var revision: Int64 = 1
    var cluster = "1"
    var keys: [String: Stored] = [:]
    private var leases: Set<Int64> = []
    private(set) var requests = 0
    /// Called before a request is done; may change the store, or throw.
    var before: ((EtcdRequest) throws(EtcdFailure) -> Void)?
    /// Called when it is done: throwing loses the answer on its way.
    var after: ((EtcdRequest) throws(EtcdFailure) -> Void)?

    func store(_ fleet: String = "web") -> FleetStore {
        FleetStore(keys: FleetKeys(fleet: fleet)) { request throws(EtcdFailure) in
            try self.ask(request)
        }
    }

    func ask(_ request: EtcdRequest) throws(EtcdFailure) -> [UInt8] {
        requests += 1
        try before?(request)
        let reply = try answer(request.path, request.body)
        try after?(request)
        return reply
    }

    /// What the gateway would answer.
    func answer(_ path: String, _ body: [UInt8]) throws(EtcdFailure) -> [UInt8] {
        guard let body = try? JSONReader.read(SourceText(name: "request", bytes: body)).root
        else { throw .malformed("request") }
        let reply: JSONValue
        switch path {
        case "/v3/kv/range": reply = range(body)
        case "/v3/kv/txn": reply = transaction(body)
        case "/v3/kv/put":
            revision += 1
            put(body)
            reply = with([])
        case "/v3/lease/grant":
            let id = Int64(leases.count + 1)
            leases.insert(id)
            reply = with([("ID", .text("\(id)")), ("TTL", body["TTL"] ?? .text("0"))])
        case "/v3/lease/keepalive":
            let id = Int64(body["ID"]?.string ?? "") ?? 0
            var members: [(String, JSONValue)] = [("ID", .text("\(id)"))]
            if leases.contains(id) { members.append(("TTL", .text("30"))) }
            reply = .object([("result", with(members))])
        case "/v3/lease/revoke":
            leases.remove(Int64(body["ID"]?.string ?? "") ?? 0)
            reply = with([])
        default: throw .refused(path)
        }
        return JSONWriter.minified(reply)
    }

    // MARK: What a test does behind everybody's back

    func set(_ key: String, _ value: [UInt8]) {
        revision += 1
        let old = keys[key]
        keys[key] = Stored(value: value, changed: revision, version: (old?.version ?? 0) + 1)
    }

    func remove(_ key: String) {
        revision += 1
        keys[key] = nil
    }

    func loseLeases() { leases = [] }

    /// As after a restore: an earlier store, with a revision of its own.
    func restore(_ old: [String: Stored], revision: Int64) {
        keys = old
        self.revision = revision
        cluster = "2"
    }

    // MARK: Requests

    private func with(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(
            [
                (
                    "header",
                    .object([
                        ("cluster_id", .text(cluster)), ("revision", .text("\(revision)")),
                    ])
                )
            ] + members)
    }

    private func text(_ value: JSONValue?) -> String {
        String(decoding: value?.string.flatMap(Base64.decode) ?? [], as: UTF8.self)
    }

    private func put(_ body: JSONValue) {
        let key = text(body["key"])
        keys[key] = Stored(
            value: body["value"]?.string.flatMap(Base64.decode) ?? [], changed: revision,
            version: (keys[key]?.version ?? 0) + 1, lease: body["lease"]?.string.flatMap(Int64.init)
        )
    }

    private func range(_ body: JSONValue) -> JSONValue {
        let start = text(body["key"])
        var found = keys.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        if body["range_end"] == nil {
            found = found.filter { $0 == start }
        } else {
            let end = text(body["range_end"])
            found = found.filter { key in
                !key.utf8.lexicographicallyPrecedes(start.utf8)
                    && key.utf8.lexicographicallyPrecedes(end.utf8)
            }
        }
        let limit = body["limit"]?.string.flatMap(Int.init) ?? .max
        let isKeysOnly = body["keys_only"]?.bool ?? false
        let entries = found.prefix(limit).map { key -> JSONValue in
            var members: [(String, JSONValue)] = [
                ("key", .text(Base64.encode(Array(key.utf8)))),
                ("mod_revision", .text("\(keys[key]?.changed ?? 0)")),
            ]
            if !isKeysOnly {
                members.append(("value", .text(Base64.encode(keys[key]?.value ?? []))))
            }
            return .object(members)
        }
        var members: [(String, JSONValue)] = [("count", .text("\(found.count)"))]
        if !entries.isEmpty { members.append(("kvs", .list(entries))) }
        if found.count > limit { members.append(("more", .flag(true))) }
        return with(members)
    }

    private func transaction(_ body: JSONValue) -> JSONValue {
        let holds = (body["compare"]?.array ?? []).allSatisfy { compare in
            let stored = keys[text(compare["key"])]
            if compare["target"]?.string == "MOD" {
                return "\(stored?.changed ?? 0)" == compare["mod_revision"]?.string
            }
            return (stored?.version ?? 0) > (compare["version"]?.string.flatMap(Int64.init) ?? 0)
        }
        let operations = body[holds ? "success" : "failure"]?.array ?? []
        let writes = operations.contains { $0["request_range"] == nil }
        if writes { revision += 1 }
        let responses = operations.map { operation -> JSONValue in
            if let put = operation["request_put"] {
                self.put(put)
                return .object([("response_put", .object([]))])
            }
            if let delete = operation["request_delete_range"] {
                keys[text(delete["key"])] = nil
                return .object([("response_delete_range", .object([]))])
            }
            return .object([("response_range", range(operation["request_range"] ?? .object([])))])
        }
        var members: [(String, JSONValue)] = [("responses", .list(responses))]
        if holds { members.insert(("succeeded", .flag(true)), at: 0) }
        return with(members)
    }
}

extension Publisher {
    /// A publisher with a fixed name and time.
    init(_ etcd: FakeEtcd, _ channel: String = "stable", keyRing: KeyRing? = nil) {
        self.init(
            store: etcd.store(), channel: channel, author: "ann@laptop", note: "note",
            now: 1_800_000_000, keyRing: keyRing)
    }
}

func file(_ path: String, _ text: String) -> Publisher.File {
    Publisher.File(path: path, bytes: Array(text.utf8))
}
