import Texts

/// The status page: one document with its style and script inline; it loads nothing from elsewhere.
/// Its parts are the files in `Page/`, compiled in.
package enum StatusPage {
    /// The content security policy that lets the page's own style and script run and nothing else.
    ///
    /// - Parameter nonce: fresh for each response (CSP level 3, section 2.3.1).
    package static func contentSecurityPolicy(nonce: String) -> String {
        "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; "
            + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }

    package static func render(nonce: String) -> [UInt8] {
        // The nonce comes last: neither style nor script contains its placeholder.
        return Array(
            Text.statusPage.string.replacing("{{style}}", with: Text.statusStyle.string)
                .replacing("{{script}}", with: Text.statusScript.string)
                .replacing("{{nonce}}", with: nonce).utf8)
    }
}
