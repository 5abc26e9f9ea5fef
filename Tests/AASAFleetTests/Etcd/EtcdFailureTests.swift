import AASAClient
import AASAFleet
import TestSupport
import Testing

@Suite struct EtcdFailureTests {
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
        expectEqual(failure.isTransient, isTransient, "\(failure)")
    }

    @Test func aProxysErrorPageIsNoReason() {
        #expect(EtcdFailure(status: 502, body: Array("<html>".utf8)).isTransient)
        guard case .malformed = EtcdFailure(status: 404, body: []) else {
            Issue.record("a strange page was taken for etcd's")
            return
        }
    }
}
