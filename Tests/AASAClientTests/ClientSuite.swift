import Foundation
import OpenSSL
import Reactor
import TestSupport
import Testing

@testable import AASAClient

/// Servers on loopback with a certificate of an authority made for the test, and clients that find
/// them under their name.
protocol ClientSuite {}

struct ClientCertificates {
    static let host = "server.example.com"

    let folder: TemporaryFolder
    let now: Int64
    let authority: CertificatePair
    let server: CertificatePair
    var authorityFile: String { folder.path + "/ca.pem" }

    init() throws {
        now = Int64(Date().timeIntervalSince1970)
        authority = try LocalAuthority.make(now: now).pair
        folder = try TemporaryFolder()
        try folder.write("ca.pem", authority.leaf.pem)
        server = try Self.plan(now) { _ in }.make(issuer: authority)
    }

    /// Another certificate of the same authority for the same host.
    func pair(_ change: (inout CertificateTemplate) -> Void) throws -> CertificatePair {
        try Self.plan(now, change).make(issuer: authority)
    }

    private static func plan(
        _ now: Int64, _ change: (inout CertificateTemplate) -> Void
    ) -> CertificateTemplate {
        var plan = CertificateTemplate(
            commonName: host, names: [host], notBefore: now - 3600, notAfter: now + 86_400)
        change(&plan)
        return plan
    }

    func settings(
        _ pairs: [CertificatePair]? = nil, _ protocols: [TLSApplicationProtocol] = [.http11]
    ) -> TLSServerSettings {
        var settings = TLSServerSettings(hosts: [
            TLSHost(names: [Self.host], pairs: pairs ?? [server])
        ])
        settings.protocols = protocols
        return settings
    }

    /// A request that trusts this authority alone.
    func request(
        _ server: FaultServer, host: String = host, isTLS: Bool = true
    ) -> ClientRequest {
        var request = ClientSuiteValues.request(server, host: host, isTLS: isTLS)
        request.security.authorityFile = authorityFile
        return request
    }
}

/// An address that swallows packets: its queue is full, so that the kernel leaves the next
/// connection without an answer.
final class SilentListener {
    private let listener: ListeningSocket
    private var waiting: [ClientConnection] = []
    var address: SocketAddress { listener.address }

    init() throws {
        listener = try ListeningSocket(
            on: .v4(0x7F00_0001, port: 0), backlog: 0, sharesPort: false)
        for _ in 0..<8 {
            let one = ClientConnection(deadline: MonotonicInstant.now() + Duration.seconds(20))
            do {
                try one.connect(to: listener.address, within: .milliseconds(50))
                waiting.append(one)
            } catch {
                break
            }
        }
        let count = waiting.count
        try #require(count < 8)
    }
}

private enum ClientSuiteValues {
    static func request(_ server: FaultServer, host: String, isTLS: Bool) -> ClientRequest {
        var request = ClientRequest(host: host, port: server.port, target: "/v3/kv/range")
        request.security.isTLS = isTLS
        request.security.trustsMachine = false
        request.limits.total = .seconds(20)
        return request
    }
}

extension ClientSuite {
    /// A request over plain HTTP.
    func plain(_ server: FaultServer) -> ClientRequest {
        ClientSuiteValues.request(server, host: ClientCertificates.host, isTLS: false)
    }

    func client(_ server: FaultServer, stop: Wakeup? = nil) throws -> HTTPClient {
        let names = [ClientCertificates.host, "other.example.com"]
        return try HTTPClient(
            resolver: Resolver(
                overrides: names.map {
                    Resolver.Override(
                        host: $0, port: server.port,
                        address: .v4(0x7F00_0001, port: server.port))
                }), stop: stop)
    }

    /// What a plain server that sends these bytes and ends leads to.
    func exchange(
        _ answer: FaultAnswer, _ change: (inout ClientRequest) -> Void = { _ in }
    ) throws -> ClientExchange {
        let server = try FaultServer(tls: nil) { _ in answer }
        var request = plain(server)
        change(&request)
        return try client(server).fetch(request)
    }

    /// Whether time runs out in that phase. A server that starts late gets more of it.
    ///
    /// - Parameter failure: what a request ends with that has so long.
    func timesOut(
        in phase: ClientFailure.Phase, _ failure: (Duration) throws -> ClientFailure?
    ) rethrows -> Bool {
        try [.milliseconds(500), .seconds(5), .seconds(20)].contains { (total: Duration) in
            try failure(total) == .timeout(phase)
        }
    }
}
