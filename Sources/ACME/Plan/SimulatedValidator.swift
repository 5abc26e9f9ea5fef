package import AASAClient
import OpenSSL
import Reactor

/// What an ACME validator would see of a name, tested with our own client: its addresses, and the
/// response of each to a challenge.
package struct NameReachability: Sendable, Hashable {
    package struct Look: Sendable, Hashable {
        package let address: String
        package let outcome: Outcome
    }

    package enum Outcome: Sendable, Hashable {
        /// The response is the challenge made for this test.
        case ours
        /// Another response, described in words.
        case answered(String)
        /// The error that an authority would report.
        case failed(ProblemDocument)
    }

    package let name: String
    package let challenge: ChallengeKind
    /// Why there is no address; nil if there are some.
    package var unresolved: ProblemDocument?
    /// One per address.
    package var looks: [Look] = []

    /// The problems to fix, as for a rejected order. An authority picks one of the addresses, so
    /// all of them must work.
    package var advice: [FailureAdvice] {
        let failed: [ProblemDocument] = looks.compactMap { look in
            if case .failed(let problem) = look.outcome { problem } else { nil }
        }
        return (unresolved.map { [$0] } ?? failed).map { problem in
            FailureAdvice(
                OrderFailure(.validation(name: name, kind: challenge, problem)),
                directory: "this machine")
        }
    }

    /// Whether every address returned our challenge.
    package var isProven: Bool { !looks.isEmpty && looks.allSatisfy { $0.outcome == .ours } }
}

/// Simulates an ACME validator: connects from outside, without an order.
package struct SimulatedValidator {
    private let client: HTTPClient

    package init(client: HTTPClient) { self.client = client }

    /// Validators give up after some seconds per address.
    private static let limits = {
        var limits = ClientRequest.Limits()
        limits.total = .seconds(10)
        limits.connect = .seconds(5)
        limits.body = 4096
        return limits
    }()
    /// Maximum of tested addresses: round robins of CDNs have some dozens.
    private static let addressesMaximum = 8

    /// - Parameters:
    ///   - challenge: how the server answers.
    ///   - answers: the expected challenges, if a server publishes them for this test.
    package func look(
        at name: String, challenge: ChallengeKind, answers: [ChallengeAnswer]
    ) -> NameReachability {
        var reach = NameReachability(name: name, challenge: challenge)
        let expected = answers.first { $0.name == name && $0.kind == challenge }
        switch client.resolver.addresses(of: name, port: challenge == .http01 ? 80 : 443) {
        case .failure(let failure): reach.unresolved = ProblemDocument(.dns, "\(failure)")
        case .success(let addresses):
            reach.looks = addresses.prefix(Self.addressesMaximum).map { address in
                let outcome =
                    challenge == .http01
                    ? http(name, address, expected) : tls(name, address, expected)
                return .init(address: "\(address)", outcome: outcome)
            }
        }
        return reach
    }

    private func tls(
        _ name: String, _ address: SocketAddress, _ expected: ChallengeAnswer?
    ) -> NameReachability.Outcome {
        var request = ClientRequest(host: name, target: "/")
        request.limits = Self.limits
        switch client.handshakeAsValidator(request, at: address) {
        case .failure(let failure):
            // Without a challenge an alert is correct: a TLS server is there.
            if case .tls = failure, expected == nil { return .answered("\(failure)") }
            return .failed(Self.problem(failure, address))
        case .success(let facts):
            guard let leaf = facts.chain.first else { return .answered("no certificate") }
            if let expected, leaf.acmeIdentifier == expected.digest { return .ours }
            let words =
                "\(address) answered with a certificate of \(leaf.summary.issuer) for "
                + leaf.summary.names.prefix(3).joined(separator: ", ")
            return expected == nil
                ? .answered(words) : .failed(ProblemDocument(.unauthorized, words))
        }
    }

    private func http(
        _ name: String, _ address: SocketAddress, _ expected: ChallengeAnswer?
    ) -> NameReachability.Outcome {
        let token = expected?.token ?? "aasa-looks-whether-somebody-answers"
        var request = ClientRequest(
            host: name, port: 80, target: "/.well-known/acme-challenge/\(token)")
        request.security.isTLS = false
        request.limits = Self.limits
        let exchange = client.fetch(request, at: address)
        if let failure = exchange.failure { return .failed(Self.problem(failure, address)) }
        let status = exchange.status ?? 0
        guard let expected else { return .answered("status \(status)") }
        // Only white space may follow the key authorization (RFC 8555 section 8.3).
        let body = String(decoding: exchange.body, as: UTF8.self)
        let text = body.drop { $0.isWhitespace }
        if status == 200, text.hasPrefix(expected.keyAuthorization),
            text.dropFirst(expected.keyAuthorization.count).allSatisfy(\.isWhitespace)
        {
            return .ours
        }
        return .failed(
            ProblemDocument(
                .unauthorized,
                "\(address) answered a challenge with status \(status), not with this machine's answer"
            ))
    }

    /// The corresponding type of RFC 8555 section 6.7.
    private static func problem(_ failure: ClientFailure, _ address: SocketAddress)
        -> ProblemDocument
    {
        let words = "\(address): \(failure)"
        switch failure {
        case .unresolved: return ProblemDocument(.dns, words)
        case .tls, .certificate: return ProblemDocument(.tls, words)
        case .refused, .noRoute, .unreachable, .timeout, .reset, .closed:
            return ProblemDocument(.connection, words)
        case .notHTTP, .badFraming, .headTooLarge, .tooLarge, .http2:
            return ProblemDocument(.unauthorized, words)
        case .local, .stopped: return ProblemDocument(.other, words)
        }
    }
}

extension ChallengeAnswer {
    /// A challenge made by us, not by an authority. Its token is random, so a server that returns
    /// the answer has it from us.
    package static func made(for name: String, kind: ChallengeKind) -> ChallengeAnswer {
        let token = Base64.encodeForURL(randomBytes(32))
        return ChallengeAnswer(
            kind: kind, name: name, token: token, keyAuthorization: "\(token).aasa-plan")
    }
}
