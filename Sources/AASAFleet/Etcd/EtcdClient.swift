package import AASAClient
package import OpenSSL
package import Reactor

/// Sends requests to etcd with the project's HTTP client, one at a time. It handles tokens;
/// ``MemberRing`` and the callers decide which member is asked and when.
///
/// One thread; every call blocks until its deadline at most.
package final class EtcdClient {
    package let access: EtcdAccess
    private let http: HTTPClient
    private var token = EtcdToken()
    /// Whether authentication is disabled, so that no token is requested.
    private var isOpenToAll = false
    private var ring: MemberRing

    /// - Parameter stop: ends every wait when it is signalled.
    /// - Throws: ``OpenSSLError`` if the library is broken.
    package init(_ access: EtcdAccess, seed: UInt64, stop: Wakeup? = nil) throws(OpenSSLError) {
        self.access = access
        http = try HTTPClient(stop: stop)
        ring = MemberRing(count: access.members.count, seed: seed)
        if case .token(let text) = access.identity { token = EtcdToken(text) }
    }

    /// Sends one request to one member. An expired token is renewed.
    package func ask(_ request: EtcdRequest, member: Int) throws(EtcdFailure) -> [UInt8] {
        let hadToken = token.text != nil
        if !hadToken { try authenticate(member) }
        do throws(EtcdFailure) {
            let reply = try reply(to: request, member)
            token.answered()
            return reply
        } catch {
            if case .user = access.identity { token.failed(error, members: access.members.count) }
            guard case .unauthenticated = error, hadToken || isOpenToAll,
                case .user = access.identity
            else { throw error }
            isOpenToAll = false
            try authenticate(member)
            return try reply(to: request, member)
        }
    }

    private func reply(to request: EtcdRequest, _ member: Int) throws(EtcdFailure) -> [UInt8] {
        let response = try send(request, member, token: token.text)
        if response.status == 200 { return response.body }
        throw EtcdFailure(status: response.status, body: response.body)
    }

    private func send(
        _ request: EtcdRequest, _ member: Int, token: String?
    ) throws(EtcdFailure) -> ClientResponse {
        do throws(ClientFailure) {
            return try http.send(access.request(request, member: member, token: token))
        } catch {
            throw error == .stopped ? .stopped : .unanswered(error)
        }
    }

    /// Opens a watch with the token of an earlier request. The first message of its stream says
    /// that it was created, or why it was not.
    package func open(_ request: EtcdRequest, member: Int) throws(EtcdFailure) -> ClientStream {
        do throws(ClientFailure) {
            let stream = try http.open(access.request(request, member: member, token: token.text))
            if stream.head.status == 200 { return stream }
            throw ClientFailure.closed(.head, missing: nil)
        } catch {
            let failure: EtcdFailure = error == .stopped ? .stopped : .unanswered(error)
            if case .user = access.identity { token.failed(failure, members: access.members.count) }
            throw failure
        }
    }

    private func authenticate(_ member: Int) throws(EtcdFailure) {
        guard case .user(let name, let password) = access.identity, !isOpenToAll else { return }
        token.forget()
        let response = try send(
            .authenticate(user: name, password: password), member, token: nil)
        guard response.status == 200 else {
            let failure = EtcdFailure(status: response.status, body: response.body)
            // etcd reports users while authentication is disabled, and a wrong password, both as an
            // invalid argument.
            guard case .refused(let text) = failure else { throw failure }
            if text.contains("authentication is not enabled") {
                isOpenToAll = true
                return
            }
            throw .unauthenticated(text)
        }
        token.received(try EtcdReplyReader.token(response.body))
    }

    /// Gives a lease back when a process ends, within a second or not at all.
    static func revoke(_ lease: Int64, _ access: EtcdAccess, seed: UInt64) {
        var access = access
        access.requestTime = .seconds(1)
        let client = try? EtcdClient(access, seed: seed)
        _ = try? client?.ask(.revokeLease(lease), within: .seconds(1))
    }

    // MARK: Commands

    /// Retries until a member responds or the time is up: for commands, which have nothing else to
    /// do.
    ///
    /// - Throws: the last failure; after an `isTransient` one the request may have taken effect.
    package func ask(
        _ request: EtcdRequest, within limit: Duration = .seconds(15)
    ) throws(EtcdFailure) -> [UInt8] {
        let end = MonotonicInstant.now() + limit
        while true {
            if let pause = ring.pauseEnds { CurrentProcess.sleep(min(pause, end) - .now()) }
            do throws(EtcdFailure) {
                let reply = try ask(request, member: ring.current)
                ring.succeeded()
                return reply
            } catch {
                guard error.isTransient, MonotonicInstant.now() < end else { throw error }
                ring.failed(now: .now())
            }
        }
    }
}
