import AASADevice
import OpenSSL
import TestSupport

extension Animal {
    @AnimalList static var contentFaults: [Animal] {
        Animal.body("empty body", "answer-empty", "")
        Animal.body(
            "single-page application", "answer-html",
            "<!DOCTYPE html><html><head><title>My shop</title></head></html>", type: "text/html"
        )
        Animal.body(
            "served as octets", "answer-content-type", document,
            type: "application/octet-stream")
        Animal.body("without a type", "answer-no-content-type", document, type: nil)
        Animal("compressed unasked", "answer-compressed") { request in
            compressed(request, asked: false)
        }
        Animal("compressed when asked", nil) { request in compressed(request, asked: true) }
        Animal.body(
            "compressed, and damaged", "answer-compressed-broken", "\u{1F}\u{8B}…",
            ["Content-Encoding: gzip"])
        Animal.body(
            "compressed with a coding that nobody offers", "answer-compressed-broken", document,
            ["Content-Encoding: br"])
        Animal.body(
            "a charset for a coding", "answer-unknown-coding", document,
            ["Content-Encoding: utf-8"])
        Animal.body(
            "a coding that an upload left behind", "answer-unknown-coding", document,
            ["Content-Encoding: aws-chunked"])
        Animal.body("trailing comma", "json-trailing-comma", "{\"applinks\":{\"details\":[],}}")
        Animal.body("json-comment", "json-comment", "{// links\n\"applinks\":{}}")
        Animal.body("byte order mark", "json-byte-order-mark", "\u{FEFF}" + document)
        Animal.body("cut in the middle", "json-truncated", String(document.dropLast(20)))
        Animal.body(
            "placeholder for the team", "app-id-placeholder",
            document.replacing("D3KQX62K1A", with: "TEAMID"))
        Animal.body(
            "misspelt key", "component-key-misspelt",
            document.replacing("\"/\":\"/buy/*\"", with: "\"path\":\"/buy/*\""),
            also: ["rule-unreachable"])
        Animal.body(
            "too large", "size-over-limit",
            document.dropLast() + ",\"x\":\"" + String(repeating: "x", count: 131_072) + "\"}")
        Animal(
            "app not listed", "document-app-not-listed",
            settings: { $0.phone.app = "D3KQX62K1A.com.example.other" }, answer: good)
    }

    @AnimalList static var signedFaults: [Animal] {
        Animal.signed("signed, expired", "cms-expired") {
            try CMSSigner.sign(Array(document.utf8), with: $0.expired)
        }
        Animal.signed("signed for another host", "cms-wrong-host") {
            try CMSSigner.sign(Array(document.utf8), with: $0.wrongName)
        }
        // The current devices refuse it, the old ones do not.
        Animal.signed(
            "signed, with a common name alone", "cms-common-name",
            also: ["device-current-fails"]
        ) {
            try CMSSigner.sign(Array(document.utf8), with: $0.nameless)
        }
        Animal.signed("signed by itself", "cms-self-signed") {
            try CMSSigner.sign(Array(document.utf8), with: $0.selfSigned)
        }
        Animal.signed("signed by an unknown authority", "cms-missing-intermediate") {
            try CMSSigner.sign(Array(document.utf8), with: $0.untrusted)
        }
        Animal.signed("signed without the intermediate", "cms-missing-intermediate") {
            try CMSSigner.sign(Array(document.utf8), with: $0.leafOnly)
        }
        Animal.signed("signed as PEM", "cms-pem") {
            let der = try CMSSigner.sign(Array(document.utf8), with: $0.good)
            return Array("-----BEGIN PKCS7-----\n\(base64(der))\n-----END PKCS7-----\n".utf8)
        }
        Animal.signed("signed, with a line feed behind", "cms-trailing-bytes") {
            try CMSSigner.sign(Array(document.utf8), with: $0.good) + [0x0A]
        }
        Animal.signed("signed, cut short", "cms-truncated") {
            Array(try CMSSigner.sign(Array(document.utf8), with: $0.good).dropLast(100))
        }
        Animal.signed("signed, content changed", "cms-content-changed") {
            let der = try CMSSigner.sign(Array(document.utf8), with: $0.rsa)
            return replacing(Array("/buy/*".utf8), with: Array("/pay/*".utf8), in: der)
        }
        Animal.signed("signed, read as text", "cms-transcoded") {
            let der = try CMSSigner.sign(Array(document.utf8), with: $0.good)
            // What an editor makes of bytes that are no UTF-8.
            return Array(String(decoding: der, as: UTF8.self).utf8)
        }
        Animal.signed(
            "signed, with mail headers inside", "cms-text-header",
            also: ["cms-crlf", "json-signed-mime"]
        ) {
            try CMSSigner.sign(
                Array(("Content-Type: text/plain\r\n\r\n" + document).utf8), with: $0.good)
        }
        Animal.signed("signed, as JSON", "signed-content-type", type: "application/json") {
            try CMSSigner.sign(Array(document.utf8), with: $0.good)
        }
        Animal.signed("signed, without a type", "signed-content-type", type: nil) {
            try CMSSigner.sign(Array(document.utf8), with: $0.good)
        }
        Animal.signed("signed, not JSON inside", "json-trailing-comma") {
            try CMSSigner.sign(Array("{\"applinks\":{},}".utf8), with: $0.good)
        }
    }

    @AnimalList static var cdnFaults: [Animal] {
        Animal.cdn("CDN: 403", "cdn-bad-status", also: ["cdn-negative-cached"]) { _ in
            failure(
                "SWCERR00101 Bad HTTP Response: 403 Forbidden", "{\"status\":\"403 Forbidden\"}"
            )
        }
        Animal.cdn("CDN: private address", "cdn-private-address", also: ["cdn-negative-cached"]) {
            _ in
            failure(
                "SWCERR00202 Connections to private/reserved IP addresses are not allowed", "{}"
            )
        }
        Animal.cdn("CDN: timeout", "cdn-timeout", also: ["cdn-negative-cached"]) { _ in
            failure("SWCERR00301 Timeout", "{\"cause\":\"Connection timed out\"}")
        }
        Animal.cdn("CDN: bad JSON", "cdn-bad-json", also: ["cdn-negative-cached"]) { _ in
            failure("SWCERR00401 Bad JSON content", "{}")
        }
        Animal.cdn(
            "CDN: a code nobody "
                + "knows", "cdn-unknown-failure", also: ["cdn-negative-cached"]
        ) {
            _ in failure("SWCERR00555 Something new", "not JSON")
        }
        Animal.cdn(
            "CDN: 404 without a "
                + "reason", "cdn-not-found", also: ["cdn-negative-cached"]
        ) { _ in
            .http("404 Not Found", [], "Not Found", type: "text/plain")
        }
        Animal.cdn("CDN: an older document", "cdn-stale") { _ in
            .http(
                "200 OK", ["Cache-Control: max-age=21600", "Age: 600"],
                document.replacing("/buy/*", with: "/old/*"))
        }
        Animal.cdn("CDN: does not answer", "cdn-unreachable") { _ in .send([]) }
    }

    @AnimalList static var siblingFaults: [Animal] {
        sibling("siblings that are not there", nil, at: "assetlinks.json") { _ in
            .http("404 Not Found", [], "", type: nil)
        }
        sibling("assetlinks redirected", "sibling-redirect", at: "assetlinks.json") { _ in
            .http("301 Moved Permanently", ["Location: /a.json"], "")
        }
        sibling("webauthn as text", "sibling-content-type", at: "webauthn") { _ in
            .http("200 OK", [], "{\"origins\":[\"https://shop.example\"]}", type: "text/plain")
        }
        sibling("assetlinks forbidden", "sibling-status", at: "assetlinks.json") { _ in
            .http("403 Forbidden", [], "")
        }
        sibling("every path exists", "sibling-status", at: "resource-that-should-not-exist") { _ in
            .http("200 OK", [], "{}")
        }
    }

    /// A good origin with one document beside the association.
    private static func sibling(
        _ name: String, _ code: String?, at path: String, _ answer: @escaping Answer
    ) -> Animal {
        Animal(
            name, code, settings: { $0.siblings = true },
            answer: { request in
                request.path.hasPrefix("/.well-known/" + path) ? answer(request) : good(request)
            })
    }

    private static func failure(_ reason: String, _ details: String) -> FaultAnswer {
        .http(
            "404 Not Found",
            [
                "Apple-Failure-Reason: \(reason)", "Apple-Failure-Details: \(details)",
                "Apple-From: https://zoo.example.com/.well-known/apple-app-site-association",
                "Apple-Try-Direct: false", "Cache-Control: max-age=3600", "Age: 120",
            ], "Not Found", type: "text/plain")
    }

    /// The document in a gzip of stored blocks, for whoever offers it, or for everybody.
    private static func compressed(_ request: FaultRequest, asked: Bool) -> FaultAnswer {
        let offers = request.field("Accept-Encoding")?.contains("gzip") == true
        let isDocument = request.path.hasSuffix("/apple-app-site-association")
        guard isDocument, request.method == "GET", offers || !asked else { return good(request) }
        return .send(
            FaultAnswer.bytes(
                "200 OK", ["Content-Encoding: gzip"], Gzip.stored(Array(document.utf8))))
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var lines: [String] = []
        var line: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word = group.reduce(0) { $0 << 8 | UInt32($1) }
            word <<= UInt32(8 * (3 - group.count))
            for index in 0..<4 {
                let digit = digits[Int(word >> UInt32(18 - 6 * index) & 63)]
                line.append(index <= group.count ? digit : UInt8(ascii: "="))
            }
            if line.count == 64 {
                lines.append(String(decoding: line, as: UTF8.self))
                line = []
            }
        }
        if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines.joined(separator: "\n")
    }

    private static func replacing(_ old: [UInt8], with new: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for start in 0...(bytes.count - old.count)
        where Array(bytes[start..<(start + old.count)]) == old {
            result.replaceSubrange(start..<(start + old.count), with: new)
        }
        return result
    }
}
