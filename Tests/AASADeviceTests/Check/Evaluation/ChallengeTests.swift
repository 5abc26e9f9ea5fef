import AASAClient
import TestSupport
import Testing

@testable import AASADevice

@Suite struct ChallengeTests: EvaluatorSuite {
    private static func vendor(
        _ fields: [(String, String)], _ body: String, status: Int = 403
    ) -> Challenge? {
        Challenge.vendor(exchange(status, body, fields))
    }

    /// Each sign by itself.
    @Test(arguments: [
        ("Cloudflare", "CF-Mitigated", "Challenge", ""),
        ("Cloudflare", "", "", "<script src=/cdn-cgi/CHALLENGE-PLATFORM/x>"),
        ("Cloudflare", "", "", "id=cf-chl-widget"),
        ("Cloudflare", "Server", "cloudflare", "<title>Just a moment...</title>"),
        ("AWS WAF", "x-amzn-waf-action", "captcha", ""), ("AWS WAF", "", "", "AwsWafCaptcha"),
        ("AWS WAF", "", "", "https://x.token.awswaf.com/"),
        ("Vercel", "x-vercel-mitigated", "challenge", ""),
        ("Vercel", "", "", "Vercel Security Checkpoint"),
        ("DataDome", "X-DataDome", "protected", ""),
        ("DataDome", "", "", "geo.captcha-delivery.com"),
        ("Imperva", "", "", "/_Incapsula_Resource?x"),
        ("Imperva", "", "", "Incapsula incident ID: 1"),
        ("HUMAN (PerimeterX)", "", "", "id=px-captcha"),
        ("HUMAN (PerimeterX)", "", "", "PerimeterX"),
        ("Akamai", "Server", "AkamaiGHost", "Access Denied"),
        ("Akamai", "", "", "https://errors.edgesuite.net/18."),
        ("Sucuri", "", "", "Sucuri Website Firewall"),
        ("an F5 firewall", "", "", "The requested URL was rejected. Please consult"),
        ("a captcha", "", "", "class=g-recaptcha"), ("a captcha", "", "", "js.hcaptcha.com"),
        ("a captcha", "", "", "/recaptcha/api.js"),
        ("a captcha", "", "", "challenges.cloudflare.com/turnstile/v0"),
    ])
    func knowsEachSign(name: String, field: String, value: String, body: String) {
        let found = Self.vendor(field.isEmpty ? [] : [(field, value)], body)
        expectEqual(found?.name, name)
        expectEqual(found?.remedy?.hasSuffix("."), true)
    }

    /// What only one half of a sign has is an ordinary answer.
    @Test(arguments: [
        ("Server", "cloudflare", "<title>Not found</title>"),
        ("Server", "nginx", "just a moment"), ("cf-mitigated", "none", ""),
        ("Server", "AkamaiGHost", "Not found"), ("Server", "nginx", "access denied"),
        ("Server", "nginx", "<h1>404 Not Found</h1>"), ("cf-mitigated", "challenged", ""),
        ("Server", "nginx", "cf-mitigated: challenge"), ("Server", "nginx", "<x-datadome: 1"),
    ])
    func takesNothingElseForOne(field: String, value: String, body: String) {
        #expect(Self.vendor([(field, value)], body) == nil)
    }

    /// JSON is never a challenge, whatever its text; an object behind another status may be.
    @Test func letsDocumentsPass() {
        let text = " \n{\"a\":\"g-recaptcha\"}"
        #expect(Self.vendor([], text, status: 200) == nil)
        expectEqual(Self.vendor([], text, status: 403)?.name, "a captcha")
        expectEqual(Self.vendor([], "[\"g-recaptcha\"]", status: 200)?.name, "a captcha")
        #expect(Challenge.vendor(Self.failed(nil)) == nil)
    }
}
