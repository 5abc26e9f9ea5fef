/// Detects pages that deny access, by status and text, because the status (400, 403) does not tell
/// the reason.
enum AccessPage {
    /// Why a response other than 200 denies access; nil if only the status is known.
    static func kind(_ status: Int, _ body: [UInt8]) -> (String, String)? {
        let text = HTMLPage.text(body)
        if certificateSigns.contains(where: { text.contains($0) }) {
            return ("answer-client-certificate", "the server requires a client certificate")
        }
        // 451: Unavailable For Legal Reasons (RFC 7725), in practice by country.
        if status == 451 || geoSigns.contains(where: { text.contains($0) }) {
            return ("answer-geo-block", "the server rejects the country or region of the client")
        }
        // 511: Network Authentication Required (RFC 6585), a captive portal.
        if status == 511 || ((400..<500).contains(status) && isLogin(body)) {
            return ("answer-login", "a login page")
        }
        return nil
    }

    /// Whether a page asks for a password or a login.
    static func isLogin(_ body: [UInt8]) -> Bool {
        guard HTMLPage.isPage(body) else { return false }
        let text = HTMLPage.text(body)
        if ["type=\"password\"", "type='password'", "type=password"].contains(where: {
            text.contains($0)
        }) {
            return true
        }
        let title = HTMLPage.title(body)?.lowercased() ?? ""
        return ["log in", "login", "sign in", "sign-in", "single sign-on", "authenticate"]
            .contains { title.contains($0) }
    }

    /// The texts of nginx, Apache, IIS 403.7, HAProxy and others.
    private static let certificateSigns = [
        "no required ssl certificate", "the ssl certificate error", "client certificate",
        "certificate required", "post-handshake authentication",
    ]

    private static let geoSigns = [
        // CloudFront.
        "configured to block access from your country",
        // Cloudflare 1009.
        "has banned the country or region your ip address is in", "error 1009",
        "not available in your country", "not available in your region",
        "not available in your location", "unavailable in your country",
        "blocked in your country", "access from your country",
        "unavailable for legal reasons",
    ]
}
