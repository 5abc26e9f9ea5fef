import AASAFleet
import Testing

@Suite struct WatchReaderTests {
    /// As etcd 3.4.23 sent them.
    private static let created =
        #"{"result":{"header":{"cluster_id":"1","revision":"3","raft_term":"2"},"created":true}}"#
    private static let event =
        #"{"result":{"header":{"revision":"3"},"events":[{"kv":{"key":"YQ==","mod_revision":"3"}}]}}"#
    private static let compacted =
        #"{"result":{"header":{"cluster_id":"1"},"canceled":true,"compact_revision":"3"}}"#

    @Test func messagesAreTakenOutOfAnyPieces() {
        let stream = Array("\(Self.created)\n\(Self.event)\n\(Self.compacted)\n".utf8)
        for size in [1, 7, 100, stream.count] {
            var reader = WatchReader()
            var messages: [WatchReader.Message] = []
            var rest = stream[...]
            while !rest.isEmpty {
                messages += reader.receive(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(messages == [.progress, .changed, .compacted])
        }
    }

    @Test func nothingHappenedIsProgress() {
        var reader = WatchReader()
        #expect(
            reader.receive(Array(#"{"result":{"header":{"revision":"9"}}}"#.utf8 + [10])) == [
                .progress
            ])
    }

    @Test(arguments: [
        (
            #"{"result":{"watch_id":"-1","created":true,"canceled":true,"cancel_reason":"#
                + #""rpc error: code = Unauthenticated desc = etcdserver: invalid auth token"}}"#,
            "etcd rejects the user or its token"
        ),
        (
            #"{"result":{"created":true,"canceled":true,"cancel_reason":"#
                + #""rpc error: code = PermissionDenied desc = etcdserver: permission denied"}}"#,
            "etcd denies this user the request"
        ),
        (
            #"{"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader"}}"#,
            "etcd cannot answer now"
        ),
        ("not json", "the answer is not etcd's"),
    ])
    func anEndNamesItsReason(_ line: String, _ reason: String) {
        var reader = WatchReader()
        guard case .ended(let failure) = reader.receive(Array(line.utf8) + [10]).first else {
            Issue.record("no end")
            return
        }
        #expect(failure.description.hasPrefix(reason), "\(failure)")
    }

    @Test func aLineWithoutAnEndIsCut() {
        var reader = WatchReader()
        let messages = reader.receive([UInt8](repeating: 0x20, count: (1 << 20) + 1))
        #expect(messages == [.ended(.malformed("a line without an end"))])
    }
}
