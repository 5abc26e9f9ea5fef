import AASADevice
import OpenSSL
import TestSupport

extension Animal {
    static let all: [Animal] = [
        goodOnes, tlsFaults, answerFaults, statusFaults, agentFaults, contentFaults, signedFaults,
        cdnFaults, siblingFaults, accessFaults, slowAnswers, largeAnswers, charsets, http2Oddities,
        addressFaults,
    ].flatMap { $0 }

    /// Short for what never comes, and still long enough for a handshake on a machine under load: a
    /// handshake that misses it would be told as another fault.
    static func patience(_ limit: Duration) -> @Sendable (inout CheckSettings) -> Void {
        return {
            $0.phone.limits.total = limit
            $0.phone.limits.connect = limit
        }
    }

    @AnimalList static var goodOnes: [Animal] {
        Animal("good", nil, answer: good)
        Animal.tls("good with RSA only", nil) { $0.server($0.rsa) }
        Animal.tls("good with two certificates", nil) { $0.server($0.good, $0.rsa) }
        Animal.tls("good with an intermediate", nil) { $0.server($0.fullChain) }
        Animal.tls("good with TLS 1.2 only", nil) {
            var server = $0.server($0.good)
            server.maximumVersion = .tls12
            return server
        }
        Animal.tls("good with TLS 1.3 only", nil) {
            var server = $0.server($0.good)
            server.minimumVersion = .tls13
            return server
        }
        Animal("good in chunks", nil) { request in
            let chunk = "\(String(document.utf8.count, radix: 16))\r\n\(document)\r\n0\r\n\r\n"
            return .send(
                FaultAnswer.bytes("200 OK", ["Transfer-Encoding: chunked"], [])
                    + (request.method == "HEAD" ? [] : Array(chunk.utf8)))
        }
        Animal("good, ended by the connection's end", nil) { request in
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
            return .send(Array((head + (request.method == "HEAD" ? "" : document)).utf8))
        }
        Animal.body("good with a charset", nil, document, type: "application/json; charset=utf-8")
        Animal.signed("good and signed", nil) {
            try CMSSigner.sign(Array(document.utf8), with: $0.good)
        }
        Animal("good, signed for old devices only", nil) { request in
            guard request.agent.contains("Darwin/14"),
                let certificates = try? ZooCertificates.shared.get(),
                let bytes = try? CMSSigner.sign(Array(document.utf8), with: certificates.good)
            else { return good(request) }
            return .send(
                FaultAnswer.bytes("200 OK", [], bytes, type: "application/pkcs7-mime"))
        }
        Animal.cdn("good with a fresh copy", nil) { _ in
            .http("200 OK", ["Cache-Control: max-age=21600", "Age: 60"], document)
        }
    }

    @AnimalList static var tlsFaults: [Animal] {
        Animal.tls("expired certificate", "tls-expired") { $0.server($0.expired) }
        Animal.tls("certificate of tomorrow", "tls-not-yet-valid") { $0.server($0.notYet) }
        Animal.tls("certificate ends soon", "tls-ends-soon") { $0.server($0.endsSoon) }
        Animal.tls("certificate of another host", "tls-name") { $0.server($0.wrongName) }
        Animal.tls("certificate with a common name alone", "tls-name") { $0.server($0.nameless) }
        Animal.tls("certificate for 826 days", "tls-long-life") { $0.server($0.longLived) }
        Animal.tls("certificate that names no use", "tls-purpose") { $0.server($0.useless) }
        Animal.tls("self-signed certificate", "tls-self-signed") { $0.server($0.selfSigned) }
        Animal.tls("unknown authority", "tls-untrusted") { $0.server($0.untrusted) }
        Animal.tls("intermediate missing", "tls-chain-incomplete") { $0.server($0.leafOnly) }
        Animal.tls("certificate for clients", "tls-purpose") { $0.server($0.wrongPurpose) }
        Animal.tls("RSA certificate expired beside a good one", "tls-second-certificate") {
            $0.server($0.good, $0.expiredRSA)
        }
        Animal.tls("TLS 1.1 at most", "tls-old-version") {
            var server = $0.server($0.good)
            server.minimumVersion = .tls10
            server.maximumVersion = .tls11
            return server
        }
        Animal.handshake("plain HTTP on the TLS port", "tls-not-tls", .plainHTTP)
        Animal.handshake("another protocol on the port", "tls-not-tls", .noise)
        // The hello of iOS 26 has more, the others less.
        Animal.handshake("only short hellos", "tls-long-hello", .firstBytes(1460))
        Animal.handshake("closed in the handshake", "tls-cut", .close)
        Animal.handshake("reset in the handshake", "tls-cut", .reset)
        Animal.handshake(
            "silent in the handshake", "tls-timeout", .silence,
            settings: patience(.seconds(1)))
    }

    @AnimalList static var answerFaults: [Animal] {
        Animal("two types", "answer-ambiguous") { request in
            request.path.hasSuffix("/apple-app-site-association")
                ? .http("200 OK", ["Content-Type: text/plain"], document) : good(request)
        }
        Animal("no answer", "answer-timeout", settings: patience(.seconds(5))) { _ in .silence }
        Animal(
            "late answer", "answer-slow", settings: { $0.slowAfter = .milliseconds(20) },
            answer: { _ in
                .late(milliseconds: 60, FaultAnswer.bytes("200 OK", [], Array(document.utf8)))
            })
        Animal("reset instead of an answer", "answer-reset") { _ in .sendAndReset([]) }
        Animal("closed instead of an answer", "answer-closed") { _ in .send([]) }
        Animal("head cut short", "answer-cut-head") { _ in
            .send(Array("HTTP/1.1 200 OK\r\nContent-Ty".utf8))
        }
        Animal("body cut short", "answer-cut") { _ in
            .send(FaultAnswer.bytes("200 OK", ["Content-Length: 4000"], Array(document.utf8)))
        }
        Animal("chunks cut short", "answer-cut") { _ in
            .send(
                FaultAnswer.bytes(
                    "200 OK",
                    [
                        "Transfer-Encoding: "
                            + "chunked"
                    ], Array("ff\r\n{".utf8)))
        }
        Animal("Content-Length too small", "answer-surplus", also: ["json-truncated"]) { _ in
            .send(FaultAnswer.bytes("200 OK", ["Content-Length: 60"], Array(document.utf8)))
        }
        Animal("not HTTP", "answer-not-http") { _ in
            .send(
                Array(
                    "220 mail.example.com\r\n".utf8))
        }
        Animal("two lengths", "answer-framing") { _ in
            .send(
                FaultAnswer.bytes(
                    "200 OK", ["Content-Length: 5", "Content-Length: 500"], Array(document.utf8)))
        }
        Animal(
            "endless body", "answer-too-large", settings: { $0.phone.limits.body = 400_000 },
            answer: { _ in
                .endless(
                    head: Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n".utf8),
                    [UInt8](repeating: UInt8(ascii: " "), count: 32_768))
            })
        Animal("conditional 304", "answer-conditional-304") { request in
            request.field("If-None-Match") != nil
                ? .http("304 Not Modified", [], "") : good(request)
        }
        Animal("conditional 412", "answer-conditional-412") { request in
            request.field("If-None-Match") != nil
                ? .http("412 Precondition Failed", [], "") : good(request)
        }
        Animal("range 416", "answer-range-416") { request in
            request.field("Range") != nil
                ? .http("416 Range Not Satisfiable", [], "") : good(request)
        }
        Animal("HEAD not allowed", "answer-head") { request in
            request.method == "HEAD" ? .http("405 Method Not Allowed", [], "") : good(request)
        }
        Animal.bodyToHEAD("HEAD with a body", "answer-head")
        Animal.body(
            "kept for a month", "answer-cached-long", document,
            [
                "Cache-Control: public, "
                    + "max-age=2592000"
            ])
        Animal.tls("HTTP/2 that does not work", "answer-http2-broken") {
            var server = $0.server($0.good)
            server.protocols = [.http2, .http11]
            return server
        }
        Animal("two documents", "answer-paths-differ") { request in
            request.isWellKnown
                ? good(request)
                : .http("200 OK", [], document.replacing("/buy/*", with: "/old/*"))
        }
        Animal("root path only", "answer-root-only", also: ["device-current-fails"]) { request in
            request.isWellKnown ? .http("404 Not Found", [], "", type: nil) : good(request)
        }
    }

    @AnimalList static var statusFaults: [Animal] {
        Animal.status("204 No Content", "status-no-content", body: "")
        Animal.status("206 Partial Content", "status-partial")
        Animal.status("304 Not Modified", "status-not-modified", body: "")
        Animal.status("401 Unauthorized", "status-unauthorized", ["WWW-Authenticate: Basic"])
        Animal.status("403 Forbidden", "status-forbidden")
        Animal.status("404 Not Found", "status-not-found")
        Animal.status("405 Method Not Allowed", "status-method")
        Animal.status("410 Gone", "status-gone")
        Animal.status("418 I'm a teapot", "status-client-error")
        Animal.status("429 Too Many Requests", "status-too-many")
        Animal.status("500 Internal Server Error", "status-server-error")
        Animal.status("502 Bad Gateway", "status-gateway")
        Animal.status("503 Service Unavailable", "status-unavailable")
        Animal.redirect(
            "to http", "redirect-to-http",
            "http://zoo.example.com:1/.well-known/apple-app-site-association")
        Animal("to a trailing slash", "redirect-slash") { request in
            .http("301 Moved Permanently", ["Location: \(request.path)/"], "moved")
        }
        Animal.redirect(
            "to www", "redirect-www",
            "https://www.zoo.example.com:1/.well-known/apple-app-site-association")
        Animal.redirect("to a login", "redirect-login", "/login?next=%2F")
        Animal("to a language", "redirect-locale") { request in
            .http("302 Found", ["Location: /en\(request.path)"], "moved")
        }
        Animal.redirect("to the home page", "redirect-elsewhere", "/home")
        Animal("in a circle", "redirect-loop") { request in
            .http("301 Moved Permanently", ["Location: \(request.path)"], "moved")
        }
        Animal.redirect("to nowhere", "redirect-nowhere", nil)
    }

    @AnimalList static var agentFaults: [Animal] {
        Animal("crawler blocked", "agent-crawler") { request in
            request.agent.contains("AASA-Bot") ? .http("403 Forbidden", [], "no") : good(request)
        }
        Animal("devices blocked", "agent-device") { request in
            request.agent.contains("swcd") ? .http("403 Forbidden", [], "no") : good(request)
        }
        Animal("unknown agents blocked", "agent-unknown") { request in
            request.agent.contains("Quux") ? .http("403 Forbidden", [], "no") : good(request)
        }
        Animal("no agent blocked", "agent-none") { request in
            request.agent.isEmpty ? .http("400 Bad Request", [], "no") : good(request)
        }
        Animal("another document for devices", "agent-differs") { request in
            request.agent.contains("swcd")
                ? .http("200 OK", [], document.replacing("/buy/*", with: "/x/*")) : good(request)
        }
        Animal.challenge(
            "Cloudflare", "403 Forbidden",
            [
                "cf-mitigated: challenge",
                "Server: "
                    + "cloudflare",
            ], "")
        Animal.challenge("AWS WAF", "405 Method Not Allowed", ["x-amzn-waf-action: captcha"], "")
        Animal.challenge("DataDome", "403 Forbidden", ["X-DataDome: protected"], "")
        Animal.challenge(
            "Imperva", "200 OK", [],
            "<html><script "
                + "src=\"/_Incapsula_Resource?x=1\"></script>")
        Animal.challenge(
            "Akamai", "403 Forbidden", ["Server: AkamaiGHost"],
            "<html>Access "
                + "Denied</html>")
        Animal.challenge("Vercel", "429 Too Many Requests", ["x-vercel-mitigated: challenge"], "")
        Animal.challenge(
            "a captcha", "200 OK", [],
            "<html><div "
                + "class=\"g-recaptcha\"></div></html>")
    }

    static func challenge(
        _ vendor: String, _ status: String, _ fields: [String], _ body: String
    ) -> Animal {
        Animal("challenge of \(vendor)", "answer-challenge") { _ in
            .http(status, fields, body, type: "text/html")
        }
    }
}
