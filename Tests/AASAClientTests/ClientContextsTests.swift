import OpenSSL
import TestSupport
import Testing

@testable import AASAClient

@Suite struct ClientContextsTests: ClientSuite {
    private let certificates: ClientCertificates

    init() throws { certificates = try ClientCertificates() }

    @Test func makesOneContextForEachCombination() throws {
        let contexts = try ClientContexts()
        var request = ClientRequest(host: "a.example.com", target: "/")
        request.security.authorityFile = certificates.authorityFile
        request.security.trustsMachine = false
        let first = try contexts.context(for: request)
        // Host, path and limits are no part of it.
        var same = request
        same.host = "b.example.com"
        same.target = "/other"
        same.limits.total = .seconds(1)
        #expect(try contexts.context(for: same) === first)
        var changes: [(inout ClientRequest) -> Void] = [
            { $0.security.offer.protocols = [.http2, .http11] },
            { $0.security.offer.maximumVersion = .tls12 },
            { $0.security.offer.minimumVersion = .tls13 }, { $0.security.verification = .required },
            { $0.security.actsAsValidator = true },
            { $0.security.offer.signatureAlgorithms = TLSOffer.onlyRSA },
            { $0.security.offer.cipherList = "ECDHE-ECDSA-AES128-GCM-SHA256" },
        ]
        let pair = ClientCertificate(certificates.server)
        changes.append { $0.security.certificate = pair }
        for change in changes {
            var other = request
            change(&other)
            let context = try contexts.context(for: other)
            #expect(context !== first)
            #expect(try contexts.context(for: other) === context)
        }
    }

    @Test func saysThatAFileOfRootsIsNone() throws {
        var request = ClientRequest(host: "example.com", target: "/")
        request.security.trustsMachine = false
        request.security.authorityFile = certificates.folder.path("missing.pem")
        let contexts = try ClientContexts()
        for _ in 0..<2 {
            let error = #expect(throws: ClientFailure.self) {
                try contexts.context(for: request)
            }
            guard case .local = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    /// What a request asks of TLS is what the server sees.
    @Test func keepsToTheVersionsAsked() throws {
        var tls12 = certificates.settings()
        tls12.maximumVersion = .tls12
        let old = try FaultServer(tls: tls12) { _ in .http("200 OK") }
        let new = try FaultServer(tls: certificates.settings()) { _ in .http("200 OK") }
        var request = certificates.request(old)
        request.security.offer.minimumVersion = .tls13
        #expect(try client(old).fetch(request).tls == nil)
        request = certificates.request(new)
        try expectEqual(client(new).fetch(request).tls?.version, .tls13)
        request.security.offer.maximumVersion = .tls12
        try expectEqual(client(new).fetch(request).tls?.version, .tls12)
    }

    @Test func offersTheProtocolsOfTheVersion() throws {
        let server = try FaultServer(
            tls: certificates.settings(nil, [.http2, .http11])
        ) { .http("200 OK", [], $0.isHTTP2 ? "2" : "1") }
        var request = certificates.request(server)
        let one = try client(server).fetch(request)
        expectEqual(one.tls?.applicationProtocol, .http11)
        expectEqual(one.body, Array("1".utf8))
        request.security.offer.protocols = [.http2, .http11]
        try expectEqual(client(server).fetch(request).tls?.applicationProtocol, .http2)
    }

    @Test func choosesTheCertificateThatIsAskedFor() throws {
        let rsa = try certificates.pair { $0.key = .rsa(bits: 2048) }
        let server = try FaultServer(
            tls: certificates.settings([certificates.server, rsa])
        ) { _ in .http("200 OK") }
        for (algorithms, isRSA) in [
            (TLSOffer.onlyRSA, true), (TLSOffer.onlyECDSA, false),
        ] {
            var request = certificates.request(server)
            request.security.offer.signatureAlgorithms = algorithms
            let leaf = try client(server).fetch(request).tls?.chain.first
            expectEqual(leaf?.der, (isRSA ? rsa : certificates.server).leaf.der)
        }
    }

    /// Who judges a server has to see what is wrong; who only uses it has to be kept from it.
    @Test func reportsACertificateAndRefusesItWhereItCounts() throws {
        let expired = try certificates.pair { $0.notAfter = certificates.now - 60 }
        let server = try FaultServer(tls: certificates.settings([expired])) { _ in .http("200 OK") }
        var request = certificates.request(server)
        let reported = try client(server).fetch(request)
        expectEqual(reported.status, 200)
        expectEqual(reported.tls?.verification.isGood, false)
        request.security.verification = .required
        guard case .certificate = try client(server).fetch(request).failure else {
            Issue.record("it was taken")
            return
        }
    }

    @Test func trustsTheFileAlone() throws {
        let server = try FaultServer(tls: certificates.settings()) { _ in .http("200 OK") }
        var request = certificates.request(server)
        try expectEqual(client(server).fetch(request).tls?.verification.isGood, true)
        let stranger = try ClientCertificates()
        request.security.authorityFile = stranger.authorityFile
        try expectEqual(client(server).fetch(request).tls?.verification.isGood, false)
    }
}
