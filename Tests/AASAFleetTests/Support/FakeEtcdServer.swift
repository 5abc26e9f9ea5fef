import AASAClient
import AASAFleet
import Reactor
import TestSupport

/// ``FakeEtcd`` behind HTTP on loopback, for what asks over sockets.
final class FakeEtcdServer {
    /// What was asked, as far as tests look.
    struct Question: Sendable, Equatable {
        let path: String
        let token: String?
    }

    /// `@unchecked Sendable`: the lock guards all of it.
    private final class Shared: @unchecked Sendable {
        let lock = Lock(())
        let etcd = FakeEtcd()
        var questions: [Question] = []
        var override: ((FaultRequest) -> FaultAnswer?)?
        var watchLines: [String] = []

        func answer(_ request: FaultRequest) -> FaultAnswer {
            lock.withLock { _ in
                let path = String(request.path)
                questions.append(Question(path: path, token: request.field("Authorization")))
                if let answer = override?(request) { return answer }
                if path == "/v3/watch" { return Self.watch(watchLines) }
                guard let body = try? etcd.answer(path, request.body) else {
                    return FakeEtcdServer.failure(404, code: 5, path)
                }
                return .send(FaultAnswer.bytes("200 OK", ["Connection: close"], body))
            }
        }

        /// Some lines, and then the stream stays open for as long as a test takes.
        private static func watch(_ lines: [String]) -> FaultAnswer {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
            let alive = #"{"result":{"header":{"revision":"1"}}}"# + "\n"
            let created = #"{"result":{"header":{"revision":"1"},"created":true}}"# + "\n"
            let pieces =
                [head + created] + lines.map { $0 + "\n" } + Array(repeating: alive, count: 400)
            return .pieces(pieces.map { Array($0.utf8) }, milliseconds: 20)
        }
    }

    private let shared = Shared()
    private let server: FaultServer

    init() throws {
        let shared = shared
        server = try FaultServer(tls: nil) { shared.answer($0) }
    }

    var access: EtcdAccess {
        get throws {
            EtcdAccess(members: [try ServerURL(parsing: "http://127.0.0.1:\(server.port)")])
        }
    }

    func with<Value>(_ body: (FakeEtcd) throws -> Value) rethrows -> Value {
        let shared = shared
        var value: Value?
        try shared.lock.withLock { _ in value = try body(shared.etcd) }
        return value!
    }

    var questions: [Question] { shared.lock.withLock { _ in shared.questions } }

    /// Answers instead of the store where it gives one.
    func override(_ answer: ((FaultRequest) -> FaultAnswer?)?) {
        shared.lock.withLock { _ in shared.override = answer }
    }

    /// What a watch is told behind its creation.
    func watch(says lines: [String]) { shared.lock.withLock { _ in shared.watchLines = lines } }

    /// An error as the gateway words it.
    static func failure(_ status: Int, code: Int, _ text: String) -> FaultAnswer {
        .http(
            "\(status) Error", ["Connection: close"],
            #"{"error":"\#(text)","message":"\#(text)","code":\#(code)}"#)
    }
}
