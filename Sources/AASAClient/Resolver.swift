import Glibc
package import Reactor

/// Where names lead: `--resolve` first, then the system.
package struct Resolver: Sendable {
    /// `HOST:PORT:ADDR`, as with curl: connections to this host and port go to this address.
    package struct Override: Sendable, Hashable {
        package let host: String
        package let port: UInt16
        package let address: SocketAddress

        package init(host: String, port: UInt16, address: SocketAddress) {
            self.host = host.lowercased()
            self.port = port
            self.address = address
        }

        /// Reads `HOST:PORT:ADDR` and `HOST:PORT:ADDR:PORT`; an IPv6 address may stand in brackets.
        package init?(parsing text: String) {
            let parts = text.split(
                separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, !parts[0].isEmpty, let port = UInt16(parts[1]) else {
                return nil
            }
            let target = String(parts[2])
            let bare =
                target.hasPrefix("[") && target.hasSuffix("]")
                ? String(target.dropFirst().dropLast()) : target
            guard
                let address = SocketAddress(host: bare, port: port)
                    ?? SocketAddress(parsing: target)
            else { return nil }
            self.init(host: String(parts[0]), port: port, address: address)
        }
    }

    package var overrides: [Override]

    package init(overrides: [Override] = []) { self.overrides = overrides }

    /// Whether the user said where this host is.
    package func isOverridden(_ host: String, _ port: UInt16) -> Bool {
        overrides.contains { $0.host == host.lowercased() && $0.port == port }
    }

    /// The addresses of a host, in the system's order, without repetition.
    package func addresses(
        of host: String, port: UInt16
    ) -> Result<[SocketAddress], ClientFailure> {
        let given = overrides.filter { $0.host == host.lowercased() && $0.port == port }
        if !given.isEmpty { return .success(given.map(\.address)) }
        if let literal = SocketAddress(host: host, port: port) { return .success([literal]) }

        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        // Without AI_ADDRCONFIG: an address that this machine cannot reach is a finding as well.
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else {
            return .failure(.unresolved(String(cString: gai_strerror(code))))
        }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let info = next {
            if let address = Self.address(info.pointee, port), !found.contains(address) {
                found.append(address)
            }
            next = info.pointee.ai_next
        }
        return found.isEmpty ? .failure(.unresolved("it has no address")) : .success(found)
    }

    private static func address(_ info: addrinfo, _ port: UInt16) -> SocketAddress? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard let raw = info.ai_addr,
            getnameinfo(
                raw, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        let host = String(
            decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return SocketAddress(host: host, port: port)
    }
}
