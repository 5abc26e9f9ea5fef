import OpenSSL
import TestSupport
import Testing

@testable import AASAClient

@Suite struct ClientRequestTests {
    private func request(
        host: String = "example.com", port: UInt16 = 443, target: String = "/a?b",
        isTLS: Bool = true
    ) -> ClientRequest {
        var request = ClientRequest(host: host, port: port, target: target)
        request.security.isTLS = isTLS
        return request
    }

    /// The port stands in `Host` unless it is the scheme's own (RFC 9110 section 7.2).
    @Test(arguments: [
        ("example.com", 443, true, "example.com", "https://example.com/a?b"),
        ("example.com", 80, false, "example.com", "http://example.com/a?b"),
        ("example.com", 80, true, "example.com:80", "https://example.com:80/a?b"),
        ("example.com", 443, false, "example.com:443", "http://example.com:443/a?b"),
        ("::1", 443, true, "[::1]", "https://[::1]/a?b"),
        ("::1", 8443, true, "[::1]:8443", "https://[::1]:8443/a?b"),
    ])
    func namesTheAuthority(
        host: String, port: Int, isTLS: Bool, authority: String, url: String
    ) {
        let request = request(host: host, port: UInt16(port), isTLS: isTLS)
        expectEqual(request.authority, authority)
        expectEqual(request.url, url)
    }

    @Test(arguments: ["https://example.com/x?y", "http://[::1]:8080/", "http://example.com"])
    func isMadeOfAURL(text: String) throws {
        let url = try ServerURL(parsing: text)
        let request = ClientRequest(url)
        expectEqual(request.security.isTLS, text.hasPrefix("https"))
        expectEqual(request.url, text + (text.hasSuffix(".com") ? "/" : ""))
    }

    @Test func writesWhatGoesOnTheWire() {
        var request = request(port: 8443)
        request.fields = [("B", "2"), ("A", "1")]
        expectEqual(
            String(decoding: request.http1Bytes, as: UTF8.self),
            "GET /a?b HTTP/1.1\r\nHost: example.com:8443\r\nB: 2\r\nA: 1\r\n"
                + "Connection: close\r\n\r\n")
        request.method = "POST"
        request.fields = []
        request.body = Array("{}\r\n".utf8)
        expectEqual(
            String(decoding: request.http1Bytes, as: UTF8.self),
            "POST /a?b HTTP/1.1\r\nHost: example.com:8443\r\nContent-Length: 4\r\n"
                + "Connection: close\r\n\r\n{}\r\n")
        // Content of no bytes is content: the server need not wait for any.
        request.body = []
        #expect(
            String(decoding: request.http1Bytes, as: UTF8.self).contains("Content-Length: 0\r\n"))
    }

    @Test func passesWhatCannotChangeTheMessage() {
        var good = request(target: "/~a!é")
        good.fields = [("X-Tab", "a\tb"), ("X-Empty", "")]
        good.body = []
        #expect(throws: Never.self) { try good.check() }
        good.security.offer.protocols = [.http2, .http11]
        good.body = nil
        #expect(throws: Never.self) { try good.check() }
    }

    @Test(arguments: [
        "a\r\nInjected: 1", "a\nb", "a\0b", "a\u{7F}",
    ])
    func refusesAFieldThatWouldBeTwo(value: String) {
        var request = request()
        request.fields = [("X-Good", "1"), ("X-Field", value)]
        let error = #expect(throws: ClientFailure.self) { try request.check() }
        expectEqual(
            error, .local("the header field X-Field has characters that HTTP does not allow"))
    }

    @Test func refusesAURLThatWouldBeAnother() {
        let bad = [
            request(host: ""), request(host: "a b"), request(host: "a\r\nX: 1"),
            request(target: "/a b"), request(target: "/a\u{1F}"), request(target: "/a\u{7F}"),
        ]
        for request in bad {
            let error = #expect(throws: ClientFailure.self) { try request.check() }
            guard case .local(let reason) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(reason.contains("cannot be requested"))
            // The reason is inert itself.
            #expect(reason.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
        }
        var method = request()
        method.method = "GET /evil"
        #expect(throws: ClientFailure.self) { try method.check() }
    }

    /// A path may hold a key, and this is printed.
    @Test func namesOnlySchemeAndHostOfAURLThatItRefuses() {
        let error = #expect(throws: ClientFailure.self) {
            try request(port: 8443, target: "/services/SECRET\n").check()
        }
        expectEqual(
            error,
            .local(
                "a URL at https://example.com:8443 has a space or a control character, "
                    + "so it cannot be requested"))
    }

    @Test func sendsNoContentOverHTTP2() {
        var request = request()
        request.security.offer.protocols = [.http2, .http11]
        request.body = [1]
        #expect(throws: ClientFailure.self) { try request.check() }
    }

    /// One address that swallows packets must leave time for the next.
    @Test func hasPatienceForMoreThanOneAddress() {
        var limits = ClientRequest.Limits()
        #expect(limits.connect * 2 < limits.total)
        // As the commands set them: a single address may take all the time.
        limits.total = .seconds(15)
        limits.connect = .seconds(15)
        expectEqual([0, 1].map { limits.connectTime(among: $0) }, [.seconds(15), .seconds(15)])
        expectEqual(
            [2, 3, 5, 15].map { limits.connectTime(among: $0) },
            [.seconds(5), .seconds(5), .seconds(3), .seconds(1)])
        limits.connect = .seconds(2)
        expectEqual(limits.connectTime(among: 2), .seconds(2))
    }

    @Test func tellsCertificatesApartByTheirBytes() throws {
        let certificates = try ClientCertificates()
        let other = try certificates.pair { $0.commonName = "client" }
        let first = ClientCertificate(certificates.server)
        let copy = CertificatePair(
            chain: certificates.server.chain, key: certificates.server.key, chainName: "a",
            keyName: "b")
        expectEqual(first, ClientCertificate(copy))
        #expect(first != ClientCertificate(other))
        expectEqual(Set([first, ClientCertificate(copy), ClientCertificate(other)]).count, 2)
    }
}
