package import AppSiteAssociation
package import OpenSSL

/// The renewal window that an authority suggests (RFC 9773).
package struct RenewalInfo: Sendable, Hashable {
    /// Seconds since 1970.
    package let start: Int64
    package let end: Int64
    /// A page that explains the reason, for people.
    package var explanation: String?

    /// The identifier of a certificate in requests: its authority key identifier and its serial
    /// number (RFC 9773 section 4.1); nil without an authority key identifier.
    package static func identifier(of certificate: Certificate) -> String? {
        guard let authority = certificate.authorityKeyIdentifier, !authority.isEmpty else {
            return nil
        }
        return Base64.encodeForURL(authority) + "." + Base64.encodeForURL(certificate.serialBytes)
    }
}

extension RenewalInfo {
    package init(_ value: JSONValue) throws(InvalidResponse) {
        let window = value["suggestedWindow"]
        guard let start = window?["start"]?.string.flatMap(Timestamp.seconds(rfc3339:)),
            let end = window?["end"]?.string.flatMap(Timestamp.seconds(rfc3339:))
        else { throw InvalidResponse("the renewal information has no window") }
        // RFC 9773 section 4.2: such a window must be ignored.
        guard end > start else { throw InvalidResponse("the renewal window ends before it begins") }
        self.start = Int64(start)
        self.end = Int64(end)
        explanation = value["explanationURL"]?.string.map { AuthorityText.clean($0, 300) }
    }
}
