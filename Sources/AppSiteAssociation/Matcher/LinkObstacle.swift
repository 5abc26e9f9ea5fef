/// Why a URL opens no app by a host's document, whatever its rules say.
public enum LinkObstacle: Sendable, Hashable {
    /// Universal links use http or https.
    case scheme(String)
    /// `www.example.com` and `example.com` have separate documents.
    case www(host: String, domain: String)
    /// A sub-domain of the host; only covered by an entitlement `*.DOMAIN`.
    case subdomain(host: String, domain: String)
    /// Any other host.
    case host(String, domain: String)
    /// A port: according to Apple, an entry with a port does not open the app.
    case port(String)
}

extension LinkObstacle: CustomStringConvertible {
    /// One sentence without a full stop.
    public var description: String {
        switch self {
        case .scheme(let scheme):
            "\(scheme): URLs are no universal links; only https and http are"
        case .www(let host, let domain):
            "\(host) is another host than \(domain): it needs a document and an entitlement of "
                + "its own"
        case .subdomain(let host, let domain):
            "\(host) is another host than \(domain): this document counts for it only in apps "
                + "whose entitlement says applinks:*.\(domain)"
        case .host(let host, let domain):
            "\(host) is another host: this document is that of \(domain)"
        case .port(let port):
            "the URL names port \(port): Apple says that universal links carry no port, whatever "
                + "the rules say"
        }
    }
}

extension URLParts {
    /// Whether the URL belongs to `domain`; a path alone belongs to every domain. International
    /// names are compared in their DNS form.
    func belongs(to domain: String?) -> Bool {
        guard let host, let domain = domain?.lowercased() else { return host == nil }
        if host == domain { return true }
        guard let host = Punycode.ascii(host) else { return false }
        return host == Punycode.ascii(domain)
    }

    /// Why this URL does not belong to the document of `domain`; nil if it does.
    public func obstacle(to domain: String?) -> LinkObstacle? {
        // A path alone counts as part of a universal link.
        if let scheme, scheme != "https", scheme != "http" { return .scheme(scheme) }
        if let host, let domain, !belongs(to: domain) {
            let domain = Punycode.ascii(domain.lowercased()) ?? domain
            let ascii = Punycode.ascii(host) ?? host
            if ascii == "www." + domain || "www." + ascii == domain {
                return .www(host: host, domain: domain)
            }
            if ascii.hasSuffix("." + domain) { return .subdomain(host: host, domain: domain) }
            return .host(host, domain: domain)
        }
        if let port, !((port == "443" && scheme == "https") || (port == "80" && scheme == "http")) {
            return .port(port)
        }
        return nil
    }
}
