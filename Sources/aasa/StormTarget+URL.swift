import AASAStorm
import Glibc

extension StormTarget {
    /// Where the document is when the URL names no path.
    static let wellKnownPath = "/.well-known/apple-app-site-association"

    /// Reads `https://HOST[:PORT][/PATH]` and finds the address: of `--resolve`, or of DNS.
    init(url: String, resolve: [String], authorityFile: String?) throws {
        guard url.lowercased().hasPrefix("https://") else {
            throw CommandError(
                "'\(url)' is not an https URL",
                remedy: "devices ask over https only: https://HOST[:PORT]",
                status: .usage)
        }
        let rest = url.dropFirst("https://".count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = String(rest.dropFirst(authority.count))
        let (host, port) = try Self.split(String(authority), url)
        let address = try Self.address(host, port, resolve)
        if let authorityFile, access(authorityFile, R_OK) != 0 {
            throw CommandError(String(cString: strerror(errno)), place: authorityFile)
        }
        // A lone slash is how people write "the site"; no device asks for it.
        self.init(
            host: host, port: port, address: address,
            path: path.isEmpty || path == "/"
                ? Self.wellKnownPath : path.hasPrefix("?") ? "/" + path : path,
            authorityFile: authorityFile)
    }

    private static func split(_ authority: String, _ url: String) throws -> (String, UInt16) {
        var host = Substring(authority)
        var port: UInt16 = 443
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0
            else {
                throw CommandError("'\(url)' has no usable port", status: .usage)
            }
            port = number
            host = authority[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        let allowed = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x40 }
        guard !host.isEmpty, allowed else {
            throw CommandError("'\(url)' has no usable host name", status: .usage)
        }
        return (String(host), port)
    }

    private static func address(_ host: String, _ port: UInt16, _ resolve: [String]) throws
        -> String
    {
        for entry in resolve {
            let parts = entry.split(separator: ":", maxSplits: 2).map(String.init)
            guard parts.count == 3, UInt16(parts[1]) != nil else {
                throw CommandError(
                    "'\(entry)' is not HOST:PORT:ADDR", place: "--resolve", status: .usage)
            }
            if parts[0].lowercased() == host.lowercased(), parts[1] == "\(port)" {
                let address = parts[2]
                return address.hasPrefix("[") ? String(address.dropFirst().dropLast()) : address
            }
        }
        return try lookUp(host)
    }

    private static func lookUp(_ host: String) throws -> String {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        guard result == 0, let first = list else {
            throw CommandError(
                String(cString: gai_strerror(result)), place: host,
                remedy: "check the name, or say where it is: --resolve \(host):PORT:ADDR")
        }
        var text = [CChar](repeating: 0, count: 64)
        getnameinfo(
            first.pointee.ai_addr, first.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
            NI_NUMERICHOST)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
