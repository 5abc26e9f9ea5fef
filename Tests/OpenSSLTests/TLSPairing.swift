import OpenSSL
import Testing

/// Certificates for the tests of this target, made once: keys are slow on a loaded machine.
enum TestCertificates {
    /// 2026-01-01T00:00:00Z. Certificates made here begin an hour before.
    static let now: Int64 = 1_767_225_600
    /// Real clients look at the real clock: a century of validity serves both.
    static let life: Int64 = 100 * 366 * 86_400

    static let authority: LocalAuthority = {
        var plan = CertificateTemplate(
            commonName: "test root", notBefore: now - 3600, notAfter: now + life)
        plan.isAuthority = true
        return LocalAuthority(pair: make(plan))
    }()
    static let intermediate: CertificatePair = {
        var plan = CertificateTemplate(
            commonName: "test intermediate", notBefore: now - 3600, notAfter: now + life)
        plan.isAuthority = true
        return make(plan, issuer: authority.pair)
    }()
    static let ecdsa = leaf(["example.com", "*.wild.example.com"])
    static let rsa = leaf(["example.com"], key: .rsa(bits: 2048))
    static let other = leaf(["other.example"])

    static func make(_ plan: CertificateTemplate, issuer: CertificatePair? = nil) -> CertificatePair
    {
        do {
            return try plan.make(issuer: issuer)
        } catch {
            fatalError("test certificates cannot be made: \(error)")
        }
    }

    static func leaf(
        _ names: [String], key: CertificateTemplate.Key = .ecdsaP256, from: Int64 = now - 3600,
        to: Int64 = now + life, issuer: CertificatePair = intermediate,
        purpose: String? = "serverAuth",
        issuerLocation: String? = nil
    ) -> CertificatePair {
        var plan = CertificateTemplate(
            commonName: names.first ?? "nobody", names: names, notBefore: from, notAfter: to)
        plan.key = key
        plan.purpose = purpose
        plan.issuerLocation = issuerLocation
        return make(plan, issuer: issuer)
    }
}

/// A client and a server session that talk through memory.
final class TLSPairing {
    let clientWire: TLSTransport
    let serverWire: TLSTransport
    let client: TLSSession
    let server: TLSSession
    /// Bytes on their way, so that tests may hold back, cut or change them.
    var toServer: [UInt8] = []
    var toClient: [UInt8] = []

    convenience init(
        server serverSettings: TLSServerSettings, client clientSettings: TLSClientSettings,
        serverName: String? = "example.com", resumption: TLSResumption? = nil
    ) throws {
        try self.init(
            server: serverSettings,
            clientContext: TLSContext(role: .client(clientSettings), library: TLSLibrary()),
            serverName: serverName, resumption: resumption)
    }

    /// With a client context that several pairings share.
    convenience init(
        server serverSettings: TLSServerSettings, clientContext: TLSContext,
        serverName: String? = "example.com", resumption: TLSResumption? = nil
    ) throws {
        try self.init(
            server: TLSContext(role: .server(serverSettings), library: TLSLibrary()),
            clientContext: clientContext, serverName: serverName, resumption: resumption)
    }

    init(
        server serverContext: TLSContext, clientContext: TLSContext,
        serverName: String? = "example.com", resumption: TLSResumption? = nil
    ) throws {
        clientWire = try TLSTransport()
        serverWire = try TLSTransport(outputCapacity: 1)
        server = try TLSSession(context: serverContext)
        client = try TLSSession(
            context: clientContext, serverName: serverName, resumption: resumption)
    }

    static func settings(_ hosts: [TLSHost]? = nil) -> TLSServerSettings {
        TLSServerSettings(
            hosts: hosts ?? [
                TLSHost(
                    names: ["example.com"], pairs: [TestCertificates.ecdsa, TestCertificates.rsa])
            ])
    }

    /// A client that reports what it thinks of the certificate and goes on.
    static var reporting: TLSClientSettings {
        var settings = TLSClientSettings()
        settings.verification = .reported
        settings.trust = .none
        return settings
    }

    func onServer<R>(_ body: (TLSTransport) -> R) -> R {
        let bytes = toServer
        toServer = []
        return bytes.withUnsafeBytes { raw in
            serverWire.receive(raw)
            let result = body(serverWire)
            server.keepUnread(serverWire)
            toClient += serverWire.output
            serverWire.clearOutput()
            return result
        }
    }

    func onClient<R>(_ body: (TLSTransport) -> R) -> R {
        let bytes = toClient
        toClient = []
        return bytes.withUnsafeBytes { raw in
            clientWire.receive(raw)
            let result = body(clientWire)
            client.keepUnread(clientWire)
            toServer += clientWire.output
            clientWire.clearOutput()
            return result
        }
    }

    /// Runs both sides until each is done or failed; what each came to.
    func handshake() -> (client: TLSStep, server: TLSStep) {
        var ours: TLSStep = .wantsInput
        var theirs: TLSStep = .wantsInput
        for _ in 0..<10 {
            if !client.isHandshakeDone { ours = onClient { client.handshake($0) } }
            if !server.isHandshakeDone { theirs = onServer { server.handshake($0) } }
            if toClient.isEmpty && toServer.isEmpty { break }
            if client.isHandshakeDone && server.isHandshakeDone { break }
        }
        return (ours, theirs)
    }

    /// Everything that the server can read now.
    func readAtServer(buffer: Int = 4096) -> (bytes: [UInt8], end: TLSRead) {
        onServer { drain(server, $0, buffer) }
    }

    func readAtClient(buffer: Int = 16_384) -> (bytes: [UInt8], end: TLSRead) {
        onClient { drain(client, $0, buffer) }
    }

    private func drain(
        _ session: TLSSession, _ wire: TLSTransport, _ size: Int
    ) -> ([UInt8], TLSRead) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let result = buffer.withUnsafeMutableBytes { session.read(into: $0, wire) }
            guard case .bytes(let count) = result else { return (bytes, result) }
            bytes += buffer[..<count]
        }
    }
}

extension TLSStep {
    var isDone: Bool { if case .done = self { true } else { false } }
    var failure: TLSFailure? { if case .failed(let failure) = self { failure } else { nil } }
}

extension TLSRead {
    var wantsInput: Bool { if case .wantsInput = self { true } else { false } }
    var isClosed: Bool { if case .closedByPeer = self { true } else { false } }
    var failure: TLSFailure? { if case .failed(let failure) = self { failure } else { nil } }
}

extension TLSPairing {
    /// Returns a pair whose handshake is done.
    static func established(
        _ settings: TLSServerSettings = settings(),
        _ client: TLSClientSettings = reporting, serverName: String? = "example.com"
    ) throws -> TLSPairing {
        let pair = try TLSPairing(server: settings, client: client, serverName: serverName)
        let result = pair.handshake()
        #expect(result.client.isDone, "\(result)")
        #expect(result.server.isDone, "\(result)")
        return pair
    }
}
