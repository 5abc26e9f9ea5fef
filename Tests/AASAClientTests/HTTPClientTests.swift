// Covers: ClientResponse.swift, PeerText.swift

import AASAClient
import Foundation
import OpenSSL
import Reactor
import TestSupport
import Testing

/// What protocols on top of HTTP ask of the client: whole responses, refused certificates, content,
/// and responses that last. What a judge of servers asks of it is in the fault zoo
/// (AASADeviceTests).
@Suite struct HTTPClientTests: ClientSuite {
    private let certificates: ClientCertificates

    init() throws { certificates = try ClientCertificates() }

    private var tls: TLSServerSettings { certificates.settings() }

    // MARK: - fetch

    private func fetch(
        _ request: ClientRequest, at addresses: [SocketAddress]
    ) throws -> ClientExchange {
        let overrides = addresses.map {
            Resolver.Override(host: request.host, port: request.port, address: $0)
        }
        return try HTTPClient(resolver: Resolver(overrides: overrides)).fetch(request)
    }

    @Test func servesSeveralThreadsAtOnce() throws {
        let server = try FaultServer(tls: tls) { _ in .http("200 OK") }
        let client = try client(server)
        let request = certificates.request(server)
        let answers = ParallelMap.run(12, threads: 3, name: "test") { _ in
            client.fetch(request).status
        }
        expectEqual(answers, Array(repeating: 200, count: 12))
    }

    /// What this machine has no route to is passed over, and hides nothing of other addresses.
    @Test func passesOverWhatItHasNoRouteTo() throws {
        let server = try FaultServer(tls: nil) { _ in .http("200 OK") }
        let request = certificates.request(server, isTLS: false)
        // TCP has no way to a multicast address.
        let unrouted = SocketAddress.v4(0xE000_0001, port: server.port)
        let living = SocketAddress.v4(0x7F00_0001, port: server.port)
        try expectEqual(fetch(request, at: [unrouted, living]).status, 200)
        let dead = SocketAddress.v4(0x7F00_0001, port: 1)
        let refused = try fetch(request, at: [dead, unrouted])
        expectEqual(refused.failure, .refused)
        expectEqual(refused.address, dead)
        let nowhere = try fetch(request, at: [unrouted])
        guard case .noRoute = nowhere.failure else {
            Issue.record("\(String(describing: nowhere.failure))")
            return
        }
    }

    /// A first address that swallows packets does not keep the second from being asked.
    @Test func asksTheNextAddressBehindASilentOne() throws {
        let server = try FaultServer(tls: nil) { _ in .http("200 OK") }
        var request = certificates.request(server, isTLS: false)
        request.limits.total = .seconds(60)
        request.limits.connect = .seconds(60)
        let silent = try SilentListener()
        let living = SocketAddress.v4(0x7F00_0001, port: server.port)
        let exchange = try fetch(request, at: [silent.address, living])
        expectEqual(exchange.status, 200)
        expectEqual(exchange.address, living)
        withExtendedLifetime(silent) {}
    }

    // MARK: - send

    @Test(arguments: [true, false]) func sendsContentAndReadsTheResponse(isTLS: Bool) throws {
        let server = try FaultServer(tls: isTLS ? tls : nil) { request in
            .http(
                "201 Created",
                ["Location: /order/7", "X-Type: \(request.field("Content-Type") ?? "")"],
                "\(request.method) \(request.path) " + String(decoding: request.body, as: UTF8.self)
            )
        }
        var request = certificates.request(server, isTLS: isTLS)
        request.method = "POST"
        request.fields = [("Content-Type", "application/jose+json")]
        // More than one read of the server and more than one TLS record.
        request.body = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
        let response = try client(server).send(request)
        expectEqual(response.status, 201)
        expectEqual(response.value("location"), "/order/7")
        expectEqual(response.value("X-TYPE"), "application/jose+json")
        expectEqual(response.body.count, "POST /v3/kv/range ".utf8.count + 100_000)
    }

    @Test func refusesACertificateForAnotherName() throws {
        let server = try FaultServer(tls: tls) { _ in .http("200 OK") }
        let error = #expect(throws: ClientFailure.self) {
            try client(server).send(certificates.request(server, host: "other.example.com"))
        }
        guard case .certificate(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("hostname mismatch"))
        #expect(reason.contains("subject alternative names"))
    }

    @Test func refusesAnUnknownAuthority() throws {
        let server = try FaultServer(tls: tls) { _ in .http("200 OK") }
        var request = certificates.request(server)
        request.security.authorityFile = nil
        #expect(throws: ClientFailure.self) { try client(server).send(request) }
        // What judges a server still sees the response.
        let exchange = try client(server).fetch(request)
        expectEqual(exchange.status, 200)
        expectEqual(exchange.tls?.verification.isGood, false)
    }

    @Test(arguments: [
        ("X-Evil", "a\r\nInjected: 1", "/", "server.example.com"),
        ("X Evil", "a", "/", "server.example.com"),
        ("X-Good", "a", "/ HTTP/1.1\r\nInjected: 1", "server.example.com"),
        ("X-Good", "a", "/", "server.example.com\r\nInjected: 1"),
    ])
    func sendsNoLineEndsOfOthers(name: String, value: String, target: String, host: String) throws {
        let server = try FaultServer(tls: nil) { .http("200 OK", [], $0.head) }
        var request = certificates.request(server, host: host, isTLS: false)
        request.target = target
        request.fields = [(name, value)]
        let error = #expect(throws: ClientFailure.self) { try client(server).send(request) }
        guard case .local = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func boundsTheBodyAndTheTime() throws {
        let endless = try FaultServer(tls: nil) { _ in
            .endless(
                head: Array("HTTP/1.1 200 OK\r\n\r\n".utf8), [UInt8](repeating: 65, count: 10_000))
        }
        var large = certificates.request(endless, isTLS: false)
        large.limits.body = 50_000
        #expect(throws: ClientFailure.tooLarge(50_000)) { try client(endless).send(large) }

        let silent = try FaultServer(tls: nil) { _ in .silence }
        var late = certificates.request(silent, isTLS: false)
        let waiting = try client(silent)
        let isBounded = timesOut(in: .head) { total in
            late.limits.total = total
            do throws(ClientFailure) {
                _ = try waiting.send(late)
                return nil
            } catch {
                return error
            }
        }
        #expect(isBounded)
    }

    @Test func stopsWhenAnotherThreadSaysSo() throws {
        let server = try FaultServer(tls: nil) { _ in .silence }
        let stop = try Wakeup()
        let client = try client(server, stop: stop)
        stop.signal()
        #expect(throws: ClientFailure.stopped) {
            try client.send(certificates.request(server, isTLS: false))
        }
    }

    // MARK: - Certificates of the client

    @Test func showsItsCertificateWhenAsked() throws {
        let folder = certificates.folder.path
        let made = try Tool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "1", "-subj",
                "/CN=server.example.com", "-addext", "subjectAltName=DNS:server.example.com",
            ], folder: folder)
        expectEqual(made.status, 0, "\(made)")
        let output = folder + "/output"
        let server = try Tool.spawn(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem",
                "-CAfile", "cert.pem", "-Verify", "1", "-verify_return_error", "-www",
            ], output: output, errors: folder + "/errors", folder: folder)
        defer {
            kill(server, SIGKILL)
            _ = Tool.wait(for: server, timeout: .seconds(10))
        }
        // "ACCEPT 127.0.0.1:40123"
        var port: UInt16?
        _ = eventually {
            let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
            port = text.split(separator: "\n").first {
                $0.hasPrefix("ACCEPT ") && text.contains("\n")
            }
            .flatMap { $0.split(separator: ":").last }.flatMap { UInt16($0) }
            return port != nil
        }
        var request = ClientRequest(
            host: "server.example.com", port: try #require(port), target: "/")
        request.security.authorityFile = folder + "/cert.pem"
        request.security.trustsMachine = false
        let address = try #require(SocketAddress(host: "127.0.0.1", port: request.port))
        let client = try HTTPClient(
            resolver: Resolver(overrides: [
                Resolver.Override(host: request.host, port: request.port, address: address)
            ]))
        #expect(throws: ClientFailure.self) { try client.send(request) }

        let pem = try Array(Data(contentsOf: URL(fileURLWithPath: folder + "/cert.pem")))
        let key = try Array(Data(contentsOf: URL(fileURLWithPath: folder + "/key.pem")))
        let pair = try CertificatePair.load(
            chainPEM: pem, keyPEM: key, chainName: "cert.pem", keyName: "key.pem")
        request.security.certificate = ClientCertificate(pair)
        let response = try client.send(request)
        expectEqual(response.status, 200)
    }
}
