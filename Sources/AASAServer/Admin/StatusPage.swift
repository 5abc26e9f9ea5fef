/// The status page: one document with its style and script inline; it loads nothing from elsewhere.
/// Its parts are the files in `Page/`, embedded when the server is built.
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
        let page = String(decoding: PackageResources.status_html, as: UTF8.self)
        // The nonce comes last: neither style nor script contains its placeholder.
        return Array(
            page.replacing("{{style}}", with: text(PackageResources.status_css))
                .replacing("{{script}}", with: text(PackageResources.status_js))
                .replacing("{{nonce}}", with: nonce).utf8)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
