import AASAClient
import Reactor
import TestSupport

@testable import ACME

/// The made-up authority behind a real socket, on the clock of the machine.
final class AuthorityServer {
    let url: String
    private let server: FaultServer
    private let desk: Desk

    // The lock makes it one thread at a time.
    private final class Desk: @unchecked Sendable {
        let lock = Lock(())
        var authority: FakeAuthority?

        func answer(_ request: FaultRequest) -> FaultAnswer {
            lock.withLock { _ in
                guard let authority else { return .silence }
                let method = ServerRequest.Method(rawValue: String(request.method)) ?? .get
                let question = ServerRequest(
                    method, authority.base + request.path, body: request.body)
                switch authority.take(question, now: WallClock.seconds) {
                case .success(let answer):
                    let fields = [
                        answer.nonce.map { "Replay-Nonce: \($0)" },
                        answer.location.map { "Location: \($0)" },
                        answer.retryAfter.map { "Retry-After: \($0)" },
                    ].compactMap { $0 }
                    return .send(
                        FaultAnswer.bytes("\(answer.status) Answer", fields, answer.body))
                case .failure: return .sendAndReset([])
                }
            }
        }
    }

    /// - Parameter store: where the key of the order that is finalized is found.
    init(_ store: FolderStore) throws {
        let desk = Desk()
        self.desk = desk
        server = try FaultServer(tls: nil) { desk.answer($0) }
        let base = "http://127.0.0.1:\(server.port)"
        url = base + "/directory"
        let authority = try FakeAuthority(now: WallClock.seconds, base: base)
        authority.orderKey = {
            var state = StoredState(store: store)
            let known = try? state.read(directories: []) { _ in }
            return known?.records.compactMap { $0.order?.key }.first
        }
        desk.lock.withLock { _ in desk.authority = authority }
    }

    /// What the authority knows now.
    func ask<Value: Sendable>(_ body: (FakeAuthority) -> Value) -> Value? {
        desk.lock.withLock { _ in desk.authority.map(body) }
    }
}
