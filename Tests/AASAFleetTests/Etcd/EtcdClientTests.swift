import AASAClient
import AASAFleet
import Reactor
import TestSupport
import Testing

/// Over sockets on loopback: what is sent, and what becomes of each kind of answer.
@Suite struct EtcdClientTests {
    private let server: FakeEtcdServer

    init() throws { server = try FakeEtcdServer() }

    private func client(
        _ identity: EtcdAccess.Identity = .none, stop: Wakeup? = nil
    ) throws -> EtcdClient {
        var access = try server.access
        access.identity = identity
        return try EtcdClient(access, seed: 1, stop: stop)
    }

    private func failure(_ body: () throws(EtcdFailure) -> Void) -> EtcdFailure? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private static let user = EtcdAccess.Identity.user("ann", password: "pw")

    /// Tokens `t.1`, `t.2`, … in their order; one that is not the last is old.
    private func asksForTokens() {
        nonisolated(unsafe) var made = 0
        server.override { request in
            if request.path == "/v3/auth/authenticate" {
                made += 1
                return .http(
                    "200 OK", ["Connection: close"], #"{"header":{},"token":"t.\#(made)"}"#)
            }
            if request.field("Authorization") == "t.\(made)", made > 0 { return nil }
            return FakeEtcdServer.failure(401, code: 16, "etcdserver: invalid auth token")
        }
    }

    @Test func anAnswerComesBack() throws {
        server.with { $0.set("a", [7]) }
        let range = try EtcdReplyReader.range(client().ask(.range("a"), member: 0))
        expectEqual(range.entries.map(\.value), [[7]])
        expectEqual(server.questions, [.init(path: "/v3/kv/range", token: nil)])
    }

    @Test func aFailureKeepsItsReason() throws {
        server.override { _ in FakeEtcdServer.failure(403, code: 7, "etcdserver: permission denied")
        }
        let client = try client()
        expectEqual(
            failure { () throws(EtcdFailure) in _ = try client.ask(.range("a"), member: 0) },
            .denied("etcdserver: permission denied"))
    }

    @Test func whoeverDoesNotAnswerIsUnanswered() throws {
        server.override { _ in .sendAndReset([]) }
        let client = try client()
        guard
            case .unanswered? = failure({ () throws(EtcdFailure) in
                _ = try client.ask(.range("a"), member: 0)
            })
        else {
            Issue.record("a reset was taken for an answer")
            return
        }
    }

    @Test func anEndThatWasAskedForIsNoFailureOfTheStore() throws {
        let stop = try Wakeup()
        stop.signal()
        let client = try client(stop: stop)
        expectEqual(
            failure { () throws(EtcdFailure) in _ = try client.ask(.range("a"), member: 0) },
            .stopped)
        expectEqual(
            failure { () throws(EtcdFailure) in
                _ = try client.open(.watch("a", from: 1), member: 0)
            }, .stopped)
    }

    // MARK: Tokens

    @Test func aUserAsksForATokenOnceAndShowsIt() throws {
        asksForTokens()
        let client = try client(Self.user)
        for _ in 0..<2 { _ = try client.ask(.range("a"), member: 0) }
        expectEqual(
            server.questions,
            [
                .init(path: "/v3/auth/authenticate", token: nil),
                .init(path: "/v3/kv/range", token: "t.1"),
                .init(path: "/v3/kv/range", token: "t.1"),
            ])
    }

    @Test func aTokenThatHasEndedIsReplacedOnTheWay() throws {
        asksForTokens()
        let client = try client(Self.user)
        _ = try client.ask(.range("a"), member: 0)
        // Somebody else's sign-in makes ours old here.
        _ = try self.client(Self.user).ask(.range("a"), member: 0)
        _ = try client.ask(.range("a"), member: 0)
        expectEqual(server.questions.last, .init(path: "/v3/kv/range", token: "t.3"))
    }

    /// One try with a new token: a member that takes none is not asked for ever.
    @Test func aNewTokenThatIsRefusedIsTheEnd() throws {
        server.override { request in
            request.path == "/v3/auth/authenticate"
                ? .http("200 OK", ["Connection: close"], #"{"header":{},"token":"t"}"#)
                : FakeEtcdServer.failure(401, code: 16, "etcdserver: invalid auth token")
        }
        let client = try client(Self.user)
        guard
            case .unauthenticated? = failure({ () throws(EtcdFailure) in
                _ = try client.ask(.range("a"), member: 0)
            })
        else {
            Issue.record("no reason")
            return
        }
        // It had none: the fresh one was refused, and that is that.
        expectEqual(server.questions.map(\.path), ["/v3/auth/authenticate", "/v3/kv/range"])
    }

    /// A token that somebody else made is shown as it is, and never replaced.
    @Test func aGivenTokenIsKept() throws {
        let client = try client(.token("jwt"))
        for _ in 0..<2 { _ = try client.ask(.range("a"), member: 0) }
        expectEqual(
            server.questions,
            Array(repeating: .init(path: "/v3/kv/range", token: "jwt"), count: 2))
    }

    @Test func aWrongPasswordIsSaid() throws {
        server.override { _ in
            FakeEtcdServer.failure(
                400, code: 3, "etcdserver: authentication failed, invalid user ID or password")
        }
        let client = try client(Self.user)
        expectEqual(
            failure { () throws(EtcdFailure) in _ = try client.ask(.range("a"), member: 0) },
            .unauthenticated(
                "etcdserver: authentication failed, invalid user ID or password"))
    }

    /// While etcd knows no users, names are no use: it is asked once, and the request goes without.
    @Test func withoutAuthenticationItIsNotAskedAgain() throws {
        server.override { request in
            request.path == "/v3/auth/authenticate"
                ? FakeEtcdServer.failure(400, code: 9, "etcdserver: authentication is not enabled")
                : nil
        }
        let client = try client(Self.user)
        for _ in 0..<2 { _ = try client.ask(.range("a"), member: 0) }
        expectEqual(
            server.questions.map(\.path),
            [
                "/v3/auth/authenticate", "/v3/kv/range", "/v3/kv/range",
            ])
        // It is turned on later.
        asksForTokens()
        _ = try client.ask(.range("a"), member: 0)
        expectEqual(server.questions.last, .init(path: "/v3/kv/range", token: "t.1"))
    }

    // MARK: Watches and commands

    @Test func aWatchSaysThatItWasCreated() throws {
        let stream = try client().open(.watch("a", from: 1), member: 0)
        let message = try #require(try stream.next(within: .seconds(60)))
        #expect(String(decoding: message, as: UTF8.self).contains("created"))
    }

    @Test func aWatchThatIsRefusedIsNone() throws {
        server.override { _ in FakeEtcdServer.failure(503, code: 14, "no leader") }
        let client = try client()
        guard
            case .unanswered? = failure({ () throws(EtcdFailure) in
                _ = try client.open(.watch("a", from: 1), member: 0)
            })
        else {
            Issue.record("taken for a watch")
            return
        }
    }

    /// A command has nothing else to do: it asks until it is answered.
    @Test func aCommandTriesAgain() throws {
        nonisolated(unsafe) var refusals = 2
        server.override { _ in
            refusals -= 1
            return refusals < 0 ? nil : FakeEtcdServer.failure(503, code: 14, "no leader")
        }
        _ = try client().ask(.range("a"), within: .seconds(60))
        expectEqual(server.questions.count, 3)
    }

    @Test func aCommandThatMayNotIsToldAtOnce() throws {
        server.override { _ in FakeEtcdServer.failure(403, code: 7, "no") }
        let client = try client()
        expectEqual(
            failure { () throws(EtcdFailure) in
                _ = try client.ask(.range("a"), within: .seconds(60))
            }, .denied("no"))
        expectEqual(server.questions.count, 1)
    }

    @Test func aCommandGivesUp() throws {
        server.override { _ in FakeEtcdServer.failure(503, code: 14, "no leader") }
        let client = try client()
        expectEqual(
            failure { () throws(EtcdFailure) in _ = try client.ask(.range("a"), within: .zero) },
            .unavailable("no leader"))
    }
}
