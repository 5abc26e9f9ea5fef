package import HTTP

/// Makes the prepared responses of a site; only this type knows which fields an answer has.
///
/// There is never an ETag, Last-Modified, Accept-Ranges or Set-Cookie: no client or cache can send
/// anything back that would lead to an answer other than the document.
package struct ResponseFactory: Sendable, Equatable {
    /// A field of a response.
    typealias Field = (name: String, value: String)

    /// `max-age` of `Strict-Transport-Security`; 0: not sent.
    package let strictTransportSecuritySeconds: Int

    /// A minute: devices have their own timer of three hours and more, so only validators and load
    /// balancers read this, and a broken site is usually repaired within minutes.
    package static let retryAfterSeconds = 60

    package init(strictTransportSecuritySeconds: Int) {
        self.strictTransportSecuritySeconds = strictTransportSecuritySeconds
    }

    /// - Parameter varies: whether other clients get another form at the same address.
    func association(
        _ body: [UInt8], isSigned: Bool, cacheControl: String, varies: Bool
    ) -> PreparedResponse {
        let type = isSigned ? "application/pkcs7-mime" : "application/json"
        var fields: [Field] = [("Content-Type", type), ("Cache-Control", cacheControl)]
        if varies { fields.append(("Vary", "User-Agent")) }
        return response(200, fields, body)
    }

    package func sibling(
        _ body: [UInt8], mediaType: String, cacheControl: String
    ) -> PreparedResponse {
        // `nosniff`: these files may have been uploaded by others than the page's authors.
        response(
            200,
            [
                ("Content-Type", mediaType), ("Cache-Control", cacheControl),
                ("X-Content-Type-Options", "nosniff"),
            ], body)
    }

    /// The only redirect (a well-known URL for changing passwords, W3C, section 3).
    package func redirect(to target: String) -> PreparedResponse {
        response(302, [("Location", target), ("Cache-Control", "no-store")], [])
    }

    /// Every client treats a 503 as temporary; `no-store`, since a cached failure lasts longer than
    /// its cause.
    package func unavailable() -> PreparedResponse {
        text(503, "Service Unavailable\n", [("Retry-After", "\(Self.retryAfterSeconds)")])
    }

    /// An answer for people, which no cache keeps.
    func text(
        _ status: Int, _ text: String, _ more: [Field] = []
    ) -> PreparedResponse {
        let fields: [Field] = [
            ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"),
        ]
        return response(status, fields + more, Array(text.utf8))
    }

    private func response(
        _ status: Int, _ fields: [Field], _ body: [UInt8]
    ) -> PreparedResponse {
        var fields = fields
        // RFC 6797 section 7.1; Mozilla recommends the value.
        if strictTransportSecuritySeconds > 0 {
            fields.append(
                ("Strict-Transport-Security", "max-age=\(strictTransportSecuritySeconds)"))
        }
        return PreparedResponse(status: status, fields: fields, body: body)
    }
}
