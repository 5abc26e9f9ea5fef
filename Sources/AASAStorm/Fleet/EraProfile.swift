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
        var settings = TLSClientSettings()
        let rules = era.rules
        (settings.offer, settings.acceptsCommonName) = (rules.offer, rules.acceptsCommonName)
        // A storm speaks one protocol, so that its figures say what they are about.
        usesHTTP2 = configuration.http2 && settings.offer.protocols.contains(.http2)
        if !settings.offer.protocols.isEmpty {
            settings.offer.protocols = [usesHTTP2 ? .http2 : .http11]
        }
        // As the era's devices: SHA-1 is offered.
        settings.securityLevel = 0
        // Without an authority nothing is verified: a load test of a server on this machine.
        settings.verification = target.authorityFile == nil ? .skipped : .required
        if let file = target.authorityFile { settings.trust = .file(file) }
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
    /// The user agent of the requests: since iOS 14 Apple's crawler asks for all devices.
    var askerAgent: String { rules.asksDirectly ? rules.userAgent : Self.crawlerAgent }
}
