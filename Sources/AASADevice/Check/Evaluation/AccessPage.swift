/// Detects pages that deny access, by status and text, because the status (400, 403) does not tell
/// the reason.
enum AccessPage {
    /// Why a response other than 200 denies access; nil if only the status is known.
    static func kind(_ status: Int, _ body: [UInt8]) -> (String, String)? {
        let text = HTMLPage.text(body)
        if PageSigns.has("answer-client-certificate", in: text) {
            return ("answer-client-certificate", "the server requires a client certificate")
        }
        // 451: Unavailable For Legal Reasons (RFC 7725), in practice by country.
        if status == 451 || PageSigns.has("answer-geo-block", in: text) {
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
        let title = HTMLPage.title(body)?.lowercased() ?? ""
        return PageSigns.has("answer-login", in: HTMLPage.text(body))
            || PageSigns.has("title of a login", in: title)
    }
}
