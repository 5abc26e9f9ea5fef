import AASAClient

/// The target of a redirect.
struct RedirectTarget {
    /// As it would be sent: a circle is found by equal URLs.
    private let request: ClientRequest

    var isTLS: Bool { request.security.isTLS }
    var host: String { request.host }
    var port: UInt16 { request.port }
    var target: String { request.target }
    var url: String { request.url }

    /// Resolves a Location against the request (RFC 3986 section 5, as far as servers use it).
    init?(_ location: String?, from request: ClientRequest) {
        guard var location, !location.isEmpty else { return nil }
        if let hash = location.firstIndex(of: "#") { location = String(location[..<hash]) }
        if location.hasPrefix("//") {
            location = (request.security.isTLS ? "https:" : "http:") + location
        }
        if let url = try? ServerURL(parsing: location) {
            var next = ClientRequest(url)
            next.host = url.host.lowercased()
            self.request = next
            return
        }
        // Another scheme, or no good URL; in a query it is a parameter (`/login?next=https://…`).
        if location.prefix(while: { $0 != "/" && $0 != "?" }).hasSuffix(":") { return nil }
        var target = location
        if !target.hasPrefix("/") {
            let folder = request.target.prefix { $0 != "?" }
            target = folder[...(folder.lastIndex(of: "/") ?? folder.startIndex)] + target
        }
        var next = ClientRequest(host: request.host, port: request.port, target: target)
        next.security.isTLS = request.security.isTLS
        self.request = next
    }
}
