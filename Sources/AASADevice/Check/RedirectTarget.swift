import AASAClient

/// The target of a redirect.
struct RedirectTarget: Equatable {
    let isTLS: Bool
    let host: String
    let port: UInt16
    let target: String

    var url: String {
        let usual: UInt16 = isTLS ? 443 : 80
        return "\(isTLS ? "https" : "http")://\(host)\(port == usual ? "" : ":\(port)")\(target)"
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
        if location.contains("://") { return nil }
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
