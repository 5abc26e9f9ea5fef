import AASAFleet
import TestSupport
import Testing

@Suite struct EtcdRequestTests {
    private func text(_ request: EtcdRequest) -> String {
        String(decoding: request.body, as: UTF8.self)
    }

    /// As etcd 3.4.23 took them.
    @Test func requestsAreWhatTheGatewayTakes() {
        expectEqual(text(.range("/aasa/x")), #"{"key":"L2Fhc2EveA=="}"#)
        expectEqual(
            text(.range("/aasa/", end: "/aasa0", limit: 2, keysOnly: true)),
            #"{"key":"L2Fhc2Ev","range_end":"L2Fhc2Ew","limit":"2","keys_only":true}"#)
        expectEqual(
            text(
                .transaction(
                    if: [.unchanged("a", since: 7), .exists("b")], then: [.put("a", [1])],
                    otherwise: [.delete("b")])),
            #"{"compare":[{"key":"YQ==","target":"MOD","result":"EQUAL","mod_revision":"7"},"#
                + #"{"key":"Yg==","target":"VERSION","result":"GREATER","version":"0"}],"#
                + #""success":[{"request_put":{"key":"YQ==","value":"AQ=="}}],"#
                + #""failure":[{"request_delete_range":{"key":"Yg=="}}]}"#)
        expectEqual(text(.put("a", [], lease: 9)), #"{"key":"YQ==","value":"","lease":"9"}"#)
        expectEqual(EtcdRequest.end(ofPrefix: "/aasa/web/blobs/"), "/aasa/web/blobs0")
    }
}
