import AASAClient

/// The target of a redirect.
struct RedirectTarget: Equatable {
    let isTLS: Bool
    let host: String
    let port: UInt16
    let target: String

    var url: String {
        // As a request writes its own: a circle is found by equal texts.
        var request = ClientRequest(host: host, port: port, target: target)
        request.security.isTLS = isTLS
        return request.url
    }

    /// Resolves a Location against the request (RFC 3986 section 5, as far as servers use it).
    init?(_ location: String?, from request: ClientRequest) {
        guard var location, !location.isEmpty else { return nil }
        if let hash = location.firstIndex(of: "#") { location = String(location[..<hash]) }
        if location.hasPrefix("//") {
            location = (request.security.isTLS ? "https:" : "http:") + location
        }
        if let url = try? ServerURL(parsing: location) {
            self.init(
                isTLS: url.isTLS, host: url.host.lowercased(), port: url.port,
                target: url.requestTarget)
            return
        }
        // Another scheme, or no good URL; in a query it is a parameter (`/login?next=https://…`).
        if location.prefix(while: { $0 != "/" && $0 != "?" }).hasSuffix(":") { return nil }
        var target = location
        if !target.hasPrefix("/") {
            let folder = request.target.prefix { $0 != "?" }
            target = folder[...(folder.lastIndex(of: "/") ?? folder.startIndex)] + target
        }
        self.init(
            isTLS: request.security.isTLS, host: request.host, port: request.port, target: target)
    }

    private init(isTLS: Bool, host: String, port: UInt16, target: String) {
        self.isTLS = isTLS
        self.host = host
        self.port = port
        self.target = target
    }
}
