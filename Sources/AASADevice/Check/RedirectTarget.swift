import AASAClient

extension ClientRequest {
    /// The request that a redirect leads to; nil if it leads nowhere.
    ///
    /// Its URL is written as it would be sent: a circle is found by equal URLs.
    ///
    /// - Parameter location: resolved against this request (RFC 3986 section 5, as far as servers
    ///   use it).
    func redirected(to location: String?) -> ClientRequest? {
        guard var location, !location.isEmpty else { return nil }
        if let hash = location.firstIndex(of: "#") { location = String(location[..<hash]) }
        if location.hasPrefix("//") { location = (security.isTLS ? "https:" : "http:") + location }
        var next = self
        if let url = try? ServerURL(parsing: location) {
            next.host = url.host.lowercased()
            next.port = url.port
            next.target = url.requestTarget
            next.security.isTLS = url.isTLS
            return next
        }
        // Another scheme, or no good URL; in a query it is a parameter (`/login?next=https://…`).
        if location.prefix(while: { $0 != "/" && $0 != "?" }).hasSuffix(":") { return nil }
        next.target = location
        if !location.hasPrefix("/") {
            let folder = target.prefix { $0 != "?" }
            next.target = folder[...(folder.lastIndex(of: "/") ?? folder.startIndex)] + location
        }
        return next
    }
}
