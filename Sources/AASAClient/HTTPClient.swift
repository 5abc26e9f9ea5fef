package import OpenSSL
package import Reactor

/// The only HTTP client of the project. Every call blocks until its deadline at most; threads may
/// share a client, and then share its TLS contexts.
///
/// * ``fetch(_:at:)`` reports everything that happened, for tools that check a server. An invalid
///   certificate is reported, not rejected.
/// * ``send(_:)`` returns the response or throws, for protocols on top of HTTP (ACME, etcd). The
///   certificate must be valid.
/// * ``open(_:)`` returns the response's head at once and its body in chunks, for long responses
///   (etcd's watch).
///
/// It follows no redirects, repeats no requests, and adds no fields besides `Host`,
/// `Content-Length` and `Connection: close`. Bodies are decoded, and the codings are reported. The
/// deadline is ``ClientRequest/Limits/total``; only getaddrinfo(3) is not covered by it, which has
/// the limits of resolv.conf(5).
package final class HTTPClient: Sendable {
    package let resolver: Resolver
    private let stop: Wakeup?
    private let contexts: ClientContexts

    /// - Parameter stop: when another thread signals it, the current and every later wait fail with
    ///   ``ClientFailure/stopped``.
    /// - Throws: ``OpenSSLError`` if the library is broken.
    package init(
        resolver: Resolver = Resolver(), stop: Wakeup? = nil
    ) throws(OpenSSLError) {
        self.resolver = resolver
        self.stop = stop
        contexts = try ClientContexts()
    }

    // MARK: - Requests

    /// Sends the request to one address, or to the first of the host's addresses that accepts a
    /// connection.
    package func fetch(_ request: ClientRequest, at address: SocketAddress? = nil) -> ClientExchange
    {
        var exchange = ClientExchange(request: request)
        let start = MonotonicInstant.now()
        do throws(ClientFailure) {
            let connection = try connect(request, address, &exchange, start)
            let conversation = Conversation(
                connection: connection, request: request, start: start)
            if exchange.isHTTP2 {
                try conversation.speakHTTP2(&exchange)
            } else {
                try conversation.speakHTTP1(&exchange)
            }
        } catch {
            exchange.failure = error
        }
        exchange.timing.ended = MonotonicInstant.now() - start
        exchange.decodeBody(maximum: request.limits.body)
        return exchange
    }

    /// Sends the request and reads the complete response, whatever its status.
    ///
    /// - Throws: ``ClientFailure`` without a complete response or a valid certificate.
    package func send(_ request: ClientRequest) throws(ClientFailure) -> ClientResponse {
        try request.check()
        var request = request
        request.security.verification = .required
        let exchange = fetch(request)
        if let failure = exchange.failure { throw failure }
        guard let head = exchange.head else { throw .closed(.head, missing: nil) }
        return ClientResponse(head: head, body: exchange.body)
    }

    /// Sends the request over HTTP/1.1 and reads the response's head; the stream reads its body.
    /// ``ClientRequest/Limits/total`` applies up to the head.
    ///
    /// - Throws: ``ClientFailure`` without a head or a valid certificate.
    package func open(_ request: ClientRequest) throws(ClientFailure) -> ClientStream {
        try request.check()
        guard !request.security.offer.protocols.contains(.http2) else {
            throw .local("a streamed response is supported over HTTP/1.1 only")
        }
        var request = request
        request.security.verification = .required
        var exchange = ClientExchange(request: request)
        let connection = try connect(request, nil, &exchange, MonotonicInstant.now())
        return try ClientStream(connection, request)
    }

    /// Only the handshake of an ACME validator (RFC 8737 section 3): it shows which certificate an
    /// authority would see. The certificate is not verified.
    package func handshakeAsValidator(
        _ request: ClientRequest, at address: SocketAddress
    ) -> Result<TLSFacts, ClientFailure> {
        var request = request
        request.security.actsAsValidator = true
        var exchange = ClientExchange(request: request)
        do throws(ClientFailure) {
            _ = try connect(request, address, &exchange, MonotonicInstant.now())
            guard let facts = exchange.tls else { throw .closed(.handshake, missing: nil) }
            return .success(facts)
        } catch {
            return .failure(error)
        }
    }

    // MARK: - The connection

    /// Connects, with TLS if requested.
    private func connect(
        _ request: ClientRequest, _ address: SocketAddress?, _ exchange: inout ClientExchange,
        _ start: MonotonicInstant
    ) throws(ClientFailure) -> ClientConnection {
        let addresses =
            if let address { [address] } else {
                try resolver.addresses(of: request.host, port: request.port).get()
            }
        let deadline = start + request.limits.total
        let patience = request.limits.connectTime(among: addresses.count)
        var last: (failure: ClientFailure, address: SocketAddress)?
        for address in addresses {
            exchange.address = address
            let connection = ClientConnection(deadline: deadline, stop: stop)
            do throws(ClientFailure) {
                try connection.connect(to: address, within: patience)
            } catch {
                if error == .stopped || MonotonicInstant.now() >= deadline { throw error }
                // What cannot be asked from here says less than what another address did.
                if case .noRoute = error, let last {
                    exchange.address = last.address
                } else {
                    last = (error, address)
                }
                continue
            }
            exchange.timing.connected = MonotonicInstant.now() - start
            if request.security.isTLS { try secure(connection, request, &exchange, start) }
            return connection
        }
        throw last?.failure ?? ClientFailure.unresolved("it has no address")
    }

    private func secure(
        _ connection: ClientConnection, _ request: ClientRequest,
        _ exchange: inout ClientExchange, _ start: MonotonicInstant
    ) throws(ClientFailure) {
        let context = try contexts.context(for: request)
        do throws(ClientFailure) {
            try connection.secure(
                context, name: request.host, sendsName: request.security.sendsServerName)
        } catch {
            exchange.tls = connection.session.flatMap { Self.facts($0, complete: false) }
            guard case .tls(let failure) = error, failure.cause == .certificate,
                let verification = connection.session?.verification, !verification.isGood
            else { throw error }
            // OpenSSL's error says only that it was rejected; the verification result says why.
            let remedy = verification.remedy.map { ". \($0)" } ?? ""
            throw .certificate(verification.text + remedy)
        }
        exchange.timing.secured = MonotonicInstant.now() - start
        exchange.tls = connection.session.flatMap { Self.facts($0, complete: true) }
    }

    private static func facts(_ session: TLSSession, complete: Bool) -> TLSFacts? {
        let chain = session.peerChain
        if !complete, chain.isEmpty { return nil }
        let negotiated = session.negotiated
        return TLSFacts(
            version: negotiated.version, cipher: session.cipherName, group: session.groupName,
            applicationProtocol: negotiated.applicationProtocol, chain: chain,
            verification: session.verification)
    }
}
