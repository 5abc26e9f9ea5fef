package import OpenSSL
package import Reactor

/// Makes requests and reports all that happened. One per thread.
///
/// Nothing is hidden: no redirect is followed, no request repeated, no field added beside `Host`
/// and `Connection: close`, no body decoded.
package final class HTTPClient {
    package let resolver: Resolver
    private let library: TLSLibrary
    /// Reading the machine's roots takes tens of milliseconds: contexts are kept by their settings.
    private var contexts: [ContextKey: TLSContext] = [:]

    private struct ContextKey: Hashable {
        var security: ClientRequest.Security
        var version: ClientRequest.Version
    }

    /// - Throws: ``OpenSSLError`` when the library is broken.
    package init(resolver: Resolver = Resolver()) throws(OpenSSLError) {
        self.resolver = resolver
        library = try TLSLibrary()
    }

    /// Makes the request at one address, or at the first of the host's addresses that accepts a
    /// connection.
    package func fetch(_ request: ClientRequest, at address: SocketAddress? = nil) -> ClientExchange
    {
        let start = MonotonicInstant.now()
        var exchange = ClientExchange(request: request)
        let addresses: [SocketAddress]
        if let address {
            addresses = [address]
        } else {
            switch resolver.addresses(of: request.host, port: request.port) {
            case .success(let found): addresses = found
            case .failure(let failure):
                exchange.failure = failure
                exchange.timing.ended = MonotonicInstant.now() - start
                return exchange
            }
        }
        let deadline = start + request.limits.total
        for (index, address) in addresses.enumerated() {
            exchange.address = address
            let connection = ClientConnection(deadline: deadline)
            do throws(ClientFailure) {
                try connection.connect(to: address, within: request.limits.connect)
            } catch {
                exchange.failure = error
                if index + 1 < addresses.count, MonotonicInstant.now() < deadline { continue }
                break
            }
            exchange.failure = nil
            exchange.timing.connected = MonotonicInstant.now() - start
            do throws(ClientFailure) {
                try converse(connection, request, &exchange, start)
            } catch {
                exchange.failure = error
            }
            break
        }
        exchange.timing.ended = MonotonicInstant.now() - start
        return exchange
    }

    private func converse(
        _ connection: ClientConnection, _ request: ClientRequest,
        _ exchange: inout ClientExchange, _ start: MonotonicInstant
    ) throws(ClientFailure) {
        if request.security.isTLS {
            let context = try context(for: request)
            do throws(ClientFailure) {
                try connection.secure(
                    context, name: request.host,
                    sendsName: request.security.sendsServerName)
            } catch {
                exchange.tls = connection.session.flatMap { Self.facts($0, complete: false) }
                throw error
            }
            exchange.timing.secured = MonotonicInstant.now() - start
            exchange.tls = connection.session.flatMap { Self.facts($0, complete: true) }
        }
        let conversation = Conversation(connection: connection, request: request, start: start)
        switch request.version {
        case .http11: try conversation.speakHTTP1(&exchange)
        case .http2:
            guard exchange.tls?.applicationProtocol == .http2 else { throw .noHTTP2 }
            try conversation.speakHTTP2(&exchange)
        }
    }

    private func context(for request: ClientRequest) throws(ClientFailure) -> TLSContext {
        let key = ContextKey(security: request.security, version: request.version)
        if let context = contexts[key] { return context }
        var settings = TLSClientSettings()
        settings.verification = .reported
        settings.protocols = request.version == .http2 ? [.http2, .http11] : [.http11]
        settings.minimumVersion = request.security.minimumVersion
        settings.maximumVersion = request.security.maximumVersion
        settings.signatureAlgorithms = request.security.signatureAlgorithms
        settings.cipherList = request.security.cipherList
        // A weak key shall be reported, not hidden behind a failed handshake.
        settings.securityLevel = 0
        if let file = request.security.authorityFile {
            settings.trust = request.security.trustsMachine ? .systemAndFile(file) : .file(file)
        }
        do {
            let context = try TLSContext(role: .client(settings), library: library)
            contexts[key] = context
            return context
        } catch {
            throw .local(error.description)
        }
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
