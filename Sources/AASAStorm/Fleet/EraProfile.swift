import AASADevice
import HTTP
import OpenSSL

/// The TLS settings and requests of an era's devices, made once per generator thread.
struct EraProfile {
    let context: TLSContext
    let usesHTTP2: Bool
    /// By path (see ``index(of:)``), then by user agent.
    private let requests: [[StormRequest]]

    init(_ era: Era, _ configuration: StormConfiguration, _ library: TLSLibrary)
        throws(OpenSSLError)
    {
        let target = configuration.target
        usesHTTP2 = configuration.http2 && era.speaksHTTP2
        var settings = TLSClientSettings()
        settings.protocols = [usesHTTP2 ? .http2 : .http11]
        settings.maximumVersion = era.newestTLS
        settings.groups = era.keyExchangeGroups
        // Without an authority nothing is verified: a load test of a server on this machine.
        settings.verification = target.authorityFile == nil ? .skipped : .required
        if let file = target.authorityFile { settings.trust = .file(file) }
        // All devices see the same chain.
        settings.remembersChains = true
        settings.resumes = configuration.resume
        context = try TLSContext(role: .client(settings), library: library)
        let agents =
            configuration.userAgents.isEmpty ? [era.askerAgent] : configuration.userAgents
        requests = [AssociationPath.wellKnownTarget, AssociationPath.rootTarget].map { path in
            agents.map {
                StormRequest(
                    authority: target.authority, path: target.path.isEmpty ? path : target.path,
                    userAgent: $0)
            }
        }
    }

    func request(_ path: AssociationPath, userAgent: Int) -> StormRequest {
        let agents = requests[path == .root ? 1 : 0]
        return agents[userAgent % agents.count]
    }
}

extension Era {
    /// NSURLSession supports HTTP/2 since iOS 9.
    var speaksHTTP2: Bool { self != .ios8 }

    /// The key shares of phones. With a P-256 share a handshake costs the server a third more.
    var keyExchangeGroups: String { newestTLS == .tls13 ? "X25519:P-256" : "P-256" }

    /// The user agent of the requests: since iOS 14 Apple's crawler asks for all devices.
    var askerAgent: String { asksDirectly ? userAgent : Self.crawlerAgent }
}
