import AASAClient
import AASADevice
import OpenSSL
import Reactor
import TestSupport

/// Who is kept out and by what, and answers that are odd in how they come.
extension Animal {
    /// All of them could be a bare 400 or 403: each is told apart, because each has its own remedy.
    @AnimalList static var accessFaults: [Animal] {
        // A fatal alert in answer to the ClientHello (RFC 8446 section 6): certificate_required.
        Animal.handshake(
            "client certificate demanded in the handshake", "tls-client-certificate",
            .bytes(alert(116)))
        Animal.handshake("alert: handshake_failure", "tls-handshake", .bytes(alert(40)))
        Animal.handshake("alert: unrecognized_name", "tls-handshake", .bytes(alert(112)))
        Animal.handshake("alert: protocol_version", "tls-old-version", .bytes(alert(70)))
        page(
            "client certificate demanded by nginx", "answer-client-certificate", "400 Bad Request",
            "<html><title>400 No required SSL certificate was sent</title></html>")
        page(
            "client certificate demanded by IIS", "answer-client-certificate", "403 Forbidden",
            "<html><h2>403.7 - Client certificate required</h2></html>")
        Animal.status("400 Bad Request", "status-client-error")
        page(
            "login page with status 200", "answer-login", "200 OK",
            "<html><title>Shop</title><form><input type=\"password\"></form></html>")
        page(
            "login page with status 403", "answer-login", "403 Forbidden",
            "<html><title>Sign in to preview</title></html>")
        page(
            "captive portal", "answer-login", "511 Network Authentication Required",
            "<html>Welcome to our Wi-Fi</html>")
        page(
            "blocked by country: 451", "answer-geo-block", "451 Unavailable For Legal Reasons",
            "<html>no</html>")
        page(
            "blocked by country: CloudFront", "answer-geo-block", "403 Forbidden",
            "<html>The Amazon CloudFront distribution is configured to block access from your "
                + "country.</html>")
        page(
            "blocked by country: Cloudflare", "answer-geo-block", "403 Forbidden",
            "<html>Error 1009: the owner of this website has banned the country or region your IP "
                + "address is in</html>")
    }

    @AnimalList static var slowAnswers: [Animal] {
        Animal("good, drop by drop", nil) { request in
            request.method == "HEAD"
                ? good(request)
                : .pieces(
                    drops(
                        FaultAnswer.bytes("200 OK", [], Array(document.utf8)), count: 8),
                    milliseconds: 5)
        }
        Animal(
            "drop by drop for ever", "answer-timeout", settings: patience(.seconds(3)),
            answer: { _ in
                .pieces(
                    drops(
                        FaultAnswer.bytes("200 OK", ["Content-Length: 4000"], Array(document.utf8)),
                        count: 60), milliseconds: 200)
            })
        Animal("chunked and cut in a chunk's size", "answer-cut") { _ in
            .send(FaultAnswer.bytes("200 OK", ["Transfer-Encoding: chunked"], Array("f".utf8)))
        }
        Animal("chunk size that is no number", "answer-framing") { _ in
            .send(
                FaultAnswer.bytes(
                    "200 OK", ["Transfer-Encoding: chunked"], Array("xyz\r\n{}\r\n0\r\n\r\n".utf8)))
        }
    }

    /// Each with a true cause of its own.
    @AnimalList static var largeAnswers: [Animal] {
        Animal("three megabytes", "answer-too-large") { _ in
            .send(FaultAnswer.bytes("200 OK", [], [UInt8](repeating: 0x20, count: 3_000_000)))
        }
        Animal(
            "a bomb", "answer-too-large", settings: { $0.phone.limits.body = 150_000 },
            answer: { _ in
                .send(FaultAnswer.bytes("200 OK", ["Content-Encoding: deflate"], bomb))
            })
        Animal("a head of 200 KB", "answer-head-too-large") { _ in
            .send(
                FaultAnswer.bytes(
                    "200 OK", ["X-Long: " + String(repeating: "a", count: 200_000)],
                    Array(document.utf8)))
        }
        Animal("chunks without an end", "answer-endless", settings: patience(.seconds(3))) { _ in
            .sendAndWait(
                FaultAnswer.bytes(
                    "200 OK", ["Transfer-Encoding: chunked"], Array("2\r\n{}\r\n".utf8)))
        }
        Animal("fewer bytes than promised", "answer-endless", settings: patience(.seconds(3))) {
            _ in
            .sendAndWait(
                FaultAnswer.bytes("200 OK", ["Content-Length: 4000"], Array(document.utf8)))
        }
        Animal("no length and no close", "answer-endless", settings: patience(.seconds(3))) { _ in
            .sendAndWait(Array("HTTP/1.1 200 OK\r\n\r\n\(document)".utf8))
        }
    }

    /// 218 bytes that become 200,000 blanks (zlib).
    private static let bomb: [UInt8] =
        [0x78, 0xDA, 0xED, 0xC1, 0x31, 1, 0, 0, 0, 0xC2, 0xA0, 0x2A, 0xEB, 0x9F, 0xD2, 0x0C]
        + [0xFE, 0x40, 1] + [UInt8](repeating: 0, count: 193)
        + [0xAF, 1, 0x93, 0xD8, 0xAD, 0xB0]

    @AnimalList static var charsets: [Animal] {
        Animal.bytes("UTF-16", "json-utf16", [0xFF, 0xFE] + document.utf8.flatMap { [$0, 0] })
        Animal.bytes(
            "Latin-1", "json-invalid-utf8",
            Array(
                document.replacing("/help/*", with: "/hilf\u{E9}/*").unicodeScalars.map {
                    UInt8(truncatingIfNeeded: $0.value)
                }))
        // Devices read bytes: the label alone breaks nothing.
        Animal.body("good with a wrong label", nil, document, type: "application/json; charset=x")
        Animal.body("type of a script", "answer-content-type", document, type: "text/javascript")
        Animal.body(
            "plain, with the type of the signed form", "cms-not-signed", document,
            type: "application/pkcs7-mime")
    }

    @AnimalList static var http2Oddities: [Animal] {
        http2("another document over HTTP/2", "answer-http2-differs") {
            HTTP2Frames.answer(status: 0x88, document.replacing("/buy/*", with: "/old/*"))
        }
        http2("404 over HTTP/2", "answer-http2-differs") { HTTP2Frames.answer(status: 0x8D, "no") }
        http2("GOAWAY at once", "answer-http2-broken") {
            // Last stream 0, INTERNAL_ERROR.
            HTTP2Frames.settings + HTTP2Frames.frame(type: 7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 2])
        }
        http2("stream reset", "answer-http2-broken") {
            HTTP2Frames.settings + HTTP2Frames.frame(type: 3, stream: 1, [0, 0, 0, 8])
        }
        http2("closed after the settings", "answer-http2-broken") { HTTP2Frames.settings }
        http2("a frame larger than allowed", "answer-http2-broken") {
            HTTP2Frames.settings
                + HTTP2Frames.frame(type: 0, stream: 1, [UInt8](repeating: 0x20, count: 20_000))
        }
        http2(
            "no END_STREAM", "answer-http2-broken", isHeld: true, settings: patience(.seconds(3))
        ) {
            HTTP2Frames.settings + HTTP2Frames.frame(type: 1, flags: 4, stream: 1, [0x88])
                + HTTP2Frames.frame(type: 0, stream: 1, Array(document.utf8))
        }
        http2("good over HTTP/2", nil) { HTTP2Frames.answer(status: 0x88, document) }
    }

    @AnimalList static var addressFaults: [Animal] {
        Animal(
            "IPv6 address that refuses", "address-ipv6-broken",
            settings: { settings in
                guard let dead = SocketAddress(host: "::1", port: 1) else { return }
                settings.phone.resolver.overrides.append(
                    Resolver.Override(host: ZooCertificates.host, port: 443, address: dead))
            }, answer: good)
        Animal(
            "IPv4 address that refuses", "address-some-broken",
            settings: { settings in
                settings.phone.resolver.overrides.append(
                    Resolver.Override(
                        host: ZooCertificates.host, port: 443,
                        address: .v4(0x7F00_0001, port: 1)))
            }, answer: good)
        Animal(
            "nobody listens", "address-refused",
            settings: { settings in
                settings.phone.resolver = Resolver(overrides: [
                    Resolver.Override(
                        host: ZooCertificates.host, port: 443, address: .v4(0x7F00_0001, port: 1))
                ])
            }, answer: good)
    }

    // MARK: - Parts

    private static func page(
        _ name: String, _ code: String, _ status: String, _ body: String
    ) -> Animal {
        Animal(name, code) { _ in .http(status, [], body, type: "text/html") }
    }

    private static func bytes(_ name: String, _ code: String, _ body: [UInt8]) -> Animal {
        Animal(name, code) { _ in .send(FaultAnswer.bytes("200 OK", [], body)) }
    }

    /// A record with a fatal alert.
    private static func alert(_ number: UInt8) -> [UInt8] { [21, 3, 3, 0, 2, 2, number] }

    private static func drops(_ bytes: [UInt8], count: Int) -> [[UInt8]] {
        let size = max(1, bytes.count / count)
        return stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
    }

    /// Good over HTTP/1.1; over HTTP/2 it sends these bytes.
    private static func http2(
        _ name: String, _ code: String?, isHeld: Bool = false,
        settings: @escaping @Sendable (inout CheckSettings) -> Void = { _ in },
        _ frames: @escaping @Sendable () -> [UInt8]
    ) -> Animal {
        var animal = Animal(name, code, settings: settings) {
            $0.isHTTP2 ? (isHeld ? .sendAndWait(frames()) : .send(frames())) : good($0)
        }
        animal.server = {
            var server = $0.server($0.good)
            server.protocols = [.http2, .http11]
            return server
        }
        return animal
    }
}
