// Covers: EtcdReply.swift, EtcdFailure.swift, EtcdAccess.swift

import AASAClient
import AASAFleet
import Testing

@Suite struct EtcdRequestTests {
    private func text(_ request: EtcdRequest) -> String {
        String(decoding: request.body, as: UTF8.self)
    }

    /// As etcd 3.4.23 took them.
    @Test func requestsAreWhatTheGatewayTakes() {
        #expect(text(.range("/aasa/x")) == #"{"key":"L2Fhc2EveA=="}"#)
        #expect(
            text(.range("/aasa/", end: "/aasa0", limit: 2, keysOnly: true))
                == #"{"key":"L2Fhc2Ev","range_end":"L2Fhc2Ew","limit":"2","keys_only":true}"#)
        #expect(
            text(
                .transaction(
                    if: [.unchanged("a", since: 7), .exists("b")], then: [.put("a", [1])],
                    otherwise: [.delete("b")]))
                == #"{"compare":[{"key":"YQ==","target":"MOD","result":"EQUAL","mod_revision":"7"},"#
                + #"{"key":"Yg==","target":"VERSION","result":"GREATER","version":"0"}],"#
                + #""success":[{"request_put":{"key":"YQ==","value":"AQ=="}}],"#
                + #""failure":[{"request_delete_range":{"key":"Yg=="}}]}"#)
        #expect(text(.put("a", [], lease: 9)) == #"{"key":"YQ==","value":"","lease":"9"}"#)
        #expect(EtcdRequest.end(ofPrefix: "/aasa/web/blobs/") == "/aasa/web/blobs0")
    }

    @Test func repliesAreRead() throws {
        let range = try EtcdReplyReader.range(
            Array(
                #"""
                {"header":{"cluster_id":"14","member_id":"1","revision":"3","raft_term":"2"},
                "kvs":[{"key":"L2Fhc2EveA==","create_revision":"2","mod_revision":"2","version":"1",
                "value":"aGVsbG8="}],"more":true,"count":"2"}
                """#.utf8))
        #expect(range.store == EtcdStore(cluster: "14", revision: 3))
        #expect(
            range.entries == [EtcdEntry(key: "/aasa/x", value: Array("hello".utf8), changed: 2)])
        #expect(range.hasMore)
        // Nothing there, and no members for it either.
        #expect(try EtcdReplyReader.range(Array(#"{"header":{}}"#.utf8)).entries.isEmpty)
        let gone = try EtcdReplyReader.lease(
            Array(#"{"result":{"header":{"revision":"2"},"ID":"12345"}}"#.utf8))
        #expect(gone.id == 12345 && gone.seconds == 0)
    }

    @Test(arguments: [
        "", "[]", "{", "null", #"{"kvs":[]}"#, #"{"header":{"revision":"x"}}"#,
        #"{"header":{},"kvs":[{"key":"***","mod_revision":"1"}]}"#,
        #"{"header":{},"kvs":[{"key":"YQ==","value":"Zg="}]}"#,
        #"{"header":{"revision":"99999999999999999999"}}"#,
    ])
    func whatIsNoReplyIsSaid(_ body: String) {
        #expect(throws: EtcdFailure.self) { try EtcdReplyReader.range(Array(body.utf8)) }
    }

    /// As etcd 3.4.23 sent them.
    @Test(arguments: [
        (403, 7, "etcdserver: permission denied", false),
        (401, 16, "etcdserver: invalid auth token", false),
        (400, 3, "etcdserver: request is too large", false),
        (404, 5, "etcdserver: requested lease not found", false),
        (503, 14, "etcdserver: leader changed", true),
        (504, 4, "context deadline exceeded", true),
    ])
    func failuresTellWhetherToTryAgain(
        _ status: Int, _ code: Int, _ message: String, _ isTransient: Bool
    ) {
        let body = #"{"error":"\#(message)","message":"\#(message)","code":\#(code)}"#
        let failure = EtcdFailure(status: status, body: Array(body.utf8))
        #expect(failure.isTransient == isTransient, "\(failure)")
    }

    @Test func aProxysErrorPageIsNoReason() {
        #expect(EtcdFailure(status: 502, body: Array("<html>".utf8)).isTransient)
        guard case .malformed = EtcdFailure(status: 404, body: []) else {
            Issue.record("a strange page was taken for etcd's")
            return
        }
    }

    @Test func aRequestGoesToTheMembersURL() throws {
        var access = EtcdAccess(members: [
            try ServerURL(parsing: "https://a:2379"), try ServerURL(parsing: "http://b:1/prefix/"),
        ])
        access.security.authorityFile = "ca.pem"
        let first = access.request(.range("x"), member: 0, token: "t.1")
        #expect(first.url == "https://a:2379/v3/kv/range")
        #expect(first.fields.contains { $0.name == "Authorization" && $0.value == "t.1" })
        #expect(first.security.authorityFile == "ca.pem" && first.security.isTLS)
        let second = access.request(.range("x"), member: 3, token: nil)
        #expect(second.url == "http://b:1/prefix/v3/kv/range")
        #expect(!second.security.isTLS)
    }
}
