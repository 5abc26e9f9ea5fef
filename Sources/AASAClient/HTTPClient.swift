package import OpenSSL
package import Reactor

/// The one HTTP client of the tree. One per thread; every call blocks until its deadline at most.
///
/// * ``fetch(_:at:)`` reports all that happened, good or bad, for tools that judge a server. The
///   certificate is judged in the report and refused nowhere.
/// * ``send(_:)`` gives the response or throws, for protocols on top of HTTP (ACME, etcd). The
///   certificate has to be right.
/// * ``open(_:)`` gives the response's head at once and its body piece by piece, for responses
///   that last (etcd's watch).
///
/// Nothing is hidden: no redirect is followed, no request repeated, no field added beside `Host`,
/// `Content-Length` and `Connection: close`. Bodies are decoded, and it is told from what. The
/// deadline is
/// ``ClientRequest/Limits/total``; only getaddrinfo(3) is outside of it, which ends by
/// resolv.conf(5)'s own limits.
package final class HTTPClient {
    package let resolver: Resolver
    private let stop: Wakeup?
    private let contexts: ClientContexts

    /// - Parameters:
    ///   - stop: when another thread signals it, the wait under way and every later one end with
    ///     ``ClientFailure/stopped``.
    ///   - contexts: shared with other clients; nil: its own.
    /// - Throws: ``OpenSSLError`` when the library is broken.
    package init(
        resolver: Resolver = Resolver(), stop: Wakeup? = nil, contexts: ClientContexts? = nil
    ) throws(OpenSSLError) {
        self.resolver = resolver
        self.stop = stop
        self.contexts = if let contexts { contexts } else { try ClientContexts() }
    }

    // MARK: - The three forms

    /// Makes the request at one address, or at the first of the host's addresses that accepts a
    /// connection.
    package func fetch(_ request: ClientRequest, at address: SocketAddress? = nil) -> ClientExchange
    {
        var exchange = ClientExchange(request: request)
        let start = MonotonicInstant.now()
        do throws(ClientFailure) {
            let connection = try connect(request, address, &exchange, start)
            let conversation = Conversation(
                connection: connection, request: request, start: start)
            switch request.version {
            case .http11: try conversation.speakHTTP1(&exchange)
            case .http2:
                guard exchange.tls?.applicationProtocol == .http2 else { throw .noHTTP2 }
                try conversation.speakHTTP2(&exchange)
            }
        } catch {
            exchange.failure = error
        }
        exchange.timing.ended = MonotonicInstant.now() - start
        exchange.decodeBody(maximum: request.limits.body)
        return exchange
    }

    /// Sends the request and reads the whole response, whatever its status.
    ///
    /// - Throws: ``ClientFailure`` when no whole response came, or the certificate is not right.
    package func send(_ request: ClientRequest) throws(ClientFailure) -> ClientResponse {
        try request.check()
        var request = request
        request.security.verification = .required
        let exchange = fetch(request)
        if let failure = exchange.failure { throw failure }
        guard let head = exchange.head else { throw .closed(.head, missing: nil) }
        return ClientResponse(head: head, body: exchange.body)
    }

    /// Sends the request over HTTP/1.1 and reads the response's head; its body is read from the
    /// stream. ``ClientRequest/Limits/total`` ends with the head.
    ///
    /// - Throws: ``ClientFailure`` when no head came, or the certificate is not right.
    package func open(_ request: ClientRequest) throws(ClientFailure) -> ClientStream {
        try request.check()
        guard request.version == .http11 else {
            throw .local("a response is read piece by piece over HTTP/1.1 alone")
        }
        var request = request
        request.security.verification = .required
        var exchange = ClientExchange(request: request)
        let connection = try connect(request, nil, &exchange, MonotonicInstant.now())
        return try ClientStream(connection, request)
    }

    /// The handshake of a certificate authority's validator (RFC 8737 section 3), and nothing after
    /// it: what stands behind a name when an authority looks. The certificate is judged by nobody.
    package func handshakeAsValidator(
        _ request: ClientRequest, at address: SocketAddress
    ) -> Result<TLSFacts, ClientFailure> {
        var request = request
        request.security.playsValidator = true
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

    /// Connects, with TLS if asked for.
    private func connect(
        _ request: ClientRequest, _ address: SocketAddress?, _ exchange: inout ClientExchange,
        _ start: MonotonicInstant
    ) throws(ClientFailure) -> ClientConnection {
        let addresses =
            if let address { [address] } else {
                try resolver.addresses(of: request.host, port: request.port).get()
            }
        let deadline = start + request.limits.total
        var failure = ClientFailure.unresolved("it has no address")
        for address in addresses {
            exchange.address = address
            let connection = ClientConnection(deadline: deadline, stop: stop)
            do throws(ClientFailure) {
                try connection.connect(to: address, within: request.limits.connect)
            } catch {
                if error == .stopped || MonotonicInstant.now() >= deadline { throw error }
                failure = error
                continue
            }
            exchange.timing.connected = MonotonicInstant.now() - start
            if request.security.isTLS { try secure(connection, request, &exchange, start) }
            return connection
        }
        throw failure
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
            // OpenSSL's error says only that it was refused; the verdict says why.
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
