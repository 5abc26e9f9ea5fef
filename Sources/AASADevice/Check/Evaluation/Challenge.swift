import AASAClient

/// Bot protection that replaces the document, detected by common properties of its pages and heads.
struct Challenge {
    let name: String
    let remedy: String
    private let matches: (ResponseHead, String) -> Bool

    private init(
        _ name: String, _ remedy: String, _ matches: @escaping (ResponseHead, String) -> Bool
    ) {
        self.name = name
        self.remedy = remedy
        self.matches = matches
    }

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

    private static var all: [Challenge] {
        [
            Challenge(
                "Cloudflare",
                "Cloudflare: add a WAF custom rule that skips bot rules for both paths; Bot Fight "
                    + "Mode on the free plan cannot be skipped by rules: switch it off."
            ) { head, text in
                head.value("cf-mitigated")?.lowercased() == "challenge"
                    || text.contains("challenge-platform") || text.contains("cf-chl-")
                    || (head.value("server")?.lowercased() == "cloudflare"
                        && text.contains("just a moment"))
            },
            Challenge(
                "AWS WAF",
                "AWS WAF: add an allow rule for both paths before the bot control group."
            ) {
                head, text in
                head.value("x-amzn-waf-action") != nil || text.contains("awswafcaptcha")
                    || text.contains("token.awswaf.com")
            },
            Challenge(
                "Vercel",
                "Vercel: add a firewall bypass rule for both paths, or end Attack Mode."
            ) {
                head, text in
                head.value("x-vercel-mitigated") != nil
                    || text.contains("vercel security checkpoint")
            },
            Challenge("DataDome", "DataDome: exclude both paths from protection.") { head, text in
                head.value("x-datadome") != nil || text.contains("captcha-delivery.com")
            },
            Challenge(
                "Imperva",
                "Imperva: add an exception for both paths to the bot rules."
            ) { head, text in
                text.contains("_incapsula_resource") || text.contains("incapsula incident id")
            },
            Challenge("HUMAN (PerimeterX)", "HUMAN: exclude both paths from enforcement.") {
                _, text in
                text.contains("px-captcha") || text.contains("perimeterx")
            },
            Challenge(
                "Akamai",
                "Akamai: exempt both paths in Bot Manager and the application firewall."
            ) {
                head, text in
                (head.value("server")?.lowercased().contains("akamai") == true
                    && text.contains("access denied")) || text.contains("errors.edgesuite.net")
            },
            Challenge("Sucuri", "Sucuri: add both paths to the allowed URL paths.") { _, text in
                text.contains("sucuri website firewall")
            },
            Challenge("an F5 firewall", "F5: exempt both paths in the bot defence profile.") {
                _, text in
                text.contains("the requested url was rejected. please consult")
            },
            Challenge("a captcha", "Exempt both paths from the captcha.") { _, text in
                text.contains("g-recaptcha") || text.contains("hcaptcha.com")
                    || text.contains("recaptcha/api.js")
                    || text.contains("challenges.cloudflare.com/turnstile")
            },
        ]
    }
}
