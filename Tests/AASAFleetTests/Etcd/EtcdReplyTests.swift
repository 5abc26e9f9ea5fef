import AASAClient
import TestSupport
import Testing

@testable import AASAFleet

@Suite struct EtcdReplyTests {
    @Test func repliesAreRead() throws {
        let range = try EtcdReplyReader.range(
            Array(
                #"""
                {"header":{"cluster_id":"14","member_id":"1","revision":"3","raft_term":"2"},
                "kvs":[{"key":"L2Fhc2EveA==","create_revision":"2","mod_revision":"2","version":"1",
                "value":"aGVsbG8="}],"more":true,"count":"2"}
                """#.utf8))
        expectEqual(range.store, EtcdStore(cluster: "14", revision: 3))
        expectEqual(
            range.entries, [EtcdEntry(key: "/aasa/x", value: Array("hello".utf8), changed: 2)])
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
}
