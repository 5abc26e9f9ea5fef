import AASAClient
import Reactor
import TestSupport
import Testing

@testable import AASAFleet

/// Over a socket on loopback.
@Suite struct EtcdChangesTests {
    private static let event =
        #"{"result":{"header":{"revision":"3"},"events":[{"kv":{"key":"YQ==","mod_revision":"3"}}]}}"#
    private let server: FakeEtcdServer

    init() throws { server = try FakeEtcdServer() }

    private func changes() throws -> EtcdChanges {
        try EtcdChanges(server.access, root: "/aasa/web/acme/", seed: 1)
    }

    /// A guard alone: a change that never comes ends the test.
    private func hasChanged(_ changes: EtcdChanges) -> Bool {
        let limit = MonotonicInstant.now() + .seconds(60)
        return Waiting.wait([.init(changes.descriptor)], until: limit)[0] && changes.drain()
    }

    /// Both keys of the store, and nothing of its neighbours.
    @Test func itWatchesChallengesAndCertificates() throws {
        nonisolated(unsafe) var body: [UInt8] = []
        server.override { request in
            body = request.body
            return nil
        }
        let changes = try changes()
        #expect(hasChanged(changes))
        #expect(
            body
                == EtcdRequest.watch(
                    "/aasa/web/acme/challenges.json", end: "/aasa/web/acme/issued0", from: nil
                ).body)
    }

    /// What happened before the watch began may be news; then each event is.
    @Test func itTellsItsBeginningAndEachChange() throws {
        let changes = try changes()
        #expect(hasChanged(changes))
        server.watch(says: [Self.event])
        let other = try self.changes()
        #expect(hasChanged(other))
        #expect(hasChanged(other))
    }

    /// An end, a compaction, a member that is away: it is opened again, which counts as a change.
    @Test(arguments: [
        #"{"result":{"canceled":true,"compact_revision":"3"}}"#,
        #"{"error":{"grpc_code":14,"message":"etcdserver: no leader"}}"#,
    ])
    func aWatchThatEndsIsOpenedAgain(_ line: String) throws {
        server.watch(says: [line])
        let changes = try changes()
        #expect(hasChanged(changes))
        #expect(hasChanged(changes))
    }

    @Test func aMemberThatRefusesIsAskedAgain() throws {
        nonisolated(unsafe) var refusals = 2
        server.override { _ in
            refusals -= 1
            return refusals < 0 ? nil : FakeEtcdServer.failure(503, code: 14, "no leader")
        }
        #expect(hasChanged(try changes()))
        #expect(server.questions.count >= 3)
    }

    /// A token that has ended is forgotten: the next watch comes with a new one.
    @Test func anOldTokenIsReplaced() throws {
        nonisolated(unsafe) var made = 0
        server.override { request in
            guard request.path == "/v3/auth/authenticate" else {
                return request.field("Authorization") == "t.1"
                    ? .http(
                        "200 OK", ["Connection: close"],
                        #"{"result":{"canceled":true,"cancel_reason":"invalid auth token"}}"# + "\n"
                    )
                    : nil
            }
            made += 1
            return .http("200 OK", ["Connection: close"], #"{"header":{},"token":"t.\#(made)"}"#)
        }
        var access = try server.access
        access.identity = .user("ann", password: "pw")
        let changes = try EtcdChanges(access, root: "/aasa/web/acme/", seed: 1)
        #expect(hasChanged(changes))
        #expect(server.questions.contains(.init(path: "/v3/watch", token: "t.2")))
    }
}
