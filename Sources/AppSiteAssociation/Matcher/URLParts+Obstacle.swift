extension URLParts {
    /// Whether the URL belongs to `domain`; a path alone belongs to every domain. International
    /// names are compared in their DNS form.
    func belongs(to domain: String?) -> Bool {
        guard let host, let domain = domain?.lowercased() else { return host == nil }
        if host == domain { return true }
        guard let host = Punycode.ascii(host) else { return false }
        return host == Punycode.ascii(domain)
    }

    /// Why this URL opens no app by the document of `domain`, whatever its rules say: one sentence
    /// without a full stop; nil if it may open one.
    public func obstacle(to domain: String?) -> String? {
        // A path alone counts as part of a universal link.
        if let scheme, scheme != "https", scheme != "http" {
            return "\(scheme): URLs are no universal links; only https and http are"
        }
        if let host, let domain, !belongs(to: domain) {
            let domain = Punycode.ascii(domain.lowercased()) ?? domain
            let ascii = Punycode.ascii(host) ?? host
            if ascii == "www." + domain || "www." + ascii == domain {
                return "\(host) is another host than \(domain): it needs a document and an "
                    + "entitlement of its own"
            }
            // Only covered by an entitlement `*.DOMAIN`.
            if ascii.hasSuffix("." + domain) {
                return "\(host) is another host than \(domain): this document counts for it only "
                    + "in apps whose entitlement says applinks:*.\(domain)"
            }
            return "\(host) is another host: this document is that of \(domain)"
        }
        if let port, !((port == "443" && scheme == "https") || (port == "80" && scheme == "http")) {
            return "the URL names port \(port): Apple says that universal links carry no port, "
                + "whatever the rules say"
        }
        return nil
    }
}
