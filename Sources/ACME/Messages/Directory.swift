package import AppSiteAssociation

/// A violation of RFC 8555 in a response.
package struct InvalidResponse: Error, Sendable, Hashable {
    package let what: String
    package init(_ what: String) { self.what = what }
}

/// The resources of an authority (RFC 8555 section 7.1.1).
package struct Directory: Sendable, Hashable {
    package let newNonce: String
    package let newAccount: String
    package let newOrder: String
    /// The URL for renewal information (RFC 9773); nil if not offered.
    package let renewalInfo: String?
    package let termsOfService: String?
    package let needsExternalAccount: Bool
    /// Sorted (draft-ietf-acme-profiles).
    package let profiles: [String]
    /// The authority's domains in CAA records.
    package let caaIdentities: [String]

    /// - Parameter url: the directory's URL: an authority that we use over HTTPS may not refer us
    ///   to anything but HTTPS.
    package init(_ value: JSONValue, url: String) throws(InvalidResponse) {
        newNonce = try Resource.url(value, "newNonce", in: "the directory", of: url)
        newAccount = try Resource.url(value, "newAccount", in: "the directory", of: url)
        newOrder = try Resource.url(value, "newOrder", in: "the directory", of: url)
        renewalInfo =
            value["renewalInfo"] == nil
            ? nil : try Resource.url(value, "renewalInfo", in: "the directory", of: url)
        let meta = value["meta"]
        termsOfService = meta?["termsOfService"]?.string.map { AuthorityText.clean($0, 500) }
        needsExternalAccount = meta?["externalAccountRequired"]?.bool ?? false
        caaIdentities = Array((meta?["caaIdentities"]?.strings ?? []).prefix(20))
            .map { AuthorityText.clean($0, 253) }
        profiles = (meta?["profiles"]?.members ?? []).prefix(50)
            .map { AuthorityText.clean($0.key, 100) }.sorted()
    }
}

/// URLs in an authority's responses.
enum Resource {
    /// Maximum length of a URL; longer ones are rejected.
    static let bytesMaximum = 2048

    static func url(
        _ value: JSONValue, _ key: String, in what: String, of origin: String
    ) throws(InvalidResponse) -> String {
        guard let text = value[key]?.string else {
            throw InvalidResponse("\(what) has no \"\(key)\"")
        }
        return try check(text, "\"\(key)\" of \(what)", origin)
    }

    /// HTTPS only, unless the directory itself is not.
    static func check(
        _ text: String, _ what: String, _ origin: String
    ) throws(InvalidResponse) -> String {
        let isPlainAllowed = origin.hasPrefix("http://")
        let isURL = text.hasPrefix("https://") || isPlainAllowed && text.hasPrefix("http://")
        let isClean = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard isURL, isClean, text.utf8.count <= bytesMaximum else {
            throw InvalidResponse("\(what) is not an https URL: \(AuthorityText.clean(text, 100))")
        }
        return text
    }
}
