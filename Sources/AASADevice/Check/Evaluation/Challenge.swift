import AASAClient

/// Bot protection that replaces the document, detected by common properties of its pages and heads.
struct Challenge: Sendable {
    /// Also the word of its fix in the catalogue, at `answer-challenge`.
    let name: String
    /// A field of the head that tells the vendor, and its value; nil: any value.
    private var field: (name: String, value: String?)?
    /// What only the vendor's pages contain, in lower case.
    private var texts: [String] = []
    /// The name of a server, and what its pages contain, in lower case.
    private var server: (name: String, text: String)?

    var remedy: String? { CheckCatalog.entry("answer-challenge")?.remedies[name] }

    /// The vendor of the challenge; nil for an ordinary response.
    static func vendor(_ exchange: ClientExchange) -> Challenge? {
        guard let head = exchange.head else { return nil }
        // JSON is never a challenge, whatever its content.
        if let first = exchange.body.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{"),
            head.status == 200
        {
            return nil
        }
        let text = HTMLPage.text(exchange.body)
        return all.first { $0.matches(head, text) }
    }

    private func matches(_ head: ResponseHead, _ text: String) -> Bool {
        if let field, let value = head.value(field.name)?.lowercased(),
            value == field.value ?? value
        {
            return true
        }
        if let server, head.value("server")?.lowercased().contains(server.name) == true,
            text.contains(server.text)
        {
            return true
        }
        return texts.contains { text.contains($0) }
    }

    private static let all = [
        Challenge(
            name: "Cloudflare", field: ("cf-mitigated", "challenge"),
            texts: ["challenge-platform", "cf-chl-"], server: ("cloudflare", "just a moment")),
        Challenge(
            name: "AWS WAF", field: ("x-amzn-waf-action", nil),
            texts: ["awswafcaptcha", "token.awswaf.com"]),
        Challenge(
            name: "Vercel", field: ("x-vercel-mitigated", nil),
            texts: ["vercel security checkpoint"]),
        Challenge(
            name: "DataDome", field: ("x-datadome", nil), texts: ["captcha-delivery.com"]),
        Challenge(name: "Imperva", texts: ["_incapsula_resource", "incapsula incident id"]),
        Challenge(name: "HUMAN (PerimeterX)", texts: ["px-captcha", "perimeterx"]),
        Challenge(
            name: "Akamai", texts: ["errors.edgesuite.net"], server: ("akamai", "access denied")),
        Challenge(name: "Sucuri", texts: ["sucuri website firewall"]),
        Challenge(
            name: "an F5 firewall", texts: ["the requested url was rejected. please consult"]),
        Challenge(
            name: "a captcha",
            texts: [
                "g-recaptcha", "hcaptcha.com", "recaptcha/api.js",
                "challenges.cloudflare.com/turnstile",
            ]),
    ]
}
