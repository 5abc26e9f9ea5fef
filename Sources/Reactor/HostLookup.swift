import Glibc

/// The addresses of a name from the system's resolver (`/etc/hosts`, DNS). Blocks.
package enum HostLookup {
    package struct Failure: Error {
        /// The resolver's message (gai_strerror(3)).
        package let reason: String
    }

    /// In the system's order, without duplicates.
    package static func addresses(
        of host: String, port: UInt16
    ) -> Result<[SocketAddress], Failure> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        // Without AI_ADDRCONFIG: an address that this machine cannot reach is also a finding.
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else {
            return .failure(Failure(reason: String(cString: gai_strerror(code))))
        }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let info = next {
            if let address = address(info.pointee, port), !found.contains(address) {
                found.append(address)
            }
            next = info.pointee.ai_next
        }
        return .success(found)
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
