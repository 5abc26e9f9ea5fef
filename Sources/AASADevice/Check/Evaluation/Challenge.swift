import AASAClient

/// Bot protection that replaces the document, detected by common properties of its pages and heads.
struct Challenge: Sendable {
    let name: String
    let remedy: String
    /// A field of the head that tells the vendor, and its value; nil: any value.
    private var field: (name: String, value: String?)?
    /// What only the vendor's pages contain, in lower case.
    private var texts: [String] = []
    /// The name of a server, and what its pages contain, in lower case.
    private var server: (name: String, text: String)?

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
            name: "Cloudflare",
            remedy: "Cloudflare: add a WAF custom rule that skips bot rules for both paths; Bot "
                + "Fight Mode on the free plan cannot be skipped by rules: switch it off.",
            field: ("cf-mitigated", "challenge"), texts: ["challenge-platform", "cf-chl-"],
            server: ("cloudflare", "just a moment")),
        Challenge(
            name: "AWS WAF",
            remedy: "AWS WAF: add an allow rule for both paths before the bot control group.",
            field: ("x-amzn-waf-action", nil), texts: ["awswafcaptcha", "token.awswaf.com"]),
        Challenge(
            name: "Vercel",
            remedy: "Vercel: add a firewall bypass rule for both paths, or end Attack Mode.",
            field: ("x-vercel-mitigated", nil), texts: ["vercel security checkpoint"]),
        Challenge(
            name: "DataDome", remedy: "DataDome: exclude both paths from protection.",
            field: ("x-datadome", nil), texts: ["captcha-delivery.com"]),
        Challenge(
            name: "Imperva", remedy: "Imperva: add an exception for both paths to the bot rules.",
            texts: ["_incapsula_resource", "incapsula incident id"]),
        Challenge(
            name: "HUMAN (PerimeterX)", remedy: "HUMAN: exclude both paths from enforcement.",
            texts: ["px-captcha", "perimeterx"]),
        Challenge(
            name: "Akamai",
            remedy: "Akamai: exempt both paths in Bot Manager and the application firewall.",
            texts: ["errors.edgesuite.net"], server: ("akamai", "access denied")),
        Challenge(
            name: "Sucuri", remedy: "Sucuri: add both paths to the allowed URL paths.",
            texts: ["sucuri website firewall"]),
        Challenge(
            name: "an F5 firewall", remedy: "F5: exempt both paths in the bot defence profile.",
            texts: ["the requested url was rejected. please consult"]),
        Challenge(
            name: "a captcha", remedy: "Exempt both paths from the captcha.",
            texts: [
                "g-recaptcha", "hcaptcha.com", "recaptcha/api.js",
                "challenges.cloudflare.com/turnstile",
            ]),
    ]
}
